import { useState } from "react";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";

/**
 * A number field that commits while typing. It marks an invalid number, and on blur shows the last valid one again.
 */
export function TypedNumber({
	label,
	value,
	className,
	isValid,
	onValid,
	onInvalid,
}: {
	label: string;
	value: number;
	className?: string;
	/** Whether a number is valid. */
	isValid(value: number): boolean;
	onValid(value: number): void;
	/** Called on blur or Enter with a number that wasn't valid. */
	onInvalid?(value: number): void;
}) {
	const [typed, setTyped] = useState<{ text: string; for: number }>();
	// Typed text belongs to one value; a change made elsewhere replaces it.
	const shown = typed?.for === value ? typed.text : String(value);
	const isWrong = !takes(shown);

	function takes(text: string): boolean {
		const number = decimalOf(text);
		return number !== undefined && isValid(number);
	}

	function enter(): void {
		const number = decimalOf(shown);
		setTyped(undefined);
		if (number !== undefined && !isValid(number)) onInvalid?.(number);
	}

	return (
		<input
			className={className}
			inputMode="decimal"
			autoComplete="off"
			aria-label={label}
			aria-invalid={isWrong || undefined}
			value={shown}
			onFocus={(event) => event.currentTarget.select()}
			onChange={(event) => {
				const text = cleanDecimal(event.currentTarget.value);
				const number = takes(text) ? decimalOf(text) : undefined;
				setTyped({ text, for: number ?? value });
				if (number !== undefined && number !== value) onValid(number);
			}}
			onBlur={enter}
			onKeyDown={(event) => {
				if (event.key !== "Enter") return;
				// It would press the button of a question that the blur opens.
				event.preventDefault();
				event.currentTarget.blur();
			}}
		/>
	);
}
