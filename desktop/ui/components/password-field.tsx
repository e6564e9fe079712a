import { Eye, EyeOff } from "lucide-react";
import { type InputHTMLAttributes, useId, useState } from "react";
import { useWords } from "../words/index.ts";
import { IconButton } from "./button.tsx";
import "./field.css";
import "./password-field.css";

/** A field for a password, which can be shown: on a phone it is hard to type unseen. */
export function PasswordField({
	label,
	onChange,
	...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
	label: string;
	value: string;
	onChange(value: string): void;
}) {
	const { say } = useWords();
	const id = useId();
	const [isShown, setShown] = useState(false);
	const Icon = isShown ? EyeOff : Eye;
	return (
		<div className="field">
			<label className="field-label" htmlFor={id}>
				{label}
			</label>
			<div className="password">
				<input
					id={id}
					className="input"
					type={isShown ? "text" : "password"}
					autoCapitalize="none"
					onChange={(event) => onChange(event.currentTarget.value)}
					{...rest}
				/>
				<IconButton
					label={say(isShown ? "login.hide" : "login.show")}
					onClick={() => setShown(!isShown)}
				>
					<Icon size={20} aria-hidden />
				</IconButton>
			</div>
		</div>
	);
}
