import { useState } from "react";
import {
	looksLikeMpesa,
	oldDayOf,
} from "../../../sync/statements/mpesa-code.ts";
import { Button } from "../components/button.tsx";
import { useFormat } from "../format.ts";
import type { ShopClient } from "../shop/client.ts";
import { useWords } from "../words/index.ts";

/** What has to be asked before money or goods are given away. */
interface Question {
	/** Nothing was paid at all: this is never sold. */
	isNothing: boolean;
	shortBy: number;
	/** The names of products without a price. */
	unpriced: readonly string[];
	code?: CodeQuestion;
}

interface CodeQuestion {
	value: string;
	isOdd: boolean;
	isUsed: boolean;
	/** The day that it names, if that is days ago. */
	oldDay: string | undefined;
	/** What a statement says it brought, if that isn't what it pays here. */
	received?: number;
}

interface Part {
	method: string;
	code?: string;
	amount: number;
}

/** Asks once for each payment; a changed payment is asked about again. */
export function useQuestion({
	shop,
	parts,
	unpriced,
	shortBy,
	isNothing,
}: Omit<Question, "code"> & {
	shop: ShopClient;
	/** What is paid by each method. */
	parts: readonly Part[];
}) {
	const found = { isNothing, shortBy, unpriced };
	const [question, setQuestion] = useState<Question | undefined>(
		unpriced.length > 0 ? found : undefined,
	);
	return {
		question,
		drop: () => setQuestion(undefined),

		/** @returns true if there is something to ask */
		async ask(): Promise<boolean> {
			let code: CodeQuestion | undefined;
			for (const part of parts) code ??= await askCode(shop, part);
			if (shortBy === 0 && unpriced.length === 0 && !code) return false;
			setQuestion({ ...found, ...(code && { code }) });
			return true;
		},
	};
}

/** @returns undefined without a code, and if nothing is odd about it */
async function askCode(
	shop: ShopClient,
	{ method, code, amount }: Part,
): Promise<CodeQuestion | undefined> {
	if (!code) return undefined;
	const isMpesa = method === "MPESA";
	const isOdd = isMpesa && !looksLikeMpesa(code);
	const { isUsed, received } = await shop.ask("payment.code", { code });
	const { day: today } = await shop.ask("business.today", {});
	const oldDay = isMpesa ? oldDayOf(code, today) : undefined;
	const isOther = isMpesa && received !== null && received !== amount;
	return isOdd || isUsed || oldDay !== undefined || isOther
		? { value: code, isOdd, isUsed, oldDay, ...(isOther && { received }) }
		: undefined;
}

/** Asks before money or goods are given away. Enter goes back. */
export function PaymentQuestion({
	question: { isNothing, shortBy, unpriced, code },
	isBusy,
	onSell,
	onBack,
}: {
	question: Question;
	isBusy: boolean;
	onSell(): void;
	onBack(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<div className="pay-question" role="alert">
			{isNothing && <p>{say("pay.nothing")}</p>}
			{shortBy > 0 && !isNothing && (
				<p>{say("pay.shortAsked", { amount: format.money(shortBy) })}</p>
			)}
			{unpriced.length > 0 && (
				<p>{say("pay.unpriced", { names: unpriced.join(", ") })}</p>
			)}
			{code?.isUsed && <p>{say("pay.codeUsed", { code: code.value })}</p>}
			{code?.isOdd && <p>{say("pay.codeOdd", { code: code.value })}</p>}
			{code?.received !== undefined && (
				<p>
					{say("pay.codeAmount", {
						code: code.value,
						amount: format.money(code.received),
					})}
				</p>
			)}
			{code?.oldDay && (
				<p>
					{say("pay.codeOld", {
						code: code.value,
						day: format.longDay(code.oldDay),
					})}
				</p>
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
