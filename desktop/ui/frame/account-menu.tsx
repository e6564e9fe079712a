import {
	Menu,
	Modal,
	SegmentedControl,
	Stack,
	useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { LogOut } from "lucide-react";
import { useAttempt } from "../components/attempt.tsx";
import { useShop } from "../session.tsx";
import { type Appearance, useAppearance } from "../theme/appearance.ts";
import {
	type Language,
	languages,
	setLanguage,
	useWords,
} from "../words/index.ts";

/** Who is signed in, the language and the looks of this device, and signing out. */
export function AccountMenu() {
	const { say, language } = useWords();
	const { session, signOut } = useShop();
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	const [appearance, setAppearance] = useAppearance();
	const { attempt, problem } = useAttempt();
	const [isToldOf, { open: tell, close: endTelling }] = useDisclosure();
	// The rail is at the top.
	const isNarrow = useMediaQuery("(max-width: 43.75em)");
	const { name, email } = session.user;
	const choice = <Key extends keyof Appearance>(
		key: Key,
		label: string,
		data: { value: Appearance[Key]; label: string }[],
	) => (
		<SegmentedControl
			fullWidth
			aria-label={label}
			value={appearance[key]}
			onChange={(value) => setAppearance({ ...appearance, [key]: value })}
			data={data}
		/>
	);
	return (
		<>
			<Modal
				opened={isToldOf}
				onClose={endTelling}
				title={say("app.stillSignedIn")}
			>
				{problem}
			</Modal>
			<Menu position={isNarrow ? "bottom-end" : "right-end"} width={270}>
				<Menu.Target>
					<button
						type="button"
						className="btn btn-quiet account"
						aria-label={`${name}, ${say("app.account")}`}
						title={name}
					>
						<span
							className="avatar"
							data-initials={[...name.trim()].slice(0, 2).join("")}
						/>
					</button>
				</Menu.Target>
				<Menu.Dropdown>
					<Menu.Label>
						<span className="strong">{name}</span>
						<br />
						{email}
					</Menu.Label>
					<Stack p="xs" gap="xs">
						<SegmentedControl
							fullWidth
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
							aria-label={say("app.appearance")}
							value={colorScheme === "dark" ? "dark" : "light"}
							onChange={(value) => setColorScheme(value as "light" | "dark")}
							data={[
								{ value: "light", label: say("app.light") },
								{ value: "dark", label: say("app.dark") },
							]}
						/>
						{choice("contrast", say("app.contrast"), [
							{ value: "usual", label: say("app.usualContrast") },
							{ value: "high", label: say("app.sunlight") },
						])}
						{choice("motion", say("app.motion"), [
							{ value: "on", label: say("app.motionOn") },
							{ value: "off", label: say("app.motionOff") },
						])}
					</Stack>
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
