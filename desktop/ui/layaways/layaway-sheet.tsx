import { type FormEvent, useMemo, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { Customer } from "../../../sync/entities/customer.ts";
import type { Layaway } from "../../../sync/entities/layaway.ts";
import { plus } from "../../../sync/entities/money.ts";
import { toDepositSlip } from "../../../sync/receipts/deposit-document.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { messageOf } from "../components/error-message.ts";
import { TextField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Money } from "../components/money.tsx";
import { Sheet } from "../components/sheet.tsx";
import { CollectForm } from "../customers/collect-form.tsx";
import { useFormat } from "../format.ts";
import { PrintedView } from "../receipts/printed-view.tsx";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { Payment } from "../till/payment.tsx";
import { SaleDone } from "../till/receipt.tsx";
import {
	type CompletedSale,
	handOver,
	type SalePayment,
} from "../till/sale.ts";
import { cashUnitOf } from "../till/tender.ts";
import { useWords } from "../words/index.ts";
import { Progress } from "./progress.tsx";
import "../customers/customers.css";

type Part = "goods" | "deposit" | "handOver" | "slip" | "cancel" | "payout";

interface Kept {
	layaway: Layaway;
	customer: Customer;
}

/** Goods kept for a customer: what was paid, and what can be done with them. */
export function LayawaySheet({
	id,
	firstPart = "goods",
	onClose,
}: {
	id: string;
	firstPart?: Part;
	onClose(): void;
}) {
	const { say } = useWords();
	const [part, setPart] = useState<Part>(firstPart);
	const [made, setMade] = useState<CompletedSale>();
	const { data: layaway, error } = useAnswer("layaway.get", { id });
	const customerId = layaway?.customerId ?? "";
	const customer = useAnswer(
		"customer.get",
		{ id: customerId },
		{ enabled: layaway !== undefined },
	);
	const back = () => setPart("goods");
	const kept = layaway && customer.data && { layaway, customer: customer.data };
	return (
		<Sheet
			title={
				made
					? say("pay.done")
					: (layaway?.customerName ?? say("layaways.title"))
			}
			mayCloseByTap={part === "goods" || part === "slip"}
			onClose={made || part === "goods" ? onClose : back}
		>
			<LoadError error={error ?? customer.error} />
			{made && <SaleDone sale={made} onNext={onClose} />}
			{!made && layaway && part === "goods" && (
				<Goods layaway={layaway} customer={customer.data} onPart={setPart} />
			)}
			{!made && kept && (part === "deposit" || part === "payout") && (
				<CollectForm
					{...kept}
					isPayout={part === "payout"}
					onDone={() => setPart("slip")}
				/>
			)}
			{!made && kept && part === "handOver" && (
				<HandOver {...kept} onMade={setMade} />
			)}
			{!made && part === "slip" && (
				<Slip id={id} phone={customer.data?.phone ?? null} />
			)}
			{part === "cancel" && <Cancel id={id} onDone={back} />}
		</Sheet>
	);
}

const leftOf = ({ total, deposited }: Layaway) =>
	Math.max(plus(total, -deposited), 0);

function Goods({
	layaway,
	customer,
	onPart,
}: {
	layaway: Layaway;
	/** Undefined of a customer who was removed. */
	customer: Customer | undefined;
	onPart(part: Part): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { items, state, deposited } = layaway;
	const isOpen = state === "open";
	return (
		<div className="column-flex">
			<Progress layaway={layaway} />
			<ul className="customer-entries">
				{items.map(({ id, name, packName, unit, quantity, price }) => (
					<li key={id}>
						<span className="grow">
							{format.quantity(quantity)} {!packName && unit} ×{" "}
							{[packName, name].filter(Boolean).join(" ")}
						</span>
						<span className="figure">{format.figure(price)}</span>
					</li>
				))}
			</ul>
			{isOpen && (
				<div className="pay-change">
					{say("layaways.left")}
					<Money value={leftOf(layaway)} size="total" testId="left" />
				</div>
			)}
			<div className="customer-actions">
				{isOpen && (
					<>
						<Button kind="ink" onClick={() => onPart("deposit")} data-autofocus>
							{say("layaways.deposit")}
						</Button>
						<Button onClick={() => onPart("handOver")}>
							{say("layaways.handOver")}
						</Button>
					</>
				)}
				<Button onClick={() => onPart("slip")}>{say("layaways.slip")}</Button>
				{isOpen && (
					<Button onClick={() => onPart("cancel")}>
						{say("layaways.cancel")}
					</Button>
				)}
				{state === "cancelled" &&
					deposited > 0 &&
					customer &&
					customer.balance < 0 && (
						<Button onClick={() => onPart("payout")}>
							{say("layaways.payout")}
						</Button>
					)}
			</div>
		</div>
	);
}

/** Sells the goods: takes what the deposits leave to pay. */
function HandOver({
	layaway,
	customer,
	onMade,
}: Kept & { onMade(sale: CompletedSale): void }) {
	const { say } = useWords();
	const { shop } = useShop();
	const business = useBusiness();
	const { attempt, problem: failure, isBusy } = useAttempt();
	const [problem, setProblem] = useState<string>();
	// A retry sells under the same id.
	const { current: id } = useRef(newId());
	const left = leftOf(layaway);

	async function sell(payment: SalePayment): Promise<void> {
		onMade(await handOver(shop, id, layaway, { ...payment, customer }, left));
	}

	if (left > 0)
		return (
			<Payment
				total={left}
				cashUnit={cashUnitOf(business ?? { currency: "KES" })}
				firstMethod="CASH"
				unpriced={[]}
				problem={problem}
				buyer={customer}
				onPaid={(payment) =>
					sell(payment).catch((error) => setProblem(messageOf(error)))
				}
				onClose={() => {}}
			/>
		);
	return (
		<div className="column-flex">
			{failure}
			<div className="sheet-foot">
				<Button
					kind="pay"
					size="l"
					isBusy={isBusy}
					data-autofocus
					onClick={() => attempt(() => sell({ tenders: [], rounding: 0 }))}
				>
					{say("layaways.handOver")}
				</Button>
			</div>
		</div>
	);
}

/** What the customer gets for the deposits, as it is printed and sent. */
function Slip({ id, phone }: { id: string; phone: string | null }) {
	const { language } = useWords();
	const { data, error } = useAnswer("layaway.slip", { id });
	const slip = useMemo(
		() =>
			data &&
			toDepositSlip(data, receiptLanguageOf(data.business.language, language)),
		[data, language],
	);
	return <PrintedView receipt={slip} phone={phone} error={error} />;
}

function Cancel({ id, onDone }: { id: string; onDone(): void }) {
	const { say } = useWords();
	const { shop } = useShop();
	const [reason, setReason] = useState("");
	const { attempt, problem, isBusy } = useAttempt();

	async function cancel(event: FormEvent): Promise<void> {
		event.preventDefault();
		const args = { id, reason: reason.trim() };
		if (await attempt(() => shop.mutate("layaway.cancel", args))) onDone();
	}

	return (
		<form className="column-flex" onSubmit={cancel}>
			{problem}
			<p className="muted customer-facts">{say("layaways.cancelAsked")}</p>
			<TextField
				label={say("customers.reason")}
				value={reason}
				maxLength={500}
				onChange={setReason}
				data-autofocus
			/>
			<div className="sheet-foot">
				<Button
					type="submit"
					isDanger
					size="l"
					isBusy={isBusy}
					disabled={reason.trim() === ""}
				>
					{say("layaways.cancel")}
				</Button>
			</div>
		</form>
	);
}
