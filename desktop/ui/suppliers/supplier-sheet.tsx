import { useState } from "react";
import type { Supplier } from "../../../sync/entities/supplier.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Balance } from "../customers/balance.tsx";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { PayForm } from "./pay-form.tsx";
import { SupplierForm } from "./supplier-form.tsx";

type Part = "account" | "pay" | "edit";

const kinds = {
	delivery: "suppliers.received",
	return: "suppliers.sentBack",
	payment: "suppliers.payment",
} as const;

/** A supplier: what the shop owes them, how it came about, and the forms that change it. */
export function SupplierSheet({
	id,
	onClose,
}: {
	id: string;
	onClose(): void;
}) {
	const { say } = useWords();
	const [part, setPart] = useState<Part>("account");
	const { data: supplier, error } = useAnswer("supplier.get", { id });
	const back = () => setPart("account");
	return (
		<Sheet
			title={supplier?.name ?? say("suppliers.supplier")}
			aside={supplier && <Balance of="suppliers" balance={supplier.balance} />}
			mayCloseByTap={part === "account"}
			onClose={part === "account" ? onClose : back}
		>
			<LoadError error={error} />
			{supplier && part === "account" && (
				<Account supplier={supplier} onPart={setPart} />
			)}
			{supplier && part === "pay" && (
				<PayForm supplier={supplier} onDone={back} />
			)}
			{supplier && part === "edit" && (
				<SupplierForm supplier={supplier} onDone={back} onRemoved={onClose} />
			)}
		</Sheet>
	);
}

function Account({
	supplier: { id, phone, note },
	onPart,
}: {
	supplier: Supplier;
	onPart(part: Part): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const list = useRows("supplier.entries", { supplierId: id });
	return (
		<div className="column-flex">
			<p className="muted customer-facts">
				{[phone, note].filter(Boolean).join(" · ")}
			</p>
			<div className="customer-actions">
				<Button kind="ink" onClick={() => onPart("pay")} data-autofocus>
					{say("suppliers.pay")}
				</Button>
				<Button onClick={() => onPart("edit")}>{say("suppliers.edit")}</Button>
			</div>
			<LoadError error={list.error} />
			{list.rows.length > 0 && (
				<h3 className="muted">{say("suppliers.history")}</h3>
			)}
			<ul className="customer-entries">
				{list.rows.map((entry) => (
					<li key={entry.id}>
						<span className="grow picker-name">
							<span>
								{[say(kinds[entry.kind]), entry.method && nameOf(entry.method)]
									.filter(Boolean)
									.join(" · ")}
							</span>
							<span className="muted text-s">
								{[format.moment(entry.createdAt), entry.note]
									.filter(Boolean)
									.join(" · ")}
							</span>
						</span>
						<span className="figure strong">{format.figure(entry.amount)}</span>
					</li>
				))}
			</ul>
			<MoreButton list={list} />
		</div>
	);
}
