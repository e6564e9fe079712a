import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { amountMax } from "../../../sync/entities/money.ts";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";

const steps: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/**
 * A number of a table that is edited in its place: Enter and the arrows save and go to the next row, leaving it saves too,
 * Escape gives the old number back.
 */
export function DecimalCell({
	id,
	label,
	value,
	text,
	mayBeEmpty = false,
	onSave,
	onStep,
}: {
	id: string;
	label: string;
	value: number | null;
	/** The value as it is shown while it isn't edited. */
	text: string;
	/** Whether an emptied cell is a value too. */
	mayBeEmpty?: boolean;
	/** @param seen the value when the number was typed */
	onSave(typed: number | null, seen: number | null): Promise<unknown>;
	onStep(step: number): void;
}) {
	const [typed, setText] = useState<string>();
	/** The text that isn't saved yet: Enter saves it, and the blur that follows comes before the next render. */
	const unsaved = useRef<string>(undefined);
	/** What is being saved, shown until the row has it. */
	const [sent, setSent] = useState<string>();
	const seen = useRef(value);
	const input = useRef<HTMLInputElement>(null);
	const isEdited = typed !== undefined;
	useLayoutEffect(() => {
		if (isEdited) input.current?.select();
	}, [isEdited]);

	const number = typed === undefined ? undefined : decimalOf(typed);
	const isTooLarge = number !== undefined && number > amountMax;

	function setTyped(text: string | undefined): void {
		unsaved.current = text;
		setText(text);
	}

	/** @returns whether the cell may be left */
	function save(): boolean {
		const text = unsaved.current;
		if (text === undefined) return true;
		if (isTooLarge) return false;
		setTyped(undefined);
		const next = number ?? null;
		if (next === seen.current || (next === null && !mayBeEmpty)) return true;
		setSent(text || "–");
		void onSave(next, seen.current).then(() => setSent(undefined));
		return true;
	}

	function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
		if (event.key === "Escape") {
			event.stopPropagation();
			setTyped(undefined);
			return;
		}
		const step = steps[event.key];
		if (step === undefined) return;
		event.preventDefault();
		if (save()) onStep(step);
	}

	return (
		<input
			id={id}
			ref={input}
			className="cell-input"
			aria-label={label}
			inputMode="decimal"
			autoComplete="off"
			aria-invalid={isTooLarge || undefined}
			value={typed ?? sent ?? text}
			onFocus={() => {
				seen.current = value;
				setTyped(String(value ?? ""));
			}}
			onChange={(event) => {
				seen.current = value;
				setTyped(cleanDecimal(event.currentTarget.value));
			}}
			onKeyDown={onKeyDown}
			onBlur={() => {
				if (!save()) setTyped(undefined);
			}}
		/>
	);
}
