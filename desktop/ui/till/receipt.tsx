import { Printer } from "lucide-react";
import { memo, useEffect } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { DeliveryStatus } from "../receipts/delivery-status.tsx";
import { Paper } from "../receipts/paper.tsx";
import { openDrawer, printReceipt } from "../receipts/print.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { lineTotal } from "./cart.ts";
import { useLoneKey } from "./lone-key.ts";
import type { CompletedSale } from "./sale.ts";

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
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each sale.
	useEffect(() => {
		if (sale.args.paymentMethod === "CASH") void attempt(openDrawer);
	}, [sale.mutationId]);
	const print = () =>
		attempt(() =>
			printReceipt(shop, sale.args.id, {
				prepare: () => shop.tryNow(),
				otherwise: () => window.print(),
			}),
		);
	useLoneKey("p", print);
	return (
		<div className="done">
			<div className="column-flex">
				<DeliveryStatus mutationId={sale.mutationId} />
				{sale.change !== 0 && (
					<div className="column-flex">
						<span className="strong">
							{say(sale.change < 0 ? "pay.short" : "pay.giveChange")}
						</span>
						<Money
							value={Math.abs(sale.change)}
							size="change"
							testId="change-due"
						/>
					</div>
				)}
				{problem}
			</div>
			<div className="done-receipt">
				<Receipt sale={sale} />
			</div>
			<Paper>
				<Receipt sale={sale} />
			</Paper>
			<div className="sheet-foot">
				<Button size="l" isBusy={isBusy} onClick={print}>
					<Printer size={20} aria-hidden />
					{say("pay.print")} <kbd aria-hidden>P</kbd>
				</Button>
				<Button kind="ink" size="l" onClick={onNext} autoFocus data-autofocus>
					{say("pay.next")} <kbd aria-hidden>Enter</kbd>
				</Button>
			</div>
		</div>
	);
}

const Receipt = memo(function Receipt({ sale }: { sale: CompletedSale }) {
	const { say } = useWords();
	const format = useFormat();
	const business = useBusiness();
	const { session } = useShop();
	const { args } = sale;
	return (
		<article className="receipt" aria-label={say("receipt.number")}>
			<p>
				<strong>{business?.name}</strong>
			</p>
			{business?.receiptHeader && <p>{business.receiptHeader}</p>}
			<p>
				{say("receipt.number")} {args.receiptNumber}
				<br />
				{format.moment(sale.at)}
			</p>
			<table>
				<tbody>
					{args.items.map((line) => (
						<tr key={line.id}>
							<td>
								{line.name}
								<br />
								{format.quantity(line.quantity)} × {format.money(line.price)}
							</td>
							<td className="amount">{format.money(lineTotal(line))}</td>
						</tr>
					))}
					<tr>
						<td>
							<strong>{say("receipt.total")}</strong>
						</td>
						<td className="amount">
							<strong>{format.money(sale.total)}</strong>
						</td>
					</tr>
					<tr>
						<td>
							{say("receipt.paid")} ({args.paymentMethod})
						</td>
						<td className="amount">{format.money(sale.paid)}</td>
					</tr>
					<tr>
						<td>{say(sale.change < 0 ? "pay.short" : "receipt.change")}</td>
						<td className="amount">{format.money(Math.abs(sale.change))}</td>
					</tr>
				</tbody>
			</table>
			{args.notes && <p className="receipt-notes">{args.notes}</p>}
			<p>
				{say("receipt.cashier")} {session.user.name}
			</p>
			{business?.receiptFooter && <p>{business.receiptFooter}</p>}
		</article>
	);
});
