import {
	type InputHTMLAttributes,
	type ReactNode,
	type Ref,
	useId,
} from "react";
import { cleanDecimal } from "./decimal.ts";
import "./field.css";

interface Props
	extends Omit<
		InputHTMLAttributes<HTMLInputElement>,
		"onChange" | "value" | "size"
	> {
	label: string;
	value: string;
	onChange(value: string): void;
	/** Why the value can't be used. */
	error?: ReactNode;
	isLarge?: boolean;
	ref?: Ref<HTMLInputElement>;
}

/** A text field with its label above it. */
export function TextField({
	label,
	value,
	onChange,
	error,
	isLarge,
	...rest
}: Props) {
	const errorId = useId();
	return (
		<label className="field">
			<span>{label}</span>
			<input
				className={isLarge ? "input input-large" : "input"}
				value={value}
				onChange={(event) => onChange(event.currentTarget.value)}
				aria-invalid={error ? true : undefined}
				aria-describedby={error ? errorId : undefined}
				autoComplete="off"
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

/** A field for an amount or a quantity; what can't be part of a decimal is left out while typing. */
export function DecimalField({ onChange, ...rest }: Props) {
	return (
		<TextField
			inputMode="decimal"
			onChange={(typed) => onChange(cleanDecimal(typed))}
			{...rest}
		/>
	);
}
