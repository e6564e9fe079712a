import { useDisclosure } from "@mantine/hooks";
import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { IconButton } from "../components/button.tsx";
import { Mark } from "../components/mark.tsx";
import { UndoToast } from "../components/undo.tsx";
import { type Page, pages } from "../pages.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useTill } from "../shop/till.ts";
import { useWords } from "../words/index.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Bell } from "./bell.tsx";
import { DemoTag } from "./demo-tag.tsx";
import { Notices } from "./notices.tsx";
import { PageBoundary } from "./page-boundary.tsx";
import { SyncBadge } from "./sync-badge.tsx";
import "./frame.css";

/** The frame around every page: the rail with the menu, how the till stands, and the account. */
export function Frame({ children }: { children: ReactNode }) {
	const { say } = useWords();
	const business = useBusiness();
	const { role } = useShop().session;
	const till = useTill();
	const isOwner = role === "OWNER" && till?.mode !== "joined";
	const [isOpen, { toggle, close }] = useDisclosure();
	const [path] = useLocation();
	return (
		<div className="frame">
			<header className="top-bar">
				<IconButton
					label={say("app.menu")}
					aria-expanded={isOpen}
					onClick={toggle}
				>
					<MenuIcon size={22} aria-hidden />
				</IconButton>
				<span className="strong">{business?.name ?? "Counterfoil"}</span>
			</header>
			<nav className="rail" data-open={isOpen} aria-label={say("app.menu")}>
				<span className="rail-mark" title={business?.name}>
					<Mark />
				</span>
				{pages
					.filter(
						({ isOwners, hasNoEntry }) => !hasNoEntry && (isOwner || !isOwners),
					)
					.map((page) => (
						<RailLink key={page.path} page={page} onClick={close} />
					))}
			</nav>
			<div className="frame-foot">
				<DemoTag />
				<SyncBadge />
				<Bell />
				<AccountMenu />
			</div>
			<main className="frame-main">
				{path !== "/" && <Notices />}
				<div className="frame-page">
					<PageBoundary key={path}>{children}</PageBoundary>
				</div>
				<UndoToast />
			</main>
		</div>
	);
}

function RailLink({
	page: { path: to, title, Icon, useCount = noCount },
	onClick,
}: {
	page: Page;
	onClick(): void;
}) {
	const { say } = useWords();
	const [path] = useLocation();
	const count = useCount();
	return (
		<Link
			href={to}
			className="rail-link"
			aria-current={path === to ? "page" : undefined}
			onClick={onClick}
		>
			<Icon size={22} strokeWidth={1.9} aria-hidden />
			{say(title)}
			{count > 0 && <span className="rail-count">{count}</span>}
		</Link>
	);
}

const noCount = () => 0;
