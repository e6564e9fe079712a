import { type FormEvent, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** Opens a shift with the cash that somebody has counted into the drawer. */
export function OpenForm({ onDone }: { onDone(): void }) {
	const { say } = useWords();
	const { shop } = useShop();
	const [typed, setTyped] = useState("");
	const { attempt, problem, isBusy } = useAttempt();
	/** A retry opens the same one. */
	const id = useRef(newId());
	const openingFloat = decimalOf(typed);

	async function open(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (openingFloat === undefined) return;
		const args = { id: id.current, openingFloat };
		const isDone = await attempt(() =>
			shop.mutate("shift.open", args, { id: id.current }),
		);
		if (isDone) onDone();
	}

	return (
		<form className="column-flex" onSubmit={open}>
			{problem}
			<DecimalField
				label={say("shifts.float")}
				isLarge
				value={typed}
				onChange={setTyped}
				data-autofocus
			/>
			<p className="muted">{say("shifts.floatHint")}</p>
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={openingFloat === undefined}
				>
					{say("shifts.open")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</div>
		</form>
	);
}
