import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Cashier, WrongPin } from "../../../sync/protocol/till-api.ts";
import { messageOf } from "../components/error-message.ts";
import { Keypad } from "../components/keypad.tsx";
import { scanGapMaxMs } from "../scanner/scan-burst.ts";
import { useWords } from "../words/index.ts";

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** Takes a person's PIN by keys or touch, and checks it at the fourth digit. */
export function PinPad<Right extends { outcome: "right" }>({
	person,
	check,
	onRight,
}: {
	person: Cashier;
	check(pin: string): Promise<WrongPin | Right>;
	onRight(right: Right): void;
}) {
	const { say } = useWords();
	const pinLength = person.digits;
	const places = Array.from({ length: pinLength }, (_, i) => i);
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
			if (pin.length === pinLength) void tryIt();
			else setPin("");
		}, scanGapMaxMs);
		return () => clearTimeout(timer);
	}, [pin]);

	function type(typed: string): void {
		if (isChecking) return;
		setProblem("");
		setPin(typed.replace(/\D/g, ""));
	}

	async function tryIt(): Promise<void> {
		setChecking(true);
		try {
			const tried = await check(pin);
			if (!isOpen.current) return;
			if (tried.outcome === "right") return onRight(tried as Right);
			setProblem(wordsOf(tried as WrongPin));
		} catch (error) {
			setProblem(messageOf(error));
		}
		setPin("");
		setChecking(false);
	}

	function wordsOf(tried: WrongPin): string {
		const { name } = person;
		if (tried.outcome === "wrong")
			return say("staff.wrong", { name, count: tried.triesLeft });
		const { seconds } = tried;
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
					data-autofocus
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
