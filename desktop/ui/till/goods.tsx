import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PackagePlus, PackageSearch, Search } from "lucide-react";
import { memo, type RefObject, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import type { Product } from "../../../sync/entities/product.ts";
import { Button, IconButton } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { useProductSearch } from "../scanner/product-search.ts";
import { useMayManage, useShop } from "../session.tsx";
import type { PageStatus } from "../shop/client.ts";
import { useAnswer, useCategories, useStatus } from "../shop/use-shop-data.ts";
import { CashierButton } from "../staff/cashier-button.tsx";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import type { Cart } from "./cart.ts";
import { Grid, hueCount } from "./grid.tsx";
import "../components/field.css";

/** A view beside the categories, whose ids are never empty. */
const often = "";
/** A shop that sold fewer products than this finds them among all. */
const oftenMin = 12;
const oftenAgainMs = 600_000;

/** The products in a virtual grid, by search or category. */
export const Goods = memo(function Goods({
	words,
	lines,
	onWords,
	onEnter,
	onPick,
	onOpenItem,
	onSwitch,
	searchRef,
}: {
	words: string;
	/** The cart's, whose products' tickets count them. */
	lines: Cart["lines"];
	onWords(words: string): void;
	/** Sells the first product that the search finds in a category. */
	onEnter(words: string, category: string | null): void;
	onPick(product: Product): void;
	/** Sells an open item named by the search; absent if this member may not. */
	onOpenItem: ((words: string) => void) | undefined;
	/** Asks who sells now. */
	onSwitch(): void;
	searchRef: RefObject<HTMLInputElement | null>;
}) {
	const { say } = useWords();
	const best = useBestSellers();
	const [chosen, setChosen] = useState<string | null>();
	// Until a category is chosen, what is sold often.
	const view = chosen ?? (chosen === undefined && best ? often : null);
	const category = view === often ? null : view;
	const categories = useCategories();
	const hues = useMemo(
		() => new Map(categories.map(({ id }, i) => [id, (i % hueCount) + 1])),
		[categories],
	);
	const grid = useRef<HTMLDivElement>(null);
	const oftenSold = view === often && words.trim() === "" ? best : undefined;
	const found = useProductSearch(words, category, { isWanted: !oftenSold });
	const { isNear, readMore, error } = found;
	const isKnown = oftenSold !== undefined || found.isKnown;
	const isCurrent = oftenSold !== undefined || found.isCurrent;
	const products = oftenSold ?? found.products;
	const isEmpty = isKnown && products.length === 0;
	return (
		<section
			className="till-goods"
			aria-label={say("app.products")}
			aria-busy={!isCurrent}
		>
			<div className="till-search">
				<label>
					<Search size={20} aria-hidden />
					<input
						className="input"
						ref={searchRef}
						aria-label={say("till.search")}
						placeholder={say("till.search")}
						value={words}
						onChange={(event) => onWords(event.currentTarget.value)}
						onKeyDown={(event) => {
							if (event.ctrlKey || event.altKey || event.metaKey) return;
							const typed = event.currentTarget.value;
							if (event.key === "Enter" && typed.trim() !== "")
								onEnter(typed, category);
							else if (event.key === "Escape") onWords("");
							else if (event.key === "ArrowDown") grid.current?.focus();
							else return;
							event.preventDefault();
						}}
						maxLength={500}
						autoComplete="off"
						type="search"
					/>
					<kbd aria-hidden>/</kbd>
				</label>
				{onOpenItem && (
					<IconButton
						kind="default"
						label={say("item.open")}
						onClick={() => onOpenItem(words.trim())}
					>
						<PackagePlus size={22} aria-hidden />
					</IconButton>
				)}
				<CashierButton onSwitch={onSwitch} />
			</div>
			{(best || categories.length > 0) && (
				<Chips
					label={say("till.categories")}
					value={view}
					onChange={setChosen}
					choices={[
						...(best ? [{ value: often, label: say("till.often") }] : []),
						{ value: null, label: say("till.all") },
						...categories.map(({ id, name }) => ({
							value: id,
							label: name,
							...(hues.has(id) && { hue: hues.get(id) as number }),
						})),
					]}
				/>
			)}
			<LoadError error={error} />
			{isNear && !isEmpty && <p className="muted">{say("till.near")}</p>}
			{!isEmpty ? (
				<Grid
					ref={grid}
					products={products}
					lines={lines}
					hues={hues}
					onPick={onPick}
					onNearEnd={readMore}
					searchRef={searchRef}
				/>
			) : (
				<NothingFound words={words.trim()} onOpenItem={onOpenItem} />
			)}
		</section>
	);
});

/**
 * The products that are sold most, as they are now; undefined where there are few. Their order is read seldom, so that no
 * ticket moves under a finger.
 */
function useBestSellers(): readonly Product[] | undefined {
	const { shop } = useShop();
	const isFilled = useStatus("isFilled");
	const hasHistory = useStatus("hasHistory");
	const ranked = useQuery({
		enabled: isFilled,
		// A till that has just joined gets its history behind the products.
		queryKey: ["best sellers", shop.businessId, hasHistory],
		placeholderData: keepPreviousData,
		queryFn: () => shop.ask("product.bestSellers", {}),
		networkMode: "always",
		staleTime: oftenAgainMs,
	});
	const ids = ranked.data?.products.map(({ id }) => id) ?? [];
	const isEnough = ids.length >= oftenMin;
	const now = useAnswer("product.some", { ids }, { enabled: isEnough });
	return useMemo(() => {
		if (!isEnough) return undefined;
		const byId = new Map(now.data?.products.map((one) => [one.id, one]));
		return ranked.data?.products.map((one) => byId.get(one.id) ?? one);
	}, [isEnough, now.data, ranked.data]);
}

/** Shown when the search finds no product, or the shop has none. */
function NothingFound({
	words,
	onOpenItem,
}: {
	words: string;
	onOpenItem: ((words: string) => void) | undefined;
}) {
	const { say } = useWords();
	const mayManage = useMayManage();
	const isFilled = useStatus("isFilled");
	const isOnline = useStatus("isOnline");
	const any = useAnswer("product.list", { limit: 1 });
	const hasNone = any.data?.rows.length === 0;
	return (
		<Empty
			Icon={PackageSearch}
			hue={7}
			title={say(hasNone ? emptyWord({ isFilled, isOnline }) : "till.none")}
		>
			{onOpenItem && words !== "" && (
				<Button onClick={() => onOpenItem(words)}>
					{say("item.sellTyped", { name: words })}
				</Button>
			)}
			{hasNone && isFilled && mayManage && (
				<div className="row-flex">
					<Link className="btn btn-ink" href="/start">
						{say("till.fill")}
					</Link>
					<Link className="btn btn-default" href="/products?add=1">
						{say("till.addFirst")}
					</Link>
				</div>
			)}
		</Empty>
	);
}

function emptyWord({
	isFilled,
	isOnline,
}: Pick<PageStatus, "isFilled" | "isOnline">): Word {
	if (isFilled) return "till.noneYet";
	return isOnline === false ? "till.notYet" : "till.coming";
}
