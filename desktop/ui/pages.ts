import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import { aiPage } from "./ai/page.ts";
import { errorWords } from "./components/words.ts";
import { countsPage } from "./counts/page.ts";
import { countsWords } from "./counts/words.ts";
import { customersPage } from "./customers/page.ts";
import { customersWords } from "./customers/words.ts";
import { frameWords } from "./frame/words.ts";
import { inboxPage } from "./inbox/page.ts";
import { inboxWords } from "./inbox/words.ts";
import { labelsWords } from "./labels/words.ts";
import { layawaysWords } from "./layaways/words.ts";
import { overviewPage } from "./overview/page.ts";
import { overviewWords } from "./overview/words.ts";
import { productsPage } from "./products/page.ts";
import { productsWords } from "./products/words.ts";
import { receiptsWords } from "./receipts/words.ts";
import { salesPage } from "./sales/page.ts";
import { salesWords } from "./sales/words.ts";
import { settingsPage } from "./settings/page.ts";
import { settingsWords } from "./settings/words.ts";
import { shiftsPage } from "./shifts/page.ts";
import { shiftsWords } from "./shifts/words.ts";
import { signInWords } from "./sign-in/words.ts";
import { staffWords } from "./staff/words.ts";
import { startWords } from "./start/words.ts";
import { statementsPage } from "./statements/page.ts";
import { statementsWords } from "./statements/words.ts";
import { deliveriesPage } from "./suppliers/page.ts";
import { suppliersWords } from "./suppliers/words.ts";
import { syncPage } from "./sync/page.ts";
import { syncWords } from "./sync/words.ts";
import { taxesWords } from "./taxes/words.ts";
import { tillPage } from "./till/page.ts";
import { tillWords } from "./till/words.ts";
import type { Word } from "./words/index.ts";

/** A page of the app with its menu entry. */
export interface Page {
	path: string;
	/** What the menu calls it. */
	title: Word;
	Icon: LucideIcon;
	/** Every page but the till loads when it is first opened. */
	View: ComponentType;
	/** How many things wait there, for the menu. A hook. */
	useCount?: () => number;
	/** Reached from another page, and not in the menu. */
	hasNoEntry?: true;
	/** Shown only to the owner, and only by the shop's server. */
	isOwners?: true;
}

/** All pages of a shop, in the menu's order. */
export const pages: readonly Page[] = [
	tillPage,
	productsPage,
	salesPage,
	customersPage,
	shiftsPage,
	overviewPage,
	inboxPage,
	aiPage,
	settingsPage,
	syncPage,
	statementsPage,
	countsPage,
	deliveriesPage,
];

/** All texts of the app, from the rooms that show them. */
export const words = {
	...frameWords,
	...errorWords,
	...signInWords,
	...startWords,
	...tillWords,
	...productsWords,
	...salesWords,
	...receiptsWords,
	...overviewWords,
	...inboxWords,
	...labelsWords,
	...settingsWords,
	...staffWords,
	...syncWords,
	...customersWords,
	...shiftsWords,
	...countsWords,
	...statementsWords,
	...taxesWords,
	...layawaysWords,
	...suppliersWords,
};
