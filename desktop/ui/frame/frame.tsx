import {
	ActionIcon,
	AppShell,
	Group,
	Menu,
	Modal,
	NavLink,
	SegmentedControl,
	Text,
	UnstyledButton,
	useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CircleUser, LogOut, Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useAttempt } from "../components/attempt.tsx";
import { pages } from "../pages.ts";
import { useShop } from "../session.tsx";
import { useTill } from "../shop/till.ts";
import { useBusiness } from "../shop/use-shop-data.ts";
import {
	type Language,
	languages,
	setLanguage,
	useWords,
} from "../words/index.ts";
import { Bell } from "./bell.tsx";
import { Notices } from "./notices.tsx";
import { SyncBadge } from "./sync-badge.tsx";

/** The frame around every page: navigation, sync badge and account menu. */
export function Frame({ children }: { children: ReactNode }) {
	const { say } = useWords();
	const [path] = useLocation();
	const business = useBusiness();
	const { role } = useShop().session;
	const till = useTill();
	const isOwner = role === "OWNER" && till?.mode !== "joined";
	const [isOpen, { toggle, close }] = useDisclosure();
	return (
		<AppShell
			header={{ height: 56 }}
			navbar={{ width: 190, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
			h="100%"
		>
			<AppShell.Header>
				<Group h="100%" px="sm" justify="space-between" wrap="nowrap">
					<Group gap="sm" wrap="nowrap" flex={1} miw={0}>
						<ActionIcon
							variant="subtle"
							color="gray"
							size={44}
							hiddenFrom="sm"
							onClick={toggle}
							aria-label={say("app.menu")}
							aria-expanded={isOpen}
						>
							<MenuIcon size={22} />
						</ActionIcon>
						<Text fw={700} truncate>
							{business?.name ?? "Counterfoil"}
						</Text>
					</Group>
					<Group gap={4} wrap="nowrap" flex="none">
						<SyncBadge />
						<Bell />
						<AccountMenu />
					</Group>
				</Group>
			</AppShell.Header>
			<AppShell.Navbar p="xs">
				{pages
					.filter(({ isOwners }) => isOwner || !isOwners)
					.map(({ path: to, title, Icon }) => (
						<NavLink
							key={to}
							component={Link}
							href={to}
							label={say(title)}
							leftSection={<Icon size={20} aria-hidden />}
							active={path === to}
							aria-current={path === to ? "page" : undefined}
							onClick={close}
							mih={48}
						/>
					))}
			</AppShell.Navbar>
			<AppShell.Main h="100dvh" className="main">
				<Notices />
				<div className="main-page">{children}</div>
			</AppShell.Main>
		</AppShell>
	);
}

function AccountMenu() {
	const { say, language } = useWords();
	const { session, signOut } = useShop();
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	const { attempt, problem } = useAttempt();
	const [isToldOf, { open: tell, close: endTelling }] = useDisclosure();
	return (
		<>
			<Modal
				opened={isToldOf}
				onClose={endTelling}
				title={say("app.stillSignedIn")}
			>
				{problem}
			</Modal>
			<Menu position="bottom-end" width={240}>
				<Menu.Target>
					<UnstyledButton
						h={44}
						miw={44}
						px="xs"
						aria-label={`${session.user.name}, ${say("app.menu")}`}
					>
						<Text size="sm" fw={600} visibleFrom="xs">
							{session.user.name.split(" ")[0]}
						</Text>
						<CircleUser size={22} aria-hidden className="only-narrow" />
					</UnstyledButton>
				</Menu.Target>
				<Menu.Dropdown>
					<Menu.Label>{session.user.email}</Menu.Label>
					<Group p="xs">
						<SegmentedControl
							fullWidth
							w="100%"
							aria-label={say("app.language")}
							value={language}
							onChange={(value) => setLanguage(value as Language)}
							data={Object.entries(languages).map(([value, label]) => ({
								value,
								label,
							}))}
						/>
						<SegmentedControl
							fullWidth
							w="100%"
							aria-label={say("app.appearance")}
							value={colorScheme === "dark" ? "dark" : "light"}
							onChange={(value) => setColorScheme(value as "light" | "dark")}
							data={[
								{ value: "light", label: say("app.light") },
								{ value: "dark", label: say("app.dark") },
							]}
						/>
					</Group>
					<Menu.Divider />
					<Menu.Item
						leftSection={<LogOut size={18} aria-hidden />}
						onClick={async () => {
							if (!(await attempt(signOut))) tell();
						}}
					>
						{say("app.signOut")}
					</Menu.Item>
				</Menu.Dropdown>
			</Menu>
		</>
	);
}
