import init from "@sqlite.org/sqlite-wasm";
import type { ShopError } from "../../../sync/errors.ts";
import type { Refusal } from "../../../sync/protocol.ts";
import { openInMemory, openInOpfs } from "../../../sync/store/sqlite-wasm.ts";
import type { Store } from "../../../sync/store/store.ts";
import {
	startWasmSqlite,
	type WasmSqlite,
} from "../../../sync/store/wasm-database.ts";
import { openCalls } from "../../../sync/till/calls.ts";
import { openCarts } from "../../../sync/till/carts.ts";
import { doCall, refusalOf } from "../../../sync/till/do-call.ts";
import { type OldStorage, openOldStorage } from "../shop/old-storage.ts";
import { type BrowserTill, openBrowserTill } from "./browser-till.ts";
import { openJournal } from "./journal.ts";
import { directoryOf } from "./kept-shops.ts";
import { emptyJournal, openMemoryTill } from "./memory-till.ts";
import type { Member } from "./messages.ts";
import { removeShop } from "./remove-shop.ts";
import type { OpenTill } from "./tabs.ts";

/** Files of a tab that has just gone may take a moment to be free. */
const triesMax = 20;
const tryAgainMs = 100;

/**
 * Opens the shop in the browser's files; where it gives none, or they can't be opened, in memory with a journal. What is in
 * the files stays there.
 */
export async function openShop(
	member: Member,
	left: string | null,
): Promise<OpenTill> {
	const sqlite = await startWasmSqlite(init);
	const { store, trouble } = await openStore(sqlite, member.businessId);
	const till = trouble
		? await openMemoryTill(
				store,
				member,
				await openJournal(member.businessId).catch(noJournal),
				left,
				trouble,
			)
		: await openLastingTill(store, member);
	return { ...till, remove: () => removeShop(sqlite, member.businessId) };
}

async function openLastingTill(
	store: Store,
	member: Member,
): Promise<BrowserTill> {
	const { businessId } = member;
	let old: OldStorage | undefined;
	const till = await openBrowserTill(store, businessId, {
		keeping: { keeps: "disk", trouble: null },
		onTried: () => void takeLeftovers().catch(console.error),
	});
	const carts = openCarts(store, businessId);

	/** What was sold in this browser elsewhere: by the client before this one, or while its files could not be opened. */
	async function takeLeftovers(): Promise<void> {
		await old?.move();
		await emptyJournal(till, member, carts);
	}

	old = await openOldStorage(
		businessId,
		openCalls((call) => doCall(till.as(member), call)),
	);
	await takeLeftovers();
	return till;
}

async function openStore(
	sqlite: WasmSqlite,
	businessId: string,
): Promise<{ store: Store; trouble?: Refusal }> {
	for (let tries = 1; ; tries += 1)
		try {
			return { store: await openInOpfs(sqlite, directoryOf(businessId)) };
		} catch (error) {
			const { code } = error as ShopError;
			if (code === "storage_busy" && tries < triesMax)
				await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
			else
				return {
					store: await openInMemory(sqlite),
					trouble: refusalOf(error, console.error),
				};
		}
}

function noJournal(error: unknown): undefined {
	console.error("The browser keeps nothing for this page", error);
}
