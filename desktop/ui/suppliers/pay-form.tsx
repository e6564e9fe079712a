import { type FormEvent, useState } from "react";
import type { Supplier } from "../../../sync/entities/supplier.ts";
import { codeOf } from "../../../sync/statements/mpesa-code.ts";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { useFormat } from "../format.ts";
import { tryDrawer } from "../receipts/print.ts";
import { useFact } from "../shop/use-fact.ts";
import { useWords } from "../words/index.ts";
import { MethodChips, type SupplierMethod } from "./method-chips.tsx";

/** Pays what the shop owes a supplier, or a part of it, or in advance. */
export function PayForm({
	supplier: { id: supplierId, balance },
	onDone,
}: {
	supplier: Supplier;
	onDone(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [typed, setTyped] = useState("");
	const [method, setMethod] = useState<SupplierMethod>("CASH");
	const [reference, setReference] = useState("");
	const { record, problem, isBusy } = useFact(onDone);
	const owed = Math.max(balance, 0);
	const amount = typed === "" ? owed : (decimalOf(typed) ?? 0);
	const code = method === "CASH" ? "" : codeOf(reference);

	async function pay(event: FormEvent): Promise<void> {
		event.preventDefault();
		await record(
			"payment.remit",
			{ supplierId, tenders: [{ method, amount, ...(code && { code }) }] },
			method === "CASH" ? tryDrawer : undefined,
		);
	}

	return (
		<form className="column-flex" onSubmit={pay}>
			{problem}
			<DecimalField
				label={say("pay.amount")}
				isLarge
				value={typed}
				onChange={setTyped}
				placeholder={owed > 0 ? format.quantity(owed) : ""}
				data-autofocus
			/>
			<MethodChips value={method} onChange={setMethod} />
			{method !== "CASH" && (
				<TextField
					label={say(method === "MPESA" ? "pay.code" : "pay.reference")}
					value={reference}
					maxLength={60}
					onChange={setReference}
				/>
			)}
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={amount <= 0}
				>
					{say("suppliers.pay")}
				</Button>
			</div>
		</form>
	);
}
