import { useState } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import type { AccountPayment } from "../../../sync/queries/customer.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { LayawayList } from "../layaways/layaway-list.tsx";
import { useMethodName } from "../sales/method-name.ts";
import { useMayManage } from "../session.tsx";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { AdjustForm } from "./adjust-form.tsx";
import { Balance } from "./balance.tsx";
import { CollectForm } from "./collect-form.tsx";
import { CustomerForm } from "./customer-form.tsx";
import { MergeForm } from "./merge-form.tsx";
import { StatementView } from "./statement-view.tsx";

type Part =
	| "account"
	| "collect"
	| "payout"
	| "statement"
	| "adjust"
	| "edit"
	| "merge";

/** A customer: what they owe, how it came about, and the forms that change it. */
export function CustomerSheet({
	id,
	onClose,
}: {
	id: string;
	onClose(): void;
}) {
	const { say } = useWords();
	const [part, setPart] = useState<Part>("account");
	const { data: customer, error } = useAnswer("customer.get", { id });
	const back = () => setPart("account");
	return (
		<Sheet
			title={customer?.name ?? say("customers.title")}
			aside={customer && <Balance balance={customer.balance} />}
			mayCloseByTap={part === "account" || part === "statement"}
			onClose={part === "account" ? onClose : back}
		>
			<LoadError error={error} />
			{customer && part === "account" && (
				<Account customer={customer} onPart={setPart} />
			)}
			{customer && (part === "collect" || part === "payout") && (
				<CollectForm
					customer={customer}
					isPayout={part === "payout"}
					onDone={back}
				/>
			)}
			{customer && part === "statement" && (
				<StatementView customer={customer} />
			)}
			{customer && part === "adjust" && (
				<AdjustForm customer={customer} onDone={back} />
			)}
			{customer && part === "merge" && (
				<MergeForm customer={customer} onDone={back} />
			)}
			{customer && part === "edit" && (
				<CustomerForm customer={customer} onDone={back} onRemoved={onClose} />
			)}
		</Sheet>
	);
}

function Account({
	customer,
	onPart,
}: {
	customer: Customer;
	onPart(part: Part): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const mayManage = useMayManage();
	const list = useRows("customer.payments", { customerId: customer.id });
	const { phone, note, creditLimit, erasedAt } = customer;
	return (
		<div className="column-flex">
			<p className="muted customer-facts">
				{[
					phone,
					note,
					creditLimit !== null &&
						`${say("customers.limit")}: ${format.money(creditLimit)}`,
					erasedAt && say("customers.erased", { at: format.moment(erasedAt) }),
				]
					.filter(Boolean)
					.join(" · ")}
			</p>
			<div className="customer-actions">
				<Button kind="ink" onClick={() => onPart("collect")} data-autofocus>
					{say("customers.collect")}
				</Button>
				{customer.balance < 0 && (
					<Button onClick={() => onPart("payout")}>
						{say("layaways.payout")}
					</Button>
				)}
				<Button onClick={() => onPart("statement")}>
					{say("customers.statement")}
				</Button>
				<Button onClick={() => onPart("edit")}>{say("customers.edit")}</Button>
				{mayManage && (
					<>
						<Button onClick={() => onPart("adjust")}>
							{say("customers.adjust")}
						</Button>
						<Button onClick={() => onPart("merge")}>
							{say("customers.mergeWith")}
						</Button>
					</>
				)}
			</div>
			<LayawayList customerId={customer.id} />
			<LoadError error={list.error} />
			{list.rows.length > 0 && (
				<h3 className="muted">{say("customers.entries")}</h3>
			)}
			<ul className="customer-entries">
				{list.rows.map((entry) => (
					<Entry key={entry.id} entry={entry} />
				))}
			</ul>
			<MoreButton list={list} />
		</div>
	);
}

/** One amount: what was lent or given, when and how. */
function Entry({
	entry: { kind, method, amount, code, reason, createdAt },
}: {
	entry: AccountPayment;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const isPaidOut =
		kind === "collection" && (method === "CREDIT" ? amount > 0 : amount < 0);
	return (
		<li>
			<span className="grow picker-name">
				<span>
					{[
						isPaidOut
							? say("customers.paidOut")
							: say(`customers.kind.${kind}`),
						method === "CREDIT" ? say("customers.debt") : nameOf(method),
						code,
					]
						.filter(Boolean)
						.join(" · ")}
				</span>
				<span className="muted text-s">
					{[format.moment(createdAt), reason].filter(Boolean).join(" · ")}
				</span>
			</span>
			<span className={method === "CREDIT" ? "figure strong" : "figure muted"}>
				{format.figure(amount)}
			</span>
		</li>
	);
}
