import { type FormEvent, useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import type { Layaway } from "../../../sync/entities/layaway.ts";
import { plus } from "../../../sync/entities/money.ts";
import { codeOf } from "../../../sync/statements/mpesa-code.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { tryDrawer } from "../receipts/print.ts";
import { useFact } from "../shop/use-fact.ts";
import { type Method, methods } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import "../till/payment.css";

/** Takes what a customer pays of what they owe or towards goods that are kept for them, or pays out what is theirs. */
export function CollectForm({
	customer: { id: customerId, balance },
	layaway,
	isPayout = false,
	onDone,
}: {
	customer: Customer;
	layaway?: Layaway;
	isPayout?: boolean;
	onDone(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [typed, setTyped] = useState("");
	const [method, setMethod] = useState<Method>("CASH");
	const [reference, setReference] = useState("");
	const { record, problem, isBusy } = useFact(onDone);
	const theirs = Math.max(-balance, 0);
	const owed = isPayout
		? Math.min(theirs, layaway?.deposited ?? theirs)
		: Math.max(layaway ? plus(layaway.total, -layaway.deposited) : balance, 0);
	const amount = typed === "" ? owed : (decimalOf(typed) ?? 0);
	/** What the customer gave beyond the debt. */
	const left = layaway || isPayout ? 0 : plus(amount, -balance);
	const code = method === "CASH" ? "" : codeOf(reference);

	async function take(event: FormEvent): Promise<void> {
		event.preventDefault();
		const tender = { method, amount, ...(code && { code }) };
		await record(
			isPayout ? "payment.payout" : "payment.collect",
			{
				...{ customerId, tenders: [tender] },
				...(layaway && { layawayId: layaway.id }),
			},
			method === "CASH" ? tryDrawer : undefined,
		);
	}

	return (
		<form className="column-flex" onSubmit={take}>
			{problem}
			<DecimalField
				label={say("pay.amount")}
				isLarge
				value={typed}
				onChange={setTyped}
				placeholder={owed > 0 ? format.quantity(owed) : ""}
				data-autofocus
			/>
			<Chips
				label={say("pay.title")}
				value={method}
				onChange={(chosen) => setMethod(chosen)}
				choices={methods.map((value) => ({
					value,
					label: say(`pay.${value}`),
				}))}
			/>
			{method !== "CASH" && (
				<TextField
					label={say(method === "MPESA" ? "pay.code" : "pay.reference")}
					value={reference}
					maxLength={60}
					onChange={setReference}
				/>
			)}
			{amount > 0 && left > 0 && (
				<div className="pay-change" role="status">
					{say("customers.creditLeft")}
					<Money value={left} size="total" testId="credit-left" />
				</div>
			)}
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="pay"
					size="l"
					isBusy={isBusy}
					disabled={amount <= 0 || (isPayout && amount > theirs)}
				>
					{say(
						isPayout
							? "layaways.payout"
							: layaway
								? "layaways.deposit"
								: "customers.collect",
					)}
				</Button>
			</div>
		</form>
	);
}
