import { type FormEvent, useState } from "react";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { useFact } from "../shop/use-fact.ts";
import { useWords } from "../words/index.ts";

/** Opens a shift with the cash that somebody has counted into the drawer. */
export function OpenForm({ onDone }: { onDone(): void }) {
	const { say } = useWords();
	const [typed, setTyped] = useState("");
	const { record, problem, isBusy } = useFact(onDone);
	const openingFloat = decimalOf(typed);

	async function open(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (openingFloat !== undefined)
			await record("shift.open", { openingFloat });
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
