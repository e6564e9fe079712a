import { useForm } from "@mantine/form";
import { Minus, Plus } from "lucide-react";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import {
	plus,
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { Sale } from "../../../sync/entities/sale.ts";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";
import { useDraft } from "../components/draft.ts";
import { TextField } from "../components/field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Money } from "../components/money.tsx";
import { Tag } from "../components/tag.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useFormat } from "../format.ts";
import { DeliveryStatus } from "../receipts/delivery-status.tsx";
import { openReceipt } from "../receipts/open-receipt.ts";
import { printReceipt, tryDrawer } from "../receipts/print.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { makeAndSend } from "../shop/send.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { type Method, methods } from "../till/sale.ts";
import { cashDue, cashUnitOf } from "../till/tender.ts";
import { useWords } from "../words/index.ts";
import { cashBack } from "./cash-back.ts";
import { useMethodName } from "./method-name.ts";
import "../components/chips.css";
import "./sale-detail.css";
import "../components/stepper.css";

/** What was asked for last, and not made. */
interface Asked {
	what: string;
	id: string;
	tenders?: { method: string; amount: number }[];
}
const nothing: Asked = { what: "", id: "" };

const reasons = ["Returned", "Damaged", "Mistake"] as const;

/** Chooses one more of a scanned product to take back. @returns false if the sale has none left */
export type ChooseProduct = (productId: string) => boolean;

/** A sale with its refunds, and the forms to refund or void it. */
export function SaleDetail({
	sale,
	chooseRef,
}: {
	sale: Sale;
	chooseRef?: Ref<ChooseProduct>;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: {
			reason: "",
			restock: true,
			/** The quantity to refund of each line, by line id. */
			back: {} as Record<string, string>,
			/** How the money is given back. Null is as it was paid. */
			by: null as Method | null,
		},
	});
	const send = useDraft(`sale ${sale.id}`, form);
	const { reason, restock, back, by } = form.values;
	const { data: receipt, error } = useAnswer("receipt.get", {
		id: sale.id,
	});
	const isOpen =
		receipt?.status === "sold" || receipt?.status === "partly refunded";
	const chosen = Object.entries(back).flatMap(([itemId, typed]) => {
		const quantity = decimalOf(typed) ?? 0;
		return quantity > 0 ? [{ itemId, quantity }] : [];
	});
	const business = useBusiness();
	const unit = cashUnitOf(business ?? { currency: format.currency });
	const isCashBack = (by ?? ownMethodOf(sale)) === "CASH";
	/** How much money goes back for goods of an amount. */
	const backOf = (amount: number) => {
		if (!isCashBack) return amount;
		if (ownMethodOf(sale) !== "CASH") return cashDue(amount, unit);
		const before = receipt?.refunds.map(({ total }) => total) ?? [];
		return cashBack(sale, before, amount, unit);
	};
	const leftOf = (i: number) => leftToRefund(sale, receipt, i);
	const isTooMuch = sale.items.some(
		({ id }, i) => (decimalOf(back[id] ?? "") ?? 0) > leftOf(i),
	);

	useImperativeHandle(chooseRef, () => (productId) => {
		const { back } = form.getValues();
		const backOf = (id: string) => decimalOf(back[id] ?? "") ?? 0;
		const line = sale.items.find(
			(item, i) => item.productId === productId && backOf(item.id) < leftOf(i),
		);
		if (!isOpen || !line) return false;
		const left = leftOf(sale.items.indexOf(line));
		form.setFieldValue("back", {
			...back,
			[line.id]: String(Math.min(left, plus(backOf(line.id), 1))),
		});
		return true;
	});

	// Retries say the same under the same ids, so that a lost response never refunds twice.
	const asked = useRef<Asked>(nothing);
	const [madeId, setMade] = useState<string>();

	/** How the money goes back, if it isn't as it was paid: all at once in cash is what came in. */
	function tendersFor(amount: number): Pick<Asked, "tenders"> {
		const given = backOf(amount);
		const isSaid = by ?? (given !== amount && amount !== sale.total);
		const method = by ?? sale.paymentMethod;
		return isSaid && given > 0 ? { tenders: [{ method, amount: given }] } : {};
	}

	/** @throws if it was made, and only its answer was lost: then it is seen before anything else is taken back */
	async function assertNotMade({ id }: Asked): Promise<void> {
		const state = id === "" ? undefined : await shop.stateOf(id);
		if (state !== "pending" && state !== "acknowledged") return;
		form.reset();
		throw new Error(say("error.id_reused"));
	}

	async function takeBack(
		mutation: "sale.void" | "sale.refund",
		amount: number,
		more: { items?: object[] },
	): Promise<void> {
		const args = { saleId: sale.id, reason, restock, ...more };
		const what = JSON.stringify([mutation, args, by]);
		const before = asked.current.what === what ? nothing : asked.current;
		if (asked.current.what !== what)
			asked.current = { what, id: newId(), ...tendersFor(amount) };
		const { id, tenders } = asked.current;
		const items = more.items?.map((item, i) => ({ ...item, id: `${id} ${i}` }));
		const made = {
			...{ ...args, id, ...(items && { items }) },
			...(tenders && { tenders }),
		};
		const isDone = await send(() =>
			attempt(async () => {
				await assertNotMade(before);
				await makeAndSend(shop, mutation, made, id);
			}),
		);
		if (!isDone) return;
		asked.current = nothing;
		if (isCashBack) void tryDrawer();
		setMade(id);
		// It shows at once; don't clear what has been typed since for the next one.
		const typed = form.getValues();
		form.reset();
		if (typed.reason !== reason) form.setFieldValue("reason", typed.reason);
		const next = Object.entries(typed.back).filter(
			([itemId, quantity]) => quantity !== back[itemId],
		);
		form.setFieldValue("back", Object.fromEntries(next));
	}

	return (
		<div className="sale-detail">
			<div className="muted">
				{[format.moment(sale.createdAt), receipt?.cashier]
					.filter(Boolean)
					.join(" · ")}
			</div>
			<LoadError error={error} />
			{madeId && <DeliveryStatus mutationId={madeId} />}
			{receipt && receipt.status !== "sold" && (
				<div>
					<Tag tone={receipt.status === "voided" ? "danger" : "attention"}>
						{receipt.status === "voided"
							? say("sales.voided")
							: `${say("receipt.refunded")} ${format.money(receipt.refundedTotal)}`}
					</Tag>
				</div>
			)}
			<ul className="sale-lines">
				{sale.items.map((item, i) => {
					const refunded = receipt?.lines[i]?.refunded ?? 0;
					return (
						<li key={item.id}>
							<div className="grow">
								<div className="sale-line-name">{item.name}</div>
								<div className="text-s muted">
									{format.quantity(item.quantity)} ×{" "}
									{packText(item, format.quantity)} {format.figure(item.price)}
									{refunded > 0
										? ` · ${say("receipt.refunded")} ${format.quantity(refunded)}`
										: ""}
								</div>
							</div>
							{isOpen && leftOf(i) > 0 && (
								<BackStepper
									name={item.name}
									value={back[item.id] ?? "0"}
									max={leftOf(i)}
									onChange={(quantity) =>
										form.setFieldValue("back", {
											...back,
											[item.id]: quantity,
										})
									}
								/>
							)}
						</li>
					);
				})}
			</ul>
			<div className="sale-sum">
				<span className="strong">{say("receipt.total")}</span>
				<Money value={sale.total} />
			</div>
			{receipt?.taxes?.map(({ taxClass, taxRate, net, tax }) => (
				<div className="sale-sum text-s muted" key={`${taxClass} ${taxRate}`}>
					<span>
						{say("taxes.included", {
							taxClass,
							percent: say("taxes.percent", {
								rate: format.quantity(taxRate),
							}),
							net: format.figure(net),
						})}
					</span>
					<span className="figure">{format.figure(tax)}</span>
				</div>
			))}
			<Button
				disabled={!receipt}
				onClick={() =>
					attempt(() =>
						printReceipt(shop, sale.id, {
							otherwise: () => receipt && openReceipt(receipt),
						}),
					)
				}
			>
				{say("pay.print")}
			</Button>
			{problem}
			{isOpen && (
				<>
					<TextField
						{...form.getInputProps("reason")}
						value={reason}
						label={say("sales.reason")}
						maxLength={500}
					/>
					<fieldset className="chips" aria-label={say("sales.reasons")}>
						{reasons.map((one) => (
							<button
								key={one}
								type="button"
								className="chip"
								onClick={() =>
									form.setFieldValue("reason", say(`sales.reason${one}`))
								}
							>
								{say(`sales.reason${one}`)}
							</button>
						))}
					</fieldset>
					<Toggle
						label={say("sales.restock")}
						checked={form.values.restock}
						onChange={(isOn) => form.setFieldValue("restock", isOn)}
					/>
					{chosen.length > 0 && !isTooMuch && (
						<MoneyBack
							sale={sale}
							amount={backOf(amountOf(sale, chosen))}
							by={by}
						/>
					)}
					<Chips
						label={say("sales.backBy")}
						value={by}
						onChange={(method) => form.setFieldValue("by", method)}
						choices={[
							{ value: null, label: say("sales.backAsPaid") },
							...methods.map((value) => ({
								value,
								label: say(`pay.${value}`),
							})),
						]}
					/>
					<div className="sale-actions">
						<Button
							kind="ink"
							disabled={
								chosen.length === 0 || isTooMuch || reason.trim() === ""
							}
							isBusy={isBusy}
							onClick={() =>
								takeBack("sale.refund", amountOf(sale, chosen), {
									items: chosen,
								})
							}
						>
							{say("sales.refund")}
						</Button>
						<ConfirmButton
							isDanger
							disabled={reason.trim() === "" || isBusy}
							label={say("sales.void")}
							question={say("sales.voidSure")}
							onConfirm={() =>
								void takeBack(
									"sale.void",
									plus(sale.total, -(receipt?.refundedTotal ?? 0)),
									{},
								)
							}
						/>
					</div>
				</>
			)}
		</div>
	);
}

/** How many of a line can still be refunded. */
function leftToRefund(
	{ items }: Sale,
	receipt: Receipt | undefined,
	i: number,
): number {
	const refunded = receipt?.lines[i]?.refunded ?? 0;
	return toDecimal(toMicros(items[i]?.quantity ?? 0) - toMicros(refunded));
}

/** How many of a line come back: one tap for one of it. */
function BackStepper({
	name,
	value,
	max,
	onChange,
}: {
	name: string;
	value: string;
	max: number;
	onChange(value: string): void;
}) {
	const { say } = useWords();
	const quantity = decimalOf(value) ?? 0;
	const step = (by: number) => {
		onChange(String(Math.min(max, Math.max(0, plus(quantity, by)))));
	};
	return (
		<div className="stepper">
			<IconButton
				label={`${say("till.less")}: ${name}`}
				disabled={quantity <= 0}
				onClick={() => step(-1)}
			>
				<Minus size={18} aria-hidden />
			</IconButton>
			<input
				inputMode="decimal"
				autoComplete="off"
				aria-label={`${say("sales.refund")}: ${name}`}
				aria-invalid={quantity > max || undefined}
				value={value}
				onFocus={(event) => event.currentTarget.select()}
				onChange={(event) => onChange(cleanDecimal(event.currentTarget.value))}
			/>
			<IconButton
				label={`${say("till.more")}: ${name}`}
				disabled={quantity >= max}
				onClick={() => step(1)}
			>
				<Plus size={18} aria-hidden />
			</IconButton>
		</div>
	);
}

function amountOf(
	{ items }: Sale,
	chosen: readonly { itemId: string; quantity: number }[],
): number {
	const lines = chosen.map(({ itemId, quantity }) => ({
		price: toMicros(items.find(({ id }) => id === itemId)?.price ?? 0),
		quantity: toMicros(quantity),
	}));
	return toDecimal(sumOfProducts(lines));
}

/** The one method that a sale was paid by, without a customer. */
const ownMethodOf = ({ hasPayments, paymentMethod }: Sale) =>
	hasPayments ? undefined : paymentMethod;

/** How much money goes back, and how: unless somebody chose, by the method that the sale was paid by. */
function MoneyBack({
	sale: { paymentMethod, hasPayments },
	amount,
	by,
}: {
	sale: Sale;
	amount: number;
	by: Method | null;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const method = by ?? paymentMethod;
	const known = methods.find((one) => one === method) ?? "other";
	return (
		<p className="strong money-back" role="status">
			{say(`sales.back.${hasPayments && !by ? "asPaid" : known}`, {
				amount: format.money(amount),
				method: nameOf(method),
			})}
		</p>
	);
}
