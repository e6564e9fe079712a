import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { decimalOf } from "../components/decimal.ts";

/**
 * A number field that commits while typing. It marks an invalid number, and on blur shows the last valid one again.
 */
export function TypedNumber({
	label,
	value,
	width,
	isValid,
	onValid,
	onInvalid,
}: {
	label: string;
	value: number;
	width: number;
	/** Whether a number is valid. */
	isValid(value: number): boolean;
	onValid(value: number): void;
	/** Called on blur or Enter with a number that wasn't valid. */
	onInvalid?(value: number): void;
}) {
	const [typed, setTyped] = useState<{ text: number | string; for: number }>();
	// Typed text belongs to one value; a change made elsewhere replaces it.
	const shown = typed?.for === value ? typed.text : value;
	const isWrong = !takes(shown);

	function takes(text: number | string): boolean {
		const number = decimalOf(text);
		return number !== undefined && isValid(number);
	}

	function enter(): void {
		const number = decimalOf(shown);
		setTyped(undefined);
		if (number !== undefined && !isValid(number)) onInvalid?.(number);
	}

	return (
		<NumberInput
			aria-label={label}
			value={shown}
			onChange={(text) => {
				const number = takes(text) ? decimalOf(text) : undefined;
				setTyped({ text, for: number ?? value });
				if (number !== undefined && number !== value) onValid(number);
			}}
			onBlur={enter}
			onKeyDown={(event) => {
				if (event.key === "Enter") event.currentTarget.blur();
			}}
			error={isWrong}
			decimalScale={6}
			allowNegative={false}
			clampBehavior="none"
			hideControls
			w={width}
			size="md"
			classNames={{ input: "touch" }}
		/>
	);
}
