import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { Download, ReceiptText, Smartphone, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Sale } from "../../../sync/entities/sale.ts";
import { Busy } from "../components/busy.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { DayField } from "../components/day-field.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { SearchField } from "../components/search-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { beep } from "../scanner/beep.ts";
import { findByCode } from "../scanner/product-search.ts";
import { isReceiptLink, receiptOf } from "../scanner/receipt-code.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { findByReceipt } from "./find-by-receipt.ts";
import { HistoryNote } from "./history-note.tsx";
import { useMethodName } from "./method-name.ts";
import { SaleDetail } from "./sale-detail.tsx";
import {
	type FilterName,
	filterNames,
	type SaleFilters,
	useSaleFilters,
} from "./sale-filters.ts";
import { type ListedSale, salesByDay } from "./sales-by-day.ts";
import { SalesTable } from "./sales-table.tsx";
import "../components/chips.css";
import "../components/field.css";
import "../components/page-head.css";
import "./sales.css";

/** Keeps the line of the sums while they load. */
const noBreakSpace = "\u00a0";

/** The sales history by day, newest first, with the open sale beside it or, on a narrow screen, in a sheet. */
export default function Sales() {
	const { say } = useWords();
	const { shop } = useShop();
	const mayManage = useMayManage();
	const format = useFormat();
	const isWide = useMediaQuery("(min-width: 68.75em)", true);
	const [open, setOpen] = useState<Sale>();
	const [typed, setTyped] = useState("");
	const [search] = useDebouncedValue(typed, 250);
	const [filters, setFilters] = useSaleFilters();
	// A product's barcode finds its sales, a receipt opens; other codes are searched as text.
	useScanner({
		isKnown: async (code) =>
			receiptOf(code) !== undefined ||
			(await findByCode(shop, code)) !== undefined,
		async onScan({ code }) {
			const { product } = (await findByCode(shop, code)) ?? {};
			const asked = product ? undefined : receiptOf(code);
			// Where older sales can't be read, the list says so.
			const sale =
				asked && (await findByReceipt(shop, asked).catch(() => undefined));
			if (sale) setOpen(sale);
			else if (sale === null && isReceiptLink(code)) beep(false);
			else setTyped(product?.name ?? code);
		},
	});
	const { method, product } = filters;
	const asked = {
		...daysOf(filters),
		...(method && { paymentMethod: method }),
		...(product && { productId: product }),
		...(search && { search }),
	};
	const isNarrowed = Object.keys(asked).length > 0;
	const list = useRows("sale.history", asked);
	const totals = useDayTotals(list.rows, filters, search);
	const days = salesByDay(list.rows, totals, !list.hasNextPage);
	const { data: sums, error: whyNoSums } = useAnswer(
		"sale.totals",
		daysOf(filters),
		{ enabled: isOfDays(filters, search) },
	);
	const detail = open && <SaleDetail key={open.id} sale={open} />;
	const title = open?.receiptNumber ?? say("receipt.number");

	return (
		<section className="page sales-page">
			<header className="page-head">
				<h1>{say("app.sales")}</h1>
				<div className="page-actions">
					{mayManage && (
						<Link className="btn btn-default" href="/statements">
							<Smartphone size={18} aria-hidden />
							<span className="btn-word">{say("pay.MPESA")}</span>
						</Link>
					)}
					<a
						className="btn btn-default"
						href={`/api/sales-history.csv?${new URLSearchParams(asked)}`}
						download
					>
						<Download size={18} aria-hidden />
						<span className="btn-word">{say("app.export")}</span>
					</a>
				</div>
			</header>
			<div className="sales-search">
				<SearchField
					placeholder={say("sales.search")}
					value={typed}
					onChange={setTyped}
				/>
				{(["from", "to"] as const).map((name) => (
					<DayField
						key={name}
						label={say(`history.${name}`)}
						value={filters[name] ?? ""}
						onChange={(day) => setFilters({ [name]: day })}
					/>
				))}
			</div>
			<FilterChips filters={filters} onChange={setFilters} />
			<LoadError error={list.error ?? whyNoSums} offline="sales.offline" />
			<HistoryNote />
			{list.isPending && <Busy />}
			{list.isSuccess && list.rows.length === 0 && (
				<Empty
					Icon={ReceiptText}
					hue={9}
					title={say(isNarrowed ? "sales.noneFound" : "sales.none")}
				>
					{isNarrowed ? (
						<Button
							onClick={() => {
								setTyped("");
								setFilters({ from: "", to: "", method: "", product: "" });
							}}
						>
							{say("sales.showAll")}
						</Button>
					) : (
						<Link className="btn btn-ink" href="/">
							{say("sales.openTill")}
						</Link>
					)}
				</Empty>
			)}
			{isOfDays(filters, search) && list.rows.length > 0 && (
				<p className="text-s muted sales-sum">
					{sums
						? say("sales.totals", {
								count: sums.salesCount,
								amount: format.money(sums.revenue),
							})
						: noBreakSpace}
				</p>
			)}
			{list.rows.length > 0 && (
				<div className="sales-body" data-split={isWide && open !== undefined}>
					<div className="leaf sales-list">
						<SalesTable days={days} openId={open?.id} onOpen={setOpen} />
						<MoreButton isWide list={list} />
					</div>
					{isWide && open && (
						<aside
							className="leaf sale-beside"
							aria-label={title}
							onKeyDown={(event) => {
								if (event.key === "Escape") setOpen(undefined);
							}}
						>
							<div className="sale-beside-head">
								<h2>{title}</h2>
								<IconButton
									label={say("app.close")}
									onClick={() => setOpen(undefined)}
								>
									<X size={20} aria-hidden />
								</IconButton>
							</div>
							{detail}
						</aside>
					)}
				</div>
			)}
			{!isWide && open && (
				<Sheet title={title} onClose={() => setOpen(undefined)}>
					{detail}
				</Sheet>
			)}
		</section>
	);
}

/** The filters of the address, each with a button that takes it away. */
function FilterChips({
	filters,
	onChange,
}: {
	filters: SaleFilters;
	onChange(changes: SaleFilters): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const { product = "" } = filters;
	const { data: products } = useAnswer(
		"product.some",
		{ ids: [product] },
		{ enabled: product !== "" },
	);
	const given = filterNames.filter((name) => filters[name] !== undefined);
	if (given.length === 0) return null;

	function textOf(name: FilterName, value: string): string {
		if (name === "method") return nameOf(value);
		if (name === "product") return products?.products[0]?.name ?? value;
		return `${say(`history.${name}`)} ${format.longDay(value)}`;
	}

	return (
		<div className="chips">
			{given.map((name) => {
				const text = textOf(name, filters[name] ?? "");
				return (
					<button
						key={name}
						type="button"
						className="chip filter-chip"
						aria-label={say("sales.takeAway", { filter: text })}
						onClick={() => onChange({ [name]: "" })}
					>
						{text}
						<X size={16} aria-hidden />
					</button>
				);
			})}
		</div>
	);
}

/** Whether the listed sales are all of some days, whose sums the shop keeps. */
function isOfDays({ method, product }: SaleFilters, search: string): boolean {
	return search === "" && method === undefined && product === undefined;
}

function daysOf({ from, to }: SaleFilters) {
	return { ...(from && { from }), ...(to && { to }) };
}

/** The totals of the listed days; undefined for a search, which the shop keeps no sums of. */
function useDayTotals(
	rows: readonly ListedSale[],
	{ method, product }: SaleFilters,
	search: string,
) {
	const days = rows.map(({ businessDay }) => businessDay).toSorted();
	const isKept = search === "" && product === undefined && days.length > 0;
	const { data } = useAnswer(
		"sale.days",
		{
			from: days[0] ?? "",
			to: days.at(-1) ?? "",
			...(method && { paymentMethod: method }),
		},
		{ enabled: isKept },
	);
	return isKept ? (data?.days ?? []) : undefined;
}
