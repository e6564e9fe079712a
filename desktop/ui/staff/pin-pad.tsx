import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Cashier, PinCheck } from "../../../sync/protocol/till-api.ts";
import { messageOf } from "../components/error-message.ts";
import { Keypad } from "../components/keypad.tsx";
import { scanGapMaxMs } from "../scanner/scan-burst.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const pinLength = 4;
const places = Array.from({ length: pinLength }, (_, i) => i);
const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** Takes a person's PIN by keys or touch, and checks it at the fourth digit. */
export function PinPad({
	person,
	onRight,
}: {
	person: Cashier;
	onRight(person: Cashier): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const [pin, setPin] = useState("");
	const [problem, setProblem] = useState("");
	const [isChecking, setChecking] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	/** A closed sheet switches to nobody any more. */
	const isOpen = useRef(true);
	useLayoutEffect(() => {
		isOpen.current = true;
		// Before the next key: it may be the first digit.
		field.current?.focus();
		return () => {
			isOpen.current = false;
		};
	}, []);

	// biome-ignore lint/correctness/useExhaustiveDependencies: checks what was typed last.
	useEffect(() => {
		if (pin.length < pinLength || isChecking) return;
		// A scanner goes on within this time: a code is no PIN.
		const timer = setTimeout(() => {
			if (pin.length === pinLength) void check();
			else setPin("");
		}, scanGapMaxMs);
		return () => clearTimeout(timer);
	}, [pin]);

	function type(typed: string): void {
		if (isChecking) return;
		setProblem("");
		setPin(typed.replace(/\D/g, ""));
	}

	async function check(): Promise<void> {
		setChecking(true);
		try {
			const outcome = await shop.checkPin(person.id, pin);
			if (!isOpen.current) return;
			if (outcome.outcome === "right") return onRight(outcome.cashier);
			setProblem(wordsOf(outcome));
		} catch (error) {
			setProblem(messageOf(error));
		}
		setPin("");
		setChecking(false);
	}

	function wordsOf(outcome: Exclude<PinCheck, { outcome: "right" }>): string {
		const { name } = person;
		if (outcome.outcome === "wrong")
			return say("staff.wrong", { name, count: outcome.triesLeft });
		const { seconds } = outcome;
		return seconds < 60
			? say("staff.waitSeconds", { count: seconds })
			: say("staff.waitMinutes", { count: Math.ceil(seconds / 60) });
	}

	return (
		<div className="pin">
			<label className="pin-field" aria-busy={isChecking}>
				<span className="strong">
					{say("staff.pinOf", { name: person.name })}
				</span>
				<span className="pin-dots" aria-hidden>
					{places.map((place) => (
						<span key={place} data-typed={place < pin.length} />
					))}
				</span>
				<input
					ref={field}
					// A touch screen has the keys below.
					inputMode="none"
					autoComplete="off"
					value={pin}
					onChange={(event) => type(event.currentTarget.value)}
				/>
			</label>
			<p className="pin-problem" role="alert">
				{problem}
			</p>
			<Keypad value={pin} onChange={type} digits={digits} />
		</div>
	);
}
