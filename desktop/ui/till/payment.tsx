import { type FormEvent, useRef, useState } from "react";
import { cashOf } from "../../../sync/entities/currency.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Keypad } from "../components/keypad.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { plus } from "./cart.ts";
import { quickAmounts } from "./quick-amounts.ts";
import { type Method, methods, type Tender } from "./sale.ts";
import { asShown, cashDue, tenderFor } from "./tender.ts";
import "./payment.css";

/** Takes the payment; Enter completes the sale from any field. */
export function Payment({
	total,
	cashUnit,
	firstMethod,
	unpriced,
	problem,
	onPaid,
	onClose,
}: {
	total: number;
	/** What cash is rounded to. */
	cashUnit: number;
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
	const due = isCash ? cashDue(total, cashUnit) : asShown(total, format.digits);
	// An empty field means the amount due; a typed 0 doesn't.
	const handed = isCash ? decimalOf(typed) : undefined;
	const tender = tenderFor(method, total, cashUnit, {
		handed,
		reference: reference.trim(),
	});
	const change = plus(handed ?? due, -due);
	const isShort = change < 0;
	const isNothing = isShort && tender.paid <= 0;

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
		void attempt(() => onPaid(tender));
	}

	return (
		<form className="pay-form" onSubmit={submit}>
			<div className="column-flex">
				<div className="pay-due">
					<span className="strong">{say("pay.due")}</span>
					<Money value={due} size="total" />
				</div>
				{tender.rounding !== 0 && (
					<p className="pay-rounding muted text-s">
						{say("pay.rounded", { amount: format.figure(total) })}
					</p>
				)}
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
						{quickAmounts(due, cashOf(format.currency).pieces).map((amount) => (
							<Button
								key={amount}
								size="s"
								aria-pressed={amount === (handed ?? due)}
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
					{say("pay.complete")} <kbd aria-hidden>Enter</kbd>
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
