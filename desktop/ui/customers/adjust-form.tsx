import { type FormEvent, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { Customer } from "../../../sync/entities/customer.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const directions = ["more", "less"] as const;

/** Sets right what a customer owes where no money moves: an old debt, or one that is forgiven. */
export function AdjustForm({
	customer: { id: customerId },
	onDone,
}: {
	customer: Customer;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const [direction, setDirection] =
		useState<(typeof directions)[number]>("more");
	const [typed, setTyped] = useState("");
	const [reason, setReason] = useState("");
	const { attempt, problem, isBusy } = useAttempt();
	/** A retry corrects under the same id. */
	const id = useRef(newId());
	const by = decimalOf(typed) ?? 0;

	async function adjust(event: FormEvent): Promise<void> {
		event.preventDefault();
		const amount = direction === "more" ? by : -by;
		const args = { id: id.current, customerId, amount, reason: reason.trim() };
		const isDone = await attempt(() =>
			shop.mutate("payment.adjust", args, { id: id.current }),
		);
		if (isDone) onDone();
	}

	return (
		<form className="column-flex" onSubmit={adjust}>
			{problem}
			<Chips
				label={say("customers.adjust")}
				value={direction}
				onChange={(chosen) => setDirection(chosen)}
				choices={directions.map((value) => ({
					value,
					label: say(`customers.${value}`),
				}))}
			/>
			<DecimalField
				label={say("pay.amount")}
				isLarge
				value={typed}
				onChange={setTyped}
				data-autofocus
			/>
			<TextField
				label={say("customers.reason")}
				value={reason}
				maxLength={500}
				onChange={setReason}
			/>
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={by <= 0 || reason.trim() === ""}
				>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}
