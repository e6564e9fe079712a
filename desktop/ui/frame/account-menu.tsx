import { useDisclosure } from "@mantine/hooks";
import { LogOut } from "lucide-react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useShop } from "../session.tsx";
import { Avatar } from "../staff/avatar.tsx";
import {
	type Appearance,
	shownScheme,
	useAppearance,
} from "../theme/appearance.ts";
import { languages, setLanguage, useWords } from "../words/index.ts";

/** Who is signed in, the language and the looks of this device, and signing out. */
export function AccountMenu() {
	const { say } = useWords();
	const { name } = useShop().session.user;
	const [isOpen, { open, close }] = useDisclosure();
	return (
		<>
			<button
				type="button"
				className="btn btn-quiet account"
				aria-label={`${name}, ${say("app.account")}`}
				aria-haspopup="dialog"
				title={name}
				onClick={open}
			>
				<Avatar name={name} />
			</button>
			{isOpen && <AccountSheet onClose={close} />}
		</>
	);
}

function AccountSheet({ onClose }: { onClose(): void }) {
	const { say, language } = useWords();
	const { session, signOut } = useShop();
	const [appearance, setAppearance] = useAppearance();
	const { attempt, problem, isBusy } = useAttempt();
	const { name, email } = session.user;
	const set = (changed: Partial<Appearance>) =>
		setAppearance({ ...appearance, ...changed });
	return (
		<Sheet title={name} onClose={onClose}>
			<div className="column-flex">
				<span className="muted">{email}</span>
				<Choice
					label={say("app.language")}
					choices={languages}
					value={language}
					onChange={setLanguage}
				/>
				<Choice
					label={say("app.appearance")}
					choices={{ light: say("app.light"), dark: say("app.dark") }}
					value={shownScheme(appearance)}
					onChange={(scheme) => set({ scheme })}
				/>
				<Choice
					label={say("app.contrast")}
					choices={{
						usual: say("app.usualContrast"),
						high: say("app.sunlight"),
					}}
					value={appearance.contrast}
					onChange={(contrast) => set({ contrast })}
				/>
				<Choice
					label={say("app.motion")}
					choices={{ on: say("app.motionOn"), off: say("app.motionOff") }}
					value={appearance.motion}
					onChange={(motion) => set({ motion })}
				/>
				{problem && (
					<>
						<b>{say("app.stillSignedIn")}</b>
						{problem}
					</>
				)}
			</div>
			<div className="sheet-foot">
				<Button size="l" isBusy={isBusy} onClick={() => attempt(signOut)}>
					<LogOut size={18} aria-hidden />
					{say("app.signOut")}
				</Button>
			</div>
		</Sheet>
	);
}

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
		<div className="account-choice">
			<span className="text-s strong">{label}</span>
			<Chips
				label={label}
				choices={Object.entries<string>(choices).map(([one, name]) => ({
					value: one as Value,
					label: name,
				}))}
				value={value}
				onChange={onChange}
			/>
		</div>
	);
}
