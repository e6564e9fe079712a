import {
	ClipboardCheck,
	Download,
	Package,
	PackageSearch,
	Plus,
	Truck,
} from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { Link, useSearch } from "wouter";
import { isMisread } from "../../../sync/entities/gtin.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { SearchField } from "../components/search-field.tsx";
import { useFormat } from "../format.ts";
import { beep } from "../scanner/beep.ts";
import { findByCode, useProductSearch } from "../scanner/product-search.ts";
import { isReceiptLink } from "../scanner/receipt-code.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useAnswer, useCategories } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { Categories } from "./categories.tsx";
import { Import } from "./import.tsx";
import { ProductSheet } from "./product-sheet.tsx";
import { ProductTable } from "./product-table.tsx";
import { useBulk } from "./use-bulk.ts";
import { useEdits } from "./use-edits.ts";
import "../components/field.css";
import "../components/page-head.css";
import "./products.css";

/** It brings a library for barcodes. */
const LabelsSheet = lazy(() => import("../labels/labels-sheet.tsx"));

/** As many hues as tokens.css has. */
const hueCount = 10;
/** As many as one look at the chosen products reads. */
const chosenMax = 500;

/** What an owner may want to put right, in the order of the chips. */
const duties = [
	"noPrice",
	"underCost",
	"noCode",
	"low",
	"negative",
	"unsold",
	"label",
] as const;
type Shown = (typeof duties)[number] | "all" | "inactive";

/** All products: searched instantly, filtered, and edited in the table, also offline. */
export default function Products() {
	const { say } = useWords();
	const { shop } = useShop();
	const format = useFormat();
	const mayManage = useMayManage();
	const asked = new URLSearchParams(useSearch());
	const [words, setWords] = useState("");
	const [editedId, setEdited] = useState<string | undefined>(
		asked.has("add") ? "new" : (asked.get("id") ?? undefined),
	);
	const [start, setStart] = useState({ code: "", name: "" });
	const [filter, setFilter] = useState<Shown>("all");
	const [category, setCategory] = useState<string | null>(null);
	const [labelled, setLabelled] = useState<readonly Product[]>();
	const scanIntoForm = useRef<(code: string) => Promise<void>>(null);
	const product = useAnswer(
		"product.get",
		{ id: editedId ?? "" },
		{ enabled: editedId !== undefined && editedId !== "new" },
	).data;
	const edited =
		editedId === "new" ? "new" : product?.id === editedId ? product : undefined;
	const categories = useCategories();
	const hues = useMemo(
		() => new Map(categories.map(({ id }, i) => [id, (i % hueCount) + 1])),
		[categories],
	);
	const { data: counts } = useAnswer(
		"product.counts",
		category === null ? {} : { categoryId: category },
	);
	const edits = useEdits();
	const bulk = useBulk(edits);

	const isGone = filter === "inactive" && counts?.inactive === 0;
	const shown = isGone ? "all" : filter;
	const isSearched = shown !== "inactive" && words.trim() !== "";
	const narrowing = narrowingOf(shown);
	const { products, isKnown, isNear, readMore, error } = useProductSearch(
		isSearched ? words : "",
		category,
		narrowing,
	);
	const total = counts?.[shown === "all" ? "active" : shown] ?? 0;

	useScanner({
		isKnown: async (code) =>
			edited === undefined
				? (await findByCode(shop, code)) !== undefined
				: document.activeElement?.getAttribute("data-path") === "sku",
		async onScan({ code }) {
			if (isReceiptLink(code)) return beep(false);
			if (edited !== undefined) return scanIntoForm.current?.(code);
			const { product, others = [] } = (await findByCode(shop, code)) ?? {};
			beep(product !== undefined);
			if (!mayManage || isMisread(code) || others.length > 0) setWords(code);
			else if (product) setEdited(product.id);
			else add({ code });
		},
	});

	function add(known: { code?: string; name?: string }): void {
		setStart({ code: "", name: "", ...known });
		setEdited("new");
	}

	/** Of the chosen products as they are now. */
	async function showLabels(): Promise<void> {
		const ids = [...bulk.chosen.keys()];
		setLabelled((await shop.ask("product.some", { ids })).products);
	}

	async function chooseAll(): Promise<void> {
		if (bulk.chosen.size > 0) return bulk.clear();
		if (isSearched) return bulk.choose(products);
		const { rows } = await shop.ask("product.list", {
			...narrowing,
			...(category !== null && { categoryId: category }),
			limit: chosenMax,
		});
		bulk.choose(rows);
	}

	return (
		<section className="page products-page">
			<header className="page-head">
				<h1>{say("app.products")}</h1>
				<div className="page-actions">
					<Link className="btn btn-default" href="/counts">
						<ClipboardCheck size={18} aria-hidden />
						<span className="btn-word">{say("counts.title")}</span>
					</Link>
					{mayManage && (
						<>
							<Link className="btn btn-default" href="/deliveries">
								<Truck size={18} aria-hidden />
								<span className="btn-word">{say("suppliers.deliveries")}</span>
							</Link>
							<a className="btn btn-default" href="/api/products.csv" download>
								<Download size={18} aria-hidden />
								<span className="btn-word">{say("app.export")}</span>
							</a>
							<Categories />
							<Import />
							<Button kind="ink" onClick={() => add({})}>
								<Plus size={18} aria-hidden />
								<span className="btn-word">{say("products.add")}</span>
							</Button>
						</>
					)}
				</div>
			</header>
			<div className="products-search">
				<SearchField
					placeholder={say("till.search")}
					maxLength={500}
					value={words}
					onChange={setWords}
				/>
				{categories.length > 0 && (
					<select
						className="input category-filter"
						aria-label={say("till.categories")}
						value={category ?? ""}
						onChange={(event) => {
							setCategory(event.currentTarget.value || null);
							bulk.clear();
						}}
					>
						<option value="">{say("products.allCategories")}</option>
						{categories.map(({ id, name }) => (
							<option key={id} value={id}>
								{name}
							</option>
						))}
					</select>
				)}
			</div>
			<div className="products-filters">
				{counts && (
					<Chips
						label={say("products.filters")}
						value={shown}
						onChange={(next) => {
							setFilter(next);
							bulk.clear();
						}}
						choices={choicesOf(counts, shown).map(([value, count]) => ({
							value,
							label: `${say(`products.${value}`)} ${format.quantity(count)}`,
						}))}
					/>
				)}
				<span className="text-s muted products-count" role="status">
					{say("products.count", {
						count: isSearched ? products.length : total,
					})}
				</span>
			</div>
			<LoadError error={error} />
			{edits.problem && (
				<p className="danger strong products-problem" role="alert">
					{edits.problem}
				</p>
			)}
			{isNear && products.length > 0 && (
				<div className="row-flex">
					<p className="muted">{say("till.near")}</p>
					{mayManage && (
						<Button onClick={() => add({ name: words.trim() })}>
							{say("products.addNamed", { name: words.trim() })}
						</Button>
					)}
				</div>
			)}
			{isKnown && products.length > 0 && (
				<ProductTable
					key={`${shown} ${category}`}
					products={products}
					categories={categories}
					edits={edits}
					chosen={bulk.chosen}
					freshOf={bulk.freshOf}
					hueOf={({ categoryId }) => hues.get(categoryId ?? "") ?? hueCount}
					onOpen={({ id }) => setEdited(id)}
					onChoose={bulk.toggle}
					onChooseAll={() => void chooseAll()}
					onNewPrice={bulk.setNewPrice}
					onNearEnd={readMore}
				/>
			)}
			{isKnown && products.length === 0 && (
				<NothingFound
					words={isSearched ? words.trim() : ""}
					isFiltered={shown !== "all" || category !== null}
					onAdd={mayManage ? add : undefined}
					onAll={() => {
						setFilter("all");
						setCategory(null);
						setWords("");
					}}
				/>
			)}
			{bulk.chosen.size > 0 && (
				<BulkBar
					chosen={bulk.chosen.size}
					changes={bulk.changes}
					rule={bulk.rule}
					step={bulk.step}
					categories={categories}
					onRule={bulk.setRule}
					onPrices={bulk.setPrices}
					onCategory={bulk.setCategory}
					onLabels={showLabels}
					onStop={bulk.stopSelling}
					onClear={bulk.clear}
				/>
			)}
			{labelled && (
				<Suspense>
					<LabelsSheet
						products={labelled}
						onClose={() => setLabelled(undefined)}
					/>
				</Suspense>
			)}
			{edited !== undefined && (
				<ProductSheet
					product={edited === "new" ? undefined : edited}
					start={start}
					scanRef={scanIntoForm}
					onClose={() => setEdited(undefined)}
				/>
			)}
		</section>
	);
}

function narrowingOf(shown: Shown) {
	if (shown === "inactive") return { show: "inactive" } as const;
	return shown === "all"
		? ({ show: "active" } as const)
		: ({ show: "active", filter: shown } as const);
}

/** Leaves out filters that find nothing. */
function choicesOf(
	counts: Queries["product.counts"]["answer"],
	shown: Shown,
): [Shown, number][] {
	const some = ([...duties, "inactive"] as const).filter(
		(one) => counts[one] > 0 || one === shown,
	);
	return [
		["all", counts.active],
		...some.map((one): [Shown, number] => [one, counts[one]]),
	];
}

function NothingFound({
	words,
	isFiltered,
	onAdd,
	onAll,
}: {
	words: string;
	isFiltered: boolean;
	onAdd: ((known: Partial<Pick<Product, "name">>) => void) | undefined;
	onAll(): void;
}) {
	const { say } = useWords();
	if (words !== "" || isFiltered)
		return (
			<Empty
				Icon={PackageSearch}
				hue={4}
				title={say(words === "" ? "products.noneLeft" : "till.none")}
			>
				<div className="row-flex">
					{words !== "" && onAdd && (
						<Button onClick={() => onAdd({ name: words })}>
							{say("products.addNamed", { name: words })}
						</Button>
					)}
					<Button onClick={onAll}>{say("products.showAll")}</Button>
				</div>
			</Empty>
		);
	return (
		<Empty Icon={Package} hue={3} title={say("products.noneYet")}>
			{onAdd && (
				<div className="row-flex">
					<Link className="btn btn-ink" href="/start">
						{say("till.fill")}
					</Link>
					<Button onClick={() => onAdd({})}>{say("till.addFirst")}</Button>
				</div>
			)}
		</Empty>
	);
}
