import {
	Menu,
	Modal,
	useComputedColorScheme,
	useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { LogOut } from "lucide-react";
import { useAttempt } from "../components/attempt.tsx";
import { useShop } from "../session.tsx";
import { type Appearance, useAppearance } from "../theme/appearance.ts";
import { languages, setLanguage, useWords } from "../words/index.ts";

/** Who is signed in, the language and the looks of this device, and signing out. */
export function AccountMenu() {
	const { say, language } = useWords();
	const { session, signOut } = useShop();
	const { setColorScheme } = useMantineColorScheme();
	const colorScheme = useComputedColorScheme();
	const [appearance, setAppearance] = useAppearance();
	const { attempt, problem } = useAttempt();
	const [isToldOf, { open: tell, close: endTelling }] = useDisclosure();
	// The rail is at the top.
	const isNarrow = useMediaQuery("(max-width: 43.75em)");
	const { name, email } = session.user;
	const appearanceChoice = <Key extends keyof Appearance>(
		key: Key,
		label: string,
		choices: Record<Appearance[Key], string>,
	) => (
		<Choice
			label={label}
			choices={choices}
			value={appearance[key]}
			onChange={(value) => setAppearance({ ...appearance, [key]: value })}
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
			<Menu
				position={isNarrow ? "bottom-end" : "right-end"}
				width={290}
				withInitialFocusPlaceholder={false}
			>
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
					<Choice
						label={say("app.language")}
						choices={languages}
						value={language}
						onChange={setLanguage}
					/>
					<Choice<"light" | "dark">
						label={say("app.appearance")}
						choices={{ light: say("app.light"), dark: say("app.dark") }}
						value={colorScheme}
						onChange={setColorScheme}
					/>
					{appearanceChoice("contrast", say("app.contrast"), {
						usual: say("app.usualContrast"),
						high: say("app.sunlight"),
					})}
					{appearanceChoice("motion", say("app.motion"), {
						on: say("app.motionOn"),
						off: say("app.motionOff"),
					})}
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

/** A choice of one within the menu, which stays open. */
function Choice<Value extends string>({
	label,
	choices,
	value,
	onChange,
}: {
	label: string;
	choices: Record<Value, string>;
	value: Value;
	onChange(value: Value): void;
}) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a menu may contain groups, not field sets.
		<div role="group" aria-label={label} className="menu-choice">
			<Menu.RadioGroup
				value={value}
				onChange={(chosen) => onChange(chosen as Value)}
			>
				{Object.entries<string>(choices).map(([one, name]) => (
					<Menu.RadioItem key={one} value={one} closeMenuOnClick={false}>
						{name}
					</Menu.RadioItem>
				))}
			</Menu.RadioGroup>
		</div>
	);
}
