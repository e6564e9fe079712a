import {
	ActionIcon,
	Button,
	Chip,
	Group,
	Kbd,
	Stack,
	Text,
	TextInput,
} from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { PackagePlus, Search } from "lucide-react";
import {
	type MouseEvent,
	memo,
	type RefObject,
	useEffect,
	useRef,
	useState,
} from "react";
import { Link } from "wouter";
import type { Product } from "../../../sync/entities/product.ts";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { useProductSearch } from "../scanner/product-search.ts";
import { useMayManage } from "../session.tsx";
import type { PageStatus } from "../shop/client.ts";
import {
	useAnswer,
	useCategories,
	usePageStatus,
} from "../shop/use-shop-data.ts";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";

const cardMinWidth = 150;
const rowHeight = 120;
/** Loads more when this many rows are left below the visible ones. */
const rowsAhead = 12;

/** The products in a virtual grid, by search or category. */
export const Goods = memo(function Goods({
	words,
	onWords,
	onEnter,
	onPick,
	onOpenItem,
	searchRef,
}: {
	words: string;
	onWords(words: string): void;
	/** Sells the first product that the search finds in a category. */
	onEnter(words: string, category: string | null): void;
	onPick(product: Product): void;
	/** Sells an open item named by the search; absent if this member may not. */
	onOpenItem: ((words: string) => void) | undefined;
	searchRef: RefObject<HTMLInputElement | null>;
}) {
	const { say } = useWords();
	const [category, setCategory] = useState<string | null>(null);
	const categories = useCategories();
	const found = useProductSearch(words, category);
	const { products, isKnown, isCurrent, readMore, error } = found;
	const isEmpty = isKnown && products.length === 0;
	return (
		<section
			className="till-goods"
			aria-label={say("app.products")}
			aria-busy={!isCurrent}
		>
			<Group gap="xs" wrap="nowrap">
				<TextInput
					ref={searchRef}
					flex={1}
					size="lg"
					aria-label={say("till.search")}
					placeholder={say("till.search")}
					leftSection={<Search size={18} aria-hidden />}
					rightSection={<Kbd>/</Kbd>}
					value={words}
					onChange={(event) => onWords(event.currentTarget.value)}
					onKeyDown={(event) => {
						const typed = event.currentTarget.value;
						if (event.key === "Enter" && typed.trim() !== "")
							onEnter(typed, category);
						else if (event.key === "Escape") onWords("");
					}}
					maxLength={500}
					autoComplete="off"
					type="search"
				/>
				{onOpenItem && (
					<ActionIcon
						size={50}
						variant="default"
						aria-label={say("item.open")}
						title={say("item.open")}
						onClick={() => onOpenItem(words.trim())}
					>
						<PackagePlus size={22} />
					</ActionIcon>
				)}
			</Group>
			{categories.length > 0 && (
				<Chip.Group
					value={category ?? ""}
					onChange={(value) => setCategory((value as string) || null)}
				>
					<Group gap="xs" wrap="nowrap" style={{ overflowX: "auto" }} pb={4}>
						<Chip value="" size="md" classNames={{ label: "touch" }}>
							{say("till.all")}
						</Chip>
						{categories.map(({ id, name }) => (
							<Chip
								key={id}
								value={id}
								size="md"
								classNames={{ label: "touch" }}
							>
								{name}
							</Chip>
						))}
					</Group>
				</Chip.Group>
			)}
			<LoadError error={error} />
			{!isEmpty ? (
				<Grid products={products} onPick={onPick} onNearEnd={readMore} />
			) : (
				<NothingFound words={words.trim()} onOpenItem={onOpenItem} />
			)}
		</section>
	);
});

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
	const { isFilled, isOnline } = usePageStatus();
	const any = useAnswer("product.list", { limit: 1 });
	const hasNone = any.data?.rows.length === 0;
	return (
		<Stack align="center" p="xl">
			<Text c="dimmed" ta="center">
				{say(hasNone ? emptyWord({ isFilled, isOnline }) : "till.none")}
			</Text>
			{onOpenItem && words !== "" && (
				<Button
					size="md"
					variant="light"
					maw="100%"
					onClick={() => onOpenItem(words)}
				>
					{say("item.sellTyped", { name: words })}
				</Button>
			)}
			{hasNone && isFilled && mayManage && (
				<Button component={Link} href="/products?add=1" size="md">
					{say("till.addFirst")}
				</Button>
			)}
		</Stack>
	);
}

function emptyWord({
	isFilled,
	isOnline,
}: Pick<PageStatus, "isFilled" | "isOnline">): Word {
	if (isFilled) return "till.noneYet";
	return isOnline === false ? "till.notYet" : "till.coming";
}

/** Renders only the visible rows. */
function Grid({
	products,
	onPick,
	onNearEnd,
}: {
	products: readonly Product[];
	onPick(product: Product): void;
	onNearEnd(): void;
}) {
	const format = useFormat();
	const { ref: sizeRef, width } = useElementSize();
	const scroll = useRef<HTMLDivElement>(null);
	const columns = Math.max(2, Math.floor(width / cardMinWidth));
	const rows = useVirtualizer({
		count: Math.ceil(products.length / columns),
		getScrollElement: () => scroll.current,
		estimateSize: () => rowHeight,
		overscan: 3,
	});
	const last = rows.getVirtualItems().at(-1)?.index ?? 0;
	const isNearEnd = (last + rowsAhead) * columns >= products.length;
	useEffect(() => {
		if (isNearEnd) onNearEnd();
	}, [isNearEnd, onNearEnd]);
	return (
		<div className="scroll" ref={scroll}>
			<div
				className="goods"
				ref={sizeRef}
				style={{ height: rows.getTotalSize() }}
			>
				{width > 0 &&
					rows.getVirtualItems().map(({ index, start }) => (
						<div
							key={index}
							className="goods-row"
							style={{
								transform: `translateY(${start}px)`,
								gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
							}}
						>
							{products
								.slice(index * columns, (index + 1) * columns)
								.map((product) => (
									<Card
										key={product.id}
										product={product}
										format={format}
										onPick={onPick}
									/>
								))}
						</div>
					))}
			</div>
		</div>
	);
}

/** Plain elements that render only when their product changes: each key typed replaces dozens of cards. */
const Card = memo(function Card({
	product,
	format,
	onPick,
}: {
	product: Product;
	format: ReturnType<typeof useFormat>;
	onPick(product: Product): void;
}) {
	const { say } = useWords();
	const { name, quantity, lowStock, isService, sellingPrice } = product;
	const isLow = !isService && quantity <= lowStock;
	return (
		<button
			type="button"
			className="product"
			onMouseDown={keepOffFocus}
			onClick={() => onPick(product)}
		>
			<span className="product-head">
				{product.thumbnailUrl ? (
					<img src={product.thumbnailUrl} alt="" width={40} height={40} />
				) : (
					<span className="product-initials" aria-hidden>
						{initialsOf(name)}
					</span>
				)}
				<span className="product-name">{name}</span>
			</span>
			<span className="product-foot">
				<strong>
					{sellingPrice === null ? "–" : format.money(sellingPrice)}
				</strong>
				{!isService && (
					<span className={isLow ? "product-low" : "product-stock"}>
						{quantity > 0
							? say("till.left", { count: format.quantity(quantity) })
							: say("till.out")}
					</span>
				)}
			</span>
		</button>
	);
});

/** Keeps a tapped card from taking the focus, so that no later Enter can press it. The Tab key still reaches it. */
function keepOffFocus(event: MouseEvent): void {
	event.preventDefault();
	const { activeElement } = document;
	// A line's field commits its value on blur.
	if (activeElement instanceof HTMLElement) activeElement.blur();
}

function initialsOf(name: string): string {
	const [first = "", second = ""] = name.match(/\p{L}+/gu) ?? [];
	return (first.charAt(0) + second.charAt(0)).toUpperCase();
}
