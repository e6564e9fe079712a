import {
	ArrowLeft,
	Bell,
	DatabaseBackup,
	HandCoins,
	KeyRound,
	LogIn,
	type LucideIcon,
	MessageSquare,
	MonitorSmartphone,
	Percent,
	Printer,
	ReceiptText,
	Scale,
	ScanBarcode,
	Server,
	ShieldCheck,
	Store,
	Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearch } from "wouter";
import type { Business } from "../../../sync/entities/business.ts";
import { ServerPanel } from "../operator/server-panel.tsx";
import { Sessions } from "../operator/sessions.tsx";
import { useMayManage, useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { MyPin } from "../staff/my-pin.tsx";
import { TaxSection } from "../taxes/tax-section.tsx";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import { Backup } from "./backup.tsx";
import { Devices } from "./devices.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { MoneySection } from "./money-section.tsx";
import { People } from "./people.tsx";
import { Preferences } from "./preferences.tsx";
import { ReceiptPrinter } from "./printer.tsx";
import { ReceiptSection } from "./receipt-section.tsx";
import { Review } from "./review.tsx";
import { ScaleLabels } from "./scale-labels.tsx";
import { Scanner } from "./scanner.tsx";
import { ShopSection } from "./shop-section.tsx";
import "./settings.css";

interface Part {
	/** In the page's address: `/settings?part=receipt`. */
	id: string;
	title: Word;
	Icon: LucideIcon;
	/** Who sees it; everyone if absent. */
	may?: "own" | "manage" | "sign";
	/** A desktop till has no sessions and is no server. */
	isOnServer?: true;
	show(business: Business): ReactNode;
}

const parts: readonly Part[] = [
	{
		...{ id: "shop", title: "settings.business", Icon: Store, may: "own" },
		show: (business) => <ShopSection business={business} />,
	},
	{
		...{ id: "receipt", title: "settings.receipt", Icon: ReceiptText },
		may: "own",
		show: (business) => <ReceiptSection business={business} />,
	},
	{
		...{ id: "people", title: "settings.people", Icon: Users, may: "manage" },
		show: () => <People />,
	},
	{
		...{ id: "pin", title: "staff.myPin", Icon: KeyRound, may: "sign" },
		show: () => <MyPin />,
	},
	{
		...{ id: "tills", title: "settings.devices", Icon: MonitorSmartphone },
		may: "manage",
		show: () => <Devices />,
	},
	{
		...{ id: "money", title: "settings.money", Icon: HandCoins, may: "own" },
		show: (business) => <MoneySection business={business} />,
	},
	{
		...{ id: "limits", title: "settings.limits", Icon: ShieldCheck },
		may: "own",
		show: (business) => <LimitsSection business={business} />,
	},
	{
		...{ id: "tax", title: "taxes.title", Icon: Percent, may: "own" },
		show: (business) => <TaxSection business={business} />,
	},
	{
		...{ id: "printer", title: "settings.printer", Icon: Printer },
		show: () => <ReceiptPrinter />,
	},
	{
		...{ id: "scanner", title: "settings.scanner", Icon: ScanBarcode },
		show: () => <Scanner />,
	},
	{
		...{ id: "scale", title: "settings.scale", Icon: Scale, may: "own" },
		show: (business) => <ScaleLabels business={business} />,
	},
	{
		...{ id: "notifications", title: "settings.notify", Icon: Bell },
		show: () => <Preferences />,
	},
	{
		...{ id: "backup", title: "settings.backup", Icon: DatabaseBackup },
		may: "manage",
		show: () => <Backup />,
	},
	{
		...{ id: "sessions", title: "operator.sessions", Icon: LogIn },
		...{ may: "sign", isOnServer: true },
		show: () => <Sessions />,
	},
	{
		...{ id: "server", title: "operator.server", Icon: Server, may: "own" },
		isOnServer: true,
		show: () => <ServerPanel />,
	},
	{
		...{ id: "review", title: "settings.reviewShort", Icon: MessageSquare },
		show: () => <Review />,
	},
];

/** Settings of the shop, its people, this till and this user: sections in a list, and the chosen one beside it. */
export default function Settings() {
	const { say } = useWords();
	const { session, cashier } = useShop();
	const business = useBusiness();
	const mayManage = useMayManage();
	const id = new URLSearchParams(useSearch()).get("part");
	const may = {
		own: session.role === "OWNER",
		manage: mayManage,
		// Nobody sets another member's PIN by way of their session.
		sign: cashier === undefined,
	};
	const shown = parts.filter(
		({ may: who, isOnServer }) =>
			(who === undefined || may[who]) && !(isOnServer && window.till),
	);
	const chosen = shown.find((part) => part.id === id);
	const open = chosen ?? shown[0];
	return (
		<div
			className="page page-forms settings"
			data-chosen={chosen !== undefined}
		>
			<div className="settings-side">
				<h1>{say("app.settings")}</h1>
				<nav aria-label={say("app.settings")}>
					{shown.map(({ id, title, Icon }) => (
						<Link
							key={id}
							href={`/settings?part=${id}`}
							className="settings-link"
							aria-current={id === open?.id ? "page" : undefined}
						>
							<Icon size={20} strokeWidth={1.9} aria-hidden />
							{say(title)}
						</Link>
					))}
				</nav>
			</div>
			<div className="settings-part">
				<Link className="settings-back btn btn-quiet btn-s" href="/settings">
					<ArrowLeft size={20} aria-hidden />
					{say("app.settings")}
				</Link>
				{business && open?.show(business)}
			</div>
		</div>
	);
}
