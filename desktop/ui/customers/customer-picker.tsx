import { UserPlus, X } from "lucide-react";
import { useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { Customer } from "../../../sync/entities/customer.ts";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { CustomerChoice } from "./customer-choice.tsx";
import { SamePhone } from "./same-phone.tsx";
import "./customers.css";

/** Finds the customer who buys on credit, or for whom goods are kept, or writes down a new one by name and phone. */
export function CustomerPicker({
	chosen,
	label,
	lent,
	onChoose,
}: {
	chosen: Customer | undefined;
	label?: string;
	/** What they are to owe more. Undefined if nothing is lent. */
	lent?: number;
	onChoose(customer: Customer | undefined): void;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState("");
	if (chosen)
		return (
			<Chosen
				customer={chosen}
				{...(lent !== undefined && { lent })}
				onBack={() => onChoose(undefined)}
			/>
		);
	return (
		<div className="column-flex picker">
			<CustomerChoice
				label={label ?? say("customers.who")}
				typed={typed}
				onType={setTyped}
				onChoose={onChoose}
			/>
			{typed.trim() !== "" && (
				<NewCustomer name={typed.trim()} onMade={onChoose} />
			)}
		</div>
	);
}

/** The chosen customer, and what they will owe or what is left of their credit. */
function Chosen({
	customer: { name, phone, balance, creditLimit },
	lent,
	onBack,
}: {
	customer: Customer;
	lent?: number;
	onBack(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const after = toDecimal(toMicros(balance) + toMicros(lent ?? 0));
	const isOver = creditLimit !== null && after > creditLimit;
	const isLeft = after < 0;
	return (
		<div className="column-flex">
			<div className="picker-chosen">
				<span className="grow picker-name">
					<b>{name}</b>
					<span className="muted text-s">{phone}</span>
				</span>
				<IconButton label={say("customers.another")} onClick={onBack}>
					<X size={18} aria-hidden />
				</IconButton>
			</div>
			{lent !== undefined && (
				<div className={isOver ? "pay-change pay-short" : "pay-change"}>
					{say(isLeft ? "customers.creditLeft" : "customers.willOwe")}
					<Money
						value={Math.abs(after)}
						size="total"
						testId={isLeft ? "credit-left" : "will-owe"}
					/>
				</div>
			)}
			{lent !== undefined && isOver && (
				<p className="pay-question" role="status">
					{say("customers.overLimit", { limit: format.money(creditLimit) })}
				</p>
			)}
		</div>
	);
}

function NewCustomer({
	name,
	onMade,
}: {
	name: string;
	onMade(customer: Customer): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const [phone, setPhone] = useState("");
	const { attempt, problem, isBusy } = useAttempt();
	const asked = useRef({ what: "", id: "" });

	async function add(): Promise<void> {
		const fields = { name, phone: phone.trim() || null };
		// Who is added again after a lost answer is one customer.
		const what = JSON.stringify(fields);
		if (asked.current.what !== what) asked.current = { what, id: newId() };
		const { id } = asked.current;
		await attempt(async () => {
			await shop.mutate("customer.create", { id, ...fields }, { id });
			onMade(await shop.ask("customer.get", { id }));
		});
	}

	return (
		<div className="column-flex">
			{problem}
			<div className="picker-new">
				<TextField
					label={say("customers.phone")}
					type="tel"
					value={phone}
					maxLength={40}
					onChange={setPhone}
				/>
				<Button isBusy={isBusy} onClick={add}>
					<UserPlus size={18} aria-hidden />
					{say("customers.addNamed", { name })}
				</Button>
			</div>
			<SamePhone phone={phone} onChoose={onMade} />
		</div>
	);
}
