import { useState } from "react";
import { Button } from "../components/button.tsx";
import { useFormat } from "../format.ts";
import type { ShopClient } from "../shop/client.ts";
import { useWords } from "../words/index.ts";
import { looksLikeMpesa } from "./tender.ts";

/** What has to be asked before money or goods are given away. */
interface Question {
	/** Nothing was paid at all: this is never sold. */
	isNothing: boolean;
	shortBy: number;
	/** The names of products without a price. */
	unpriced: readonly string[];
	code?: { value: string; isOdd: boolean; isUsed: boolean };
}

/** Asks once for each payment; a changed payment is asked about again. */
export function useQuestion({
	shop,
	method,
	code,
	unpriced,
	shortBy,
	isNothing,
}: Omit<Question, "code"> & {
	shop: ShopClient;
	method: string;
	code: string;
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
			const isOdd = method === "MPESA" && code !== "" && !looksLikeMpesa(code);
			const isUsed = code !== "" && (await isTaken(shop, code));
			if (shortBy === 0 && unpriced.length === 0 && !isOdd && !isUsed)
				return false;
			setQuestion({
				...found,
				...((isOdd || isUsed) && { code: { value: code, isOdd, isUsed } }),
			});
			return true;
		},
	};
}

async function isTaken(shop: ShopClient, code: string): Promise<boolean> {
	const { isUsed } = await shop.ask("payment.code", { code });
	return isUsed;
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
