import { NumberInput } from "@mantine/core";
import { useState } from "react";
import { decimalOf } from "../components/decimal.ts";

/**
 * A number of a line, which counts as soon as it is typed. What can't count is marked, and gone when the field is left:
 * it then shows what does.
 */
export function TypedNumber({
	label,
	value,
	width,
	isTaken,
	onTake,
	onOther,
}: {
	label: string;
	value: number;
	width: number;
	/** Whether a number can count. */
	isTaken(value: number): boolean;
	onTake(value: number): void;
	/** Hears of a number that did not count, once it is entered. */
	onOther?(value: number): void;
}) {
	const [typed, setTyped] = useState<{ text: number | string; for: number }>();
	// What was typed stands for one value: it is no longer true when that changes by another way.
	const shown = typed?.for === value ? typed.text : value;
	const isWrong = !takes(shown);

	function takes(text: number | string): boolean {
		const number = decimalOf(text);
		return number !== undefined && isTaken(number);
	}

	function enter(): void {
		const number = decimalOf(shown);
		setTyped(undefined);
		if (number !== undefined && !isTaken(number)) onOther?.(number);
	}

	return (
		<NumberInput
			aria-label={label}
			value={shown}
			onChange={(text) => {
				const number = takes(text) ? decimalOf(text) : undefined;
				setTyped({ text, for: number ?? value });
				if (number !== undefined && number !== value) onTake(number);
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
