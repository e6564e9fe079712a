import { type SelectHTMLAttributes, useId } from "react";
import "./field.css";
import "./select-field.css";

export interface Option {
	value: string;
	label: string;
}

/** A choice of one from a list, by the device's own list: easy to read and to touch, and found by its first letters. */
export function SelectField({
	label,
	isLabelHidden = false,
	options,
	onChange,
	...rest
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> & {
	label: string;
	isLabelHidden?: boolean;
	options: readonly Option[];
	onChange(value: string): void;
}) {
	const id = useId();
	return (
		<div className="field">
			<label
				className={isLabelHidden ? "visually-hidden" : "field-label"}
				htmlFor={id}
			>
				{label}
			</label>
			<select
				id={id}
				className="input"
				onChange={(event) => onChange(event.currentTarget.value)}
				{...rest}
			>
				{options.map(({ value, label: text }) => (
					<option key={value} value={value}>
						{text}
					</option>
				))}
			</select>
		</div>
	);
}
