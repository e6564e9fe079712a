import { type FormEvent, useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { useFact } from "../shop/use-fact.ts";
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
	const [direction, setDirection] =
		useState<(typeof directions)[number]>("more");
	const [typed, setTyped] = useState("");
	const [reason, setReason] = useState("");
	const { record, problem, isBusy } = useFact(onDone);
	const by = decimalOf(typed) ?? 0;

	async function adjust(event: FormEvent): Promise<void> {
		event.preventDefault();
		const amount = direction === "more" ? by : -by;
		await record("payment.adjust", {
			...{ customerId, amount, reason: reason.trim() },
		});
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
