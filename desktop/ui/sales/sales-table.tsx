import { Money } from "../components/money.tsx";
import { Tag } from "../components/tag.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { useMethodName } from "./method-name.ts";
import type { ListedSale, SalesDay } from "./sales-by-day.ts";

/** Sales in columns, under a line with the totals of each day. */
export function SalesTable({
	days,
	openId,
	onOpen,
}: {
	days: readonly SalesDay[];
	openId: string | undefined;
	onOpen(sale: ListedSale): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const hasCents = days.some(({ sales }) =>
		sales.some(({ total }) => !Number.isInteger(total)),
	);
	return (
		<table className="sales-table" aria-label={say("app.sales")}>
			<thead>
				<tr>
					<th scope="col">{say("sales.time")}</th>
					<th scope="col" className="sale-number">
						{say("receipt.number")}
					</th>
					<th scope="col" className="sale-items">
						{say("sales.items")}
					</th>
					<th scope="col" className="sale-cashier">
						{say("sales.cashier")}
					</th>
					<th scope="col" className="sale-method">
						{say("sales.method")}
					</th>
					<th scope="col" className="sale-total">
						{say("receipt.total")}
					</th>
				</tr>
			</thead>
			{days.map(({ day, sales, count, total }) => (
				<tbody key={day}>
					<tr className="sales-day">
						<th scope="rowgroup">
							<div>
								<span>{format.longDay(day)}</span>
								{count !== undefined && (
									<span className="muted">{say("sales.count", { count })}</span>
								)}
								{total !== undefined && <Money value={total} />}
							</div>
						</th>
					</tr>
					{sales.map((sale) => (
						<SaleRow
							key={sale.id}
							sale={sale}
							isOpen={sale.id === openId}
							hasCents={hasCents}
							onOpen={onOpen}
						/>
					))}
				</tbody>
			))}
		</table>
	);
}

function SaleRow({
	sale,
	isOpen,
	hasCents,
	onOpen,
}: {
	sale: ListedSale;
	isOpen: boolean;
	hasCents: boolean;
	onOpen(sale: ListedSale): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const { receiptNumber, items, status, cashier, paymentMethod } = sale;
	const { tenders = [{ method: paymentMethod }] } = sale;
	const methods = new Set(tenders.map(({ method }) => nameOf(method)));
	return (
		<tr className="row" data-open={isOpen}>
			<td className="sale-time">{format.time(sale.createdAt)}</td>
			<td className="sale-number">
				<button type="button" onClick={() => onOpen(sale)}>
					{receiptNumber ?? "–"}
				</button>
				{status !== "sold" && (
					<Tag tone={status === "voided" ? "danger" : "attention"}>
						{say(
							status === "voided"
								? "sales.voided"
								: status === "refunded"
									? "receipt.refunded"
									: "sales.partlyRefunded",
						)}
					</Tag>
				)}
			</td>
			<td className="sale-items">
				<div>{items.map(({ name }) => name).join(", ")}</div>
			</td>
			<td className="sale-cashier">{cashier ?? "–"}</td>
			<td className="sale-method">{[...methods].join(", ")}</td>
			<td className="sale-total">
				{status === "voided" ? (
					<s>{format.figure(sale.total, hasCents)}</s>
				) : (
					format.figure(sale.total, hasCents)
				)}
			</td>
		</tr>
	);
}
