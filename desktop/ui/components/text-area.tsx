import { type TextareaHTMLAttributes, useId } from "react";
import "./field.css";

/** A field of several lines. */
export function TextArea({
	label,
	error,
	onChange,
	...rest
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> & {
	label: string;
	error?: string | undefined;
	onChange(value: string): void;
}) {
	const errorId = useId();
	return (
		<label className="field">
			<span>{label}</span>
			<textarea
				className="input"
				rows={2}
				aria-invalid={error ? true : undefined}
				aria-describedby={error ? errorId : undefined}
				onChange={(event) => onChange(event.currentTarget.value)}
				{...rest}
			/>
			{error && (
				<span id={errorId} className="input-error" role="alert">
					{error}
				</span>
			)}
		</label>
	);
}
