import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import "./toggle.css";

/** A switch with its label, and what it does below. */
export function Toggle({
	label,
	note,
	checked,
	onChange,
	...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
	label: string;
	note?: ReactNode;
	checked: boolean;
	onChange(isOn: boolean): void;
}) {
	const id = useId();
	return (
		<div className="toggle">
			<div className="grow">
				<label htmlFor={id}>{label}</label>
				{note && (
					<p id={`${id}note`} className="text-s muted">
						{note}
					</p>
				)}
			</div>
			<input
				id={id}
				type="checkbox"
				role="switch"
				checked={checked}
				aria-checked={checked}
				aria-describedby={note ? `${id}note` : undefined}
				onChange={(event) => onChange(event.currentTarget.checked)}
				{...rest}
			/>
		</div>
	);
}
