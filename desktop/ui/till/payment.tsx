import { type FormEvent, useRef, useState } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Keypad } from "../components/keypad.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { quickAmounts } from "./quick-amounts.ts";
import { type Method, methods, type Tender } from "./sale.ts";
import { asShown, paidFor } from "./tender.ts";
import "./payment.css";

/** Takes the payment; Enter completes the sale from any field. */
export function Payment({
	total,
	firstMethod,
	unpriced,
	problem,
	onPaid,
	onClose,
}: {
	total: number;
	firstMethod: Method;
	/** The names of products without a price, sold for 0. */
	unpriced: readonly string[];
	/** Why the sale failed. */
	problem: string | undefined;
	onPaid(tender: Tender): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [method, setMethod] = useState(firstMethod);
	const [typed, setTyped] = useState("");
	const [reference, setReference] = useState("");
	const { attempt, isBusy } = useAttempt();
	const tenderedField = useRef<HTMLInputElement>(null);
	const [isAsked, setAsked] = useState(unpriced.length > 0);
	const isCash = method === "CASH";
	const due = asShown(total, format.digits);
	// An empty field means the exact amount; a typed 0 doesn't.
	const received = isCash ? (decimalOf(typed) ?? total) : total;
	const paid = paidFor(total, received, format.digits);
	const change = paid - total;
	const isShort = change < 0;
	const isNothing = isShort && paid <= 0;

	function set(amount: string): void {
		setTyped(amount);
		setAsked(false);
	}

	function submit(event: FormEvent): void {
		event.preventDefault();
		// Enter alone never gives away money or goods.
		if (isShort || unpriced.length > 0) setAsked(true);
		else sell();
	}

	function sell(): void {
		const tender = { method, paid, reference: isCash ? "" : reference.trim() };
		void attempt(() => onPaid(tender));
	}

	return (
		<form className="pay-form" onSubmit={submit}>
			<div className="column-flex">
				<div className="pay-due">
					<span className="strong">{say("pay.due")}</span>
					<Money value={due} size="total" />
				</div>
				<Chips
					label={say("pay.title")}
					value={method}
					onChange={(chosen) => {
						setMethod(chosen);
						setAsked(false);
					}}
					choices={methods.map((value) => ({
						value,
						label: say(`pay.${value}`),
					}))}
				/>
				{isCash ? (
					<DecimalField
						label={say("pay.tendered")}
						isLarge
						value={typed}
						onChange={set}
						ref={tenderedField}
						placeholder={String(due)}
						autoFocus={!isAsked}
						data-autofocus={isAsked ? undefined : true}
					/>
				) : (
					<TextField
						key={method}
						label={say("pay.reference")}
						isLarge
						value={reference}
						maxLength={100}
						onChange={setReference}
						autoFocus={!isAsked}
						data-autofocus={isAsked ? undefined : true}
					/>
				)}
				{problem && (
					<div className="pay-question" role="alert">
						{problem}
					</div>
				)}
				{isAsked ? (
					<Question
						shortBy={isShort && !isNothing ? -change : 0}
						isNothing={isNothing}
						unpriced={unpriced}
						isBusy={isBusy}
						onSell={sell}
						onBack={() => {
							setAsked(false);
							if (isShort) tenderedField.current?.select();
							else onClose();
						}}
					/>
				) : (
					isCash && (
						<div
							className={isShort ? "pay-change pay-short" : "pay-change"}
							aria-live="polite"
						>
							{say(isShort ? "pay.short" : "pay.change")}
							<Money value={Math.abs(change)} size="total" testId="change" />
						</div>
					)
				)}
			</div>
			{isCash && (
				<div>
					<div className="pay-quick">
						{quickAmounts(due).map((amount) => (
							<Button
								key={amount}
								size="s"
								aria-pressed={amount === asShown(paid, format.digits)}
								onClick={() => set(String(amount))}
							>
								{amount === due ? say("pay.exact") : format.quantity(amount)}
							</Button>
						))}
					</div>
					<Keypad value={typed} onChange={set} />
				</div>
			)}
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="pay"
					size="l"
					isBusy={isBusy}
					disabled={isAsked}
				>
					{say("pay.complete")} <kbd>Enter</kbd>
				</Button>
			</div>
		</form>
	);
}

/** Asks before money or goods are given away. Enter goes back. */
function Question({
	shortBy,
	isNothing,
	unpriced,
	isBusy,
	onSell,
	onBack,
}: {
	shortBy: number;
	/** Nothing was paid at all. */
	isNothing: boolean;
	unpriced: readonly string[];
	isBusy: boolean;
	onSell(): void;
	onBack(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<div className="pay-question" role="alert">
			{isNothing && <p>{say("pay.nothing")}</p>}
			{shortBy > 0 && (
				<p>{say("pay.shortAsked", { amount: format.money(shortBy) })}</p>
			)}
			{unpriced.length > 0 && (
				<p>{say("pay.unpriced", { names: unpriced.join(", ") })}</p>
			)}
			<div className="row-flex">
				{!isNothing && (
					<Button className="grow" isBusy={isBusy} onClick={onSell}>
						{say("pay.anyway")}
					</Button>
				)}
				<Button
					kind="ink"
					className="grow"
					autoFocus
					data-autofocus
					onClick={onBack}
				>
					{say("pay.back")}
				</Button>
			</div>
		</div>
	);
}
