import { Printer } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { plus } from "../../../sync/entities/money.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Money } from "../components/money.tsx";
import { painted } from "../components/painted.ts";
import { DeliveryStatus } from "../receipts/delivery-status.tsx";
import { Paper } from "../receipts/paper.tsx";
import { openDrawer, printReceipt } from "../receipts/print.ts";
import { ReceiptView } from "../receipts/receipt-view.tsx";
import { usePrinted } from "../receipts/use-printed.ts";
import { useSaleReceipt } from "../receipts/use-sale-receipt.ts";
import { WhatsAppButton } from "../receipts/whatsapp-button.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { useLoneKey } from "./lone-key.ts";
import type { CompletedSale } from "./sale.ts";

/** What the cashier looks for first: the change to give, or how much came in. */
function largestOf({
	args,
	paid,
	change,
	lent,
	customer,
	givenBack = 0,
}: CompletedSale) {
	if (givenBack > 0) {
		const amount = givenBack;
		return { word: "pay.giveChange", amount, testId: "change-due" } as const;
	}
	if (lent > 0 && customer && plus(customer.balance, lent) <= 0)
		return { word: "pay.fromCredit", amount: lent, testId: "lent" } as const;
	if (lent > 0)
		return { word: "pay.lent", amount: lent, testId: "lent" } as const;
	if (change === 0) {
		// In coins that there are, as the receipt says.
		const amount = plus(paid, -(args.rounding ?? 0));
		return { word: "pay.paid", amount, testId: "amount-paid" } as const;
	}
	return {
		word: change < 0 ? "pay.short" : "pay.giveChange",
		amount: Math.abs(change),
		testId: "change-due",
	} as const;
}

/** The completed sale: its change in large figures, its receipt, and whether the server has it. */
export function SaleDone({
	sale,
	onNext,
}: {
	sale: CompletedSale;
	onNext(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const isPrinted = usePrinted(sale.mutationId);
	const receipt = useSaleReceipt(sale, isPrinted);
	// The change to give comes first, and its receipt right behind.
	const [isPainted, setPainted] = useState(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each sale.
	useEffect(() => {
		void painted().then(() => setPainted(true));
		const { tenders, paymentMethod } = sale.args;
		const methods = tenders?.map(({ method }) => method) ?? [paymentMethod];
		if (methods.includes("CASH")) void attempt(openDrawer);
	}, [sale.mutationId]);
	const print = () =>
		attempt(() =>
			printReceipt(shop, sale.args.id, {
				prepare: () => shop.tryNow(),
				otherwise: () => window.print(),
				isFirst: !isPrinted,
			}),
		);
	useLoneKey("p", print);
	const whatsApp = useRef<HTMLAnchorElement>(null);
	useLoneKey("w", () => whatsApp.current?.click());
	const largest = largestOf(sale);
	return (
		<div className="done">
			<div className="column-flex">
				<DeliveryStatus mutationId={sale.mutationId} />
				<div className="column-flex">
					<span className="strong">{say(largest.word)}</span>
					<Money value={largest.amount} size="change" testId={largest.testId} />
				</div>
				{problem}
			</div>
			<div className="done-receipt">
				{receipt && isPainted && <ReceiptView receipt={receipt.shown} />}
			</div>
			<Paper>
				{receipt && isPainted && <ReceiptView receipt={receipt.printed} />}
			</Paper>
			<div className="sheet-foot">
				<Button size="l" isBusy={isBusy} onClick={print}>
					<Printer size={20} aria-hidden />
					{say("pay.print")} <kbd aria-hidden>P</kbd>
				</Button>
				{receipt && (
					<WhatsAppButton receipt={receipt.shown} ref={whatsApp}>
						<kbd aria-hidden>W</kbd>
					</WhatsAppButton>
				)}
				<Button
					kind="ink"
					size="l"
					// The change stays after a double click or a long Enter that paid.
					onClick={({ detail }) => detail < 2 && onNext()}
					onKeyDown={(event) => event.repeat && event.preventDefault()}
					autoFocus
					data-autofocus
				>
					{say("pay.next")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</div>
		</div>
	);
}
