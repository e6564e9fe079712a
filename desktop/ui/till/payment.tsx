import { X } from "lucide-react";
import {
	type FormEvent,
	type RefObject,
	useEffect,
	useRef,
	useState,
} from "react";
import { cashOf } from "../../../sync/entities/currency.ts";
import type { Customer } from "../../../sync/entities/customer.ts";
import { plus } from "../../../sync/entities/money.ts";
import { codeOf } from "../../../sync/statements/mpesa-code.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Keypad } from "../components/keypad.tsx";
import { Money } from "../components/money.tsx";
import { CustomerPicker } from "../customers/customer-picker.tsx";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { PaymentQuestion, useQuestion } from "./payment-question.tsx";
import { quickAmounts } from "./quick-amounts.ts";
import {
	type Method,
	methods,
	type SalePayment,
	sumOf,
	type Tender,
} from "./sale.ts";
import { asShown, cashDue, tenderFor } from "./tender.ts";
import "./payment.css";

const choices = [...methods, "CREDIT"] as const;
type Choice = (typeof choices)[number];

/** Takes the payment, by one method or several; Enter completes the sale from any field. */
export function Payment({
	total,
	cashUnit,
	firstMethod,
	unpriced,
	problem,
	buyer,
	isPartPaid,
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
	/** Who buys, if that is known: what they don't pay is credit. */
	buyer?: Customer;
	/** Set while something was handed over by other methods. */
	isPartPaid?: RefObject<boolean>;
	onPaid(payment: SalePayment): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const [method, setMethod] = useState<Choice>(firstMethod);
	/** What was handed over by other methods before. */
	const [given, setGiven] = useState<readonly Tender[]>([]);
	const [typed, setTyped] = useState("");
	const [reference, setReference] = useState("");
	const [customer, setCustomer] = useState<Customer>();
	const { attempt, isBusy } = useAttempt();
	const amountField = useRef<HTMLInputElement>(null);
	useEffect(() => {
		if (!isPartPaid) return;
		isPartPaid.current = given.length > 0;
		return () => {
			isPartPaid.current = false;
		};
	}, [isPartPaid, given]);
	const isCash = method === "CASH";
	const rest = plus(total, -sumOf(given));
	const due = isCash ? cashDue(rest, cashUnit) : asShown(rest, format.digits);
	// An empty field means the amount due; a typed 0 doesn't.
	const handed = decimalOf(typed);
	const code = isCash ? "" : codeOf(reference);
	const change = plus(handed ?? due, -due);
	const isShort = method !== "CREDIT" && change < 0;
	const rounding = plus(rest, -due);
	const { question, ask, drop } = useQuestion({
		...{ shop, unpriced },
		parts: [...given, { method, code, amount: handed ?? due }],
		shortBy: isShort ? -change : 0,
		isNothing: isShort && given.length === 0 && (handed ?? 0) <= 0,
	});

	function paymentNow(): SalePayment {
		if (method === "CREDIT")
			return { tenders: given, rounding: 0, ...(customer && { customer }) };
		const last = tenderFor(method, rest, cashUnit, {
			// What is shown as due is all of it, to the last millionth.
			handed: handed === due ? undefined : handed,
			code,
		});
		const isAdded = given.length === 0 || (handed ?? due) > 0;
		return { ...last, tenders: [...given, ...(isAdded ? last.tenders : [])] };
	}

	/** What was typed stays a part of the payment, and the rest is paid by another method. */
	function choose(chosen: Choice): void {
		if (method !== "CREDIT" && handed !== undefined && handed > 0 && isShort) {
			const part = { method, amount: handed, ...(code && { code }) };
			setGiven((before) => [...before, part]);
		}
		setMethod(chosen);
		setTyped("");
		setReference("");
		drop();
	}

	async function submit(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (method === "CREDIT" && !customer) return;
		// Enter alone never gives away money or goods.
		if (!(await ask())) sell();
	}

	function sell(): void {
		void attempt(() => onPaid(paymentNow()));
	}

	return (
		<form className="pay-form" onSubmit={submit}>
			<div className="column-flex">
				<Given
					given={given}
					onRemove={(i) => {
						setGiven(given.filter((_, at) => at !== i));
						drop();
					}}
				/>
				<div className="pay-due">
					<span className="strong">
						{say(given.length > 0 ? "pay.rest" : "pay.due")}
					</span>
					<Money value={due} size="total" />
				</div>
				{isCash && rounding !== 0 && (
					<p className="pay-rounding muted text-s">
						{say("pay.rounded", { amount: format.figure(rest) })}
					</p>
				)}
				<Chips
					label={say("pay.title")}
					value={method}
					onChange={choose}
					choices={(buyer ? methods : choices).map((value) => ({
						value,
						label: say(`pay.${value}`),
					}))}
				/>
				{method === "CREDIT" ? (
					<CustomerPicker
						chosen={customer}
						lent={rest}
						onChoose={setCustomer}
					/>
				) : (
					<>
						{!isCash && (
							<TextField
								key={method}
								label={say(method === "MPESA" ? "pay.code" : "pay.reference")}
								isLarge
								value={reference}
								maxLength={60}
								autoCapitalize="characters"
								onChange={(text) => {
									setReference(text);
									drop();
								}}
								autoFocus={!question}
								data-autofocus={question ? undefined : true}
							/>
						)}
						<DecimalField
							label={say(isCash ? "pay.tendered" : "pay.amount")}
							isLarge={isCash}
							value={typed}
							onChange={(text) => {
								setTyped(text);
								drop();
							}}
							ref={amountField}
							placeholder={String(due)}
							autoFocus={isCash && !question}
							data-autofocus={isCash && !question ? true : undefined}
						/>
					</>
				)}
				{problem && (
					<div className="pay-question" role="alert">
						{problem}
					</div>
				)}
				{question ? (
					<PaymentQuestion
						question={question}
						isBusy={isBusy}
						onSell={sell}
						onBack={() => {
							drop();
							if (isShort) amountField.current?.select();
							else if (unpriced.length > 0) onClose();
						}}
					/>
				) : (
					(isCash || isShort) && (
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
								// Enter completes the sale, as the button below says.
								onMouseDown={(event) => event.preventDefault()}
								onClick={() => {
									setTyped(String(amount));
									drop();
								}}
							>
								{amount === due ? say("pay.exact") : format.quantity(amount)}
							</Button>
						))}
					</div>
					<Keypad
						value={typed}
						onChange={(text) => {
							setTyped(text);
							drop();
						}}
					/>
				</div>
			)}
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="pay"
					size="l"
					isBusy={isBusy}
					disabled={
						question !== undefined || (method === "CREDIT" && !customer)
					}
				>
					{say("pay.complete")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</div>
		</form>
	);
}

/** What was handed over before by other methods. */
function Given({
	given,
	onRemove,
}: {
	given: readonly Tender[];
	onRemove(i: number): void;
}) {
	const { say } = useWords();
	const nameOf = useMethodName();
	return given.map(({ method, amount, code }, i) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: two parts may be equal.
		<div className="pay-due" key={i}>
			<span>{[nameOf(method), code].filter(Boolean).join(" ")}</span>
			<Money value={amount} />
			<IconButton
				label={`${say("pay.takeOut")}: ${nameOf(method)}`}
				onClick={() => onRemove(i)}
			>
				<X size={18} aria-hidden />
			</IconButton>
		</div>
	));
}
