import { Minus, Plus, X } from "lucide-react";
import { type FormEvent, useEffect, useRef } from "react";
import { plus } from "../../../sync/entities/money.ts";
import { Button, IconButton } from "../components/button.tsx";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";
import { Keypad } from "../components/keypad.tsx";
import { useFormat } from "../format.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import type { Looking } from "./use-looking.ts";

const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0"];
const steps = [5, 10];

/** A product with its number: typed, tapped, or scanned piece by piece. It shows nobody what should be there. */
export function LookPanel({
	looking,
	isBusy,
	onChange,
	onNext,
	onLeave,
}: {
	looking: Looking;
	isBusy: boolean;
	onChange(typed: string): void;
	onNext(): void;
	onLeave(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const field = useRef<HTMLInputElement>(null);
	const { productId, lookId, name, typed } = looking;
	const packs = useRows("pack.list", { productId }).rows;
	const counted = decimalOf(typed);
	const add = (more: number) => {
		const sum = plus(counted ?? 0, more);
		if (sum >= 0) onChange(String(sum));
	};
	// A phone would cover the keys with its own.
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each look.
	useEffect(() => {
		if (matchMedia("(pointer: fine)").matches) field.current?.focus();
	}, [lookId]);

	function next(event: FormEvent): void {
		event.preventDefault();
		if (counted !== undefined) onNext();
	}

	return (
		<form className="leaf look-panel" onSubmit={next}>
			<div className="look-head">
				<h2>{name}</h2>
				<IconButton label={say("counts.leaveOut")} onClick={onLeave}>
					<X size={20} aria-hidden />
				</IconButton>
			</div>
			<div className="look-number">
				<Button aria-label={say("counts.less")} onClick={() => add(-1)}>
					<Minus size={24} aria-hidden />
				</Button>
				<input
					ref={field}
					inputMode="decimal"
					autoComplete="off"
					aria-label={say("counts.counted")}
					placeholder="–"
					value={typed}
					onChange={(event) =>
						onChange(cleanDecimal(event.currentTarget.value))
					}
				/>
				<Button aria-label={say("counts.more")} onClick={() => add(1)}>
					<Plus size={24} aria-hidden />
				</Button>
			</div>
			<div className="look-steps">
				{packs
					.filter(({ isActive }) => isActive)
					.map(({ id, name, size }) => (
						<Button key={id} size="s" onClick={() => add(size)}>
							{`+ 1 ${name} (${format.quantity(size)})`}
						</Button>
					))}
				{steps.map((step) => (
					<Button key={step} size="s" onClick={() => add(step)}>
						{`+ ${step}`}
					</Button>
				))}
			</div>
			<Keypad
				value={typed}
				digits={keys}
				onChange={(value) => onChange(cleanDecimal(value))}
			/>
			<Button
				type="submit"
				kind="ink"
				size="l"
				isWide
				isBusy={isBusy}
				disabled={counted === undefined}
			>
				{say("counts.next")} <kbd aria-hidden>Enter</kbd>
			</Button>
		</form>
	);
}
