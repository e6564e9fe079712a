import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { useFormat } from "../format.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { useSeesProfit } from "../staff/use-limits.ts";
import { useWords } from "../words/index.ts";
import type { Period } from "./period.ts";
import { salesOf } from "./sales-link.ts";

type Sort = "revenue" | "profit" | "quantity" | "discount";
interface Order {
	sort: Sort;
	order: "desc" | "asc";
}

interface Sums {
	quantity: number;
	revenue: number;
	profit: number;
	discount: number;
	revenueWithoutCost: number;
}

const categoriesShown = 100;
const productsShown = 20;

/** What categories and products brought. A category opens its products, and a product its sales. */
export function Goods({ period }: { period: Period }) {
	const { say } = useWords();
	const [order, setOrder] = useState<Order>({ sort: "revenue", order: "desc" });
	/** Null for goods without a category. */
	const [category, setCategory] = useState<string | null>();
	const args = { ...period, ...order };
	const categories = useRows("report.categories", args, {
		limit: categoriesShown,
	});
	const products = useRows(
		"report.products",
		{ ...args, ...(category !== undefined && { categoryId: category }) },
		{ limit: productsShown },
	);
	if (products.isSuccess && categories.rows.length === 0) return null;
	const head = { order, setOrder };
	return (
		<div className="report-tables">
			<LoadError error={products.error} offline="sales.offline" />
			{categories.rows.length > 1 && (
				<SumsTable title={say("report.categories")} {...head}>
					{categories.rows.map(({ categoryId, name, ...sums }) => (
						<SumsRow key={categoryId ?? ""} sums={sums}>
							<button
								type="button"
								className="link-button"
								aria-pressed={category === categoryId}
								onClick={() =>
									setCategory(category === categoryId ? undefined : categoryId)
								}
							>
								{name ?? say("report.noCategory")}
							</button>
						</SumsRow>
					))}
				</SumsTable>
			)}
			<SumsTable
				title={
					category === undefined
						? say("report.products")
						: say("report.productsOf", {
								name:
									categories.rows.find((one) => one.categoryId === category)
										?.name ?? say("report.noCategory"),
							})
				}
				{...head}
			>
				{products.rows.map(({ productId, name, ...sums }) => (
					<SumsRow key={productId ?? ""} sums={sums}>
						<Link
							href={salesOf(period, productId ? { product: productId } : {})}
						>
							{name ?? say("report.openItems")}
						</Link>
					</SumsRow>
				))}
			</SumsTable>
			<MoreButton list={products} />
		</div>
	);
}

function SumsTable({
	title,
	order,
	setOrder,
	children,
}: {
	title: string;
	order: Order;
	setOrder(order: Order): void;
	children: ReactNode;
}) {
	const { say } = useWords();
	const seesProfit = useSeesProfit();
	const head = (sort: Sort, className = "") => (
		<th
			className={className}
			aria-sort={
				order.sort !== sort
					? "none"
					: order.order === "desc"
						? "descending"
						: "ascending"
			}
		>
			<button
				type="button"
				className="link-button"
				onClick={() =>
					setOrder({
						sort,
						order:
							order.sort === sort && order.order === "desc" ? "asc" : "desc",
					})
				}
			>
				{say(`report.${sort}`)}
				{order.sort === sort && (
					<span aria-hidden>{order.order === "desc" ? " ↓" : " ↑"}</span>
				)}
			</button>
		</th>
	);
	return (
		<section className="leaf overview-card">
			<h3>{title}</h3>
			<table className="sums">
				<caption className="visually-hidden">{title}</caption>
				<thead>
					<tr>
						<th>{say("report.name")}</th>
						{head("quantity", "only-wide")}
						{head("discount", "only-wide")}
						{head("revenue")}
						{seesProfit && (
							<>
								{head("profit")}
								<th className="only-wide">{say("report.marginHead")}</th>
							</>
						)}
					</tr>
				</thead>
				<tbody>{children}</tbody>
			</table>
		</section>
	);
}

function SumsRow({ sums, children }: { sums: Sums; children: ReactNode }) {
	const { say } = useWords();
	const format = useFormat();
	const seesProfit = useSeesProfit();
	const { quantity, discount, revenue, profit, revenueWithoutCost } = sums;
	const isUnknown = revenueWithoutCost !== 0;
	return (
		<tr>
			<th scope="row">{children}</th>
			<td className="only-wide">{format.quantity(quantity)}</td>
			<td className="only-wide">
				{discount === 0 ? "" : format.figure(discount)}
			</td>
			<td>{format.figure(revenue)}</td>
			{seesProfit && (
				<>
					<td className={profit < 0 ? "danger" : ""}>
						{format.figure(profit)}
						{isUnknown && (
							<abbr className="attention" title={say("report.costUnknown")}>
								{" ?"}
							</abbr>
						)}
					</td>
					<td className="only-wide">
						{revenue > 0 ? format.percent(profit / revenue) : "–"}
					</td>
				</>
			)}
		</tr>
	);
}
