import { useDebouncedValue } from "@mantine/hooks";
import { UserPlus, X } from "lucide-react";
import { useState } from "react";
import { v7 as newId } from "uuid";
import type { Customer } from "../../../sync/entities/customer.ts";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { Balance } from "./balance.tsx";
import "./customers.css";

/** Finds the customer who buys on credit, or writes down a new one by name and phone. */
export function CustomerPicker({
	chosen,
	lent,
	onChoose,
}: {
	chosen: Customer | undefined;
	/** What they are to owe more. */
	lent: number;
	onChoose(customer: Customer | undefined): void;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState("");
	const [search] = useDebouncedValue(typed.trim(), 120);
	const { rows } = useRows("customer.list", search === "" ? {} : { search });
	if (chosen)
		return (
			<Chosen
				customer={chosen}
				lent={lent}
				onBack={() => onChoose(undefined)}
			/>
		);
	return (
		<div className="column-flex picker">
			<TextField
				label={say("customers.who")}
				isLarge
				value={typed}
				maxLength={200}
				onChange={setTyped}
				// Enter chooses the first.
				onKeyDown={(event) => {
					if (event.key !== "Enter") return;
					event.preventDefault();
					if (search === typed.trim() && rows[0]) onChoose(rows[0]);
				}}
				autoFocus
				data-autofocus
			/>
			<div className="picker-list">
				{rows.slice(0, 6).map((customer) => (
					<Button key={customer.id} isWide onClick={() => onChoose(customer)}>
						<span className="grow picker-name">
							<b>{customer.name}</b>
							<span className="muted text-s">{customer.phone}</span>
						</span>
						<Balance balance={customer.balance} />
					</Button>
				))}
			</div>
			{typed.trim() !== "" && (
				<NewCustomer name={typed.trim()} onMade={onChoose} />
			)}
		</div>
	);
}

/** The chosen customer, and what they will owe. */
function Chosen({
	customer: { name, phone, balance, creditLimit },
	lent,
	onBack,
}: {
	customer: Customer;
	lent: number;
	onBack(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const after = toDecimal(toMicros(balance) + toMicros(lent));
	const isOver = creditLimit !== null && after > creditLimit;
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
			<div className={isOver ? "pay-change pay-short" : "pay-change"}>
				{say("customers.willOwe")}
				<Money value={after} size="total" testId="will-owe" />
			</div>
			{isOver && (
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

	async function add(): Promise<void> {
		const id = newId();
		await attempt(async () => {
			const fields = { id, name, phone: phone.trim() || null };
			await shop.mutate("customer.create", fields);
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
		</div>
	);
}
