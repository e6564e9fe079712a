import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
	type KeyboardEvent,
	memo,
	type RefObject,
	useEffect,
	useMemo,
	useState,
} from "react";
import { plus } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { type Cart, unitsOf } from "./cart.ts";
import { Ticket } from "./ticket.tsx";

/** Wider where there is room: at the end of a long name stands its pack's size. */
const ticketMinWidth = (width: number) => (width < 1_000 ? 156 : 172);
const rowHeight = 102;
/** Loads more when this many rows are left below the visible ones. */
const rowsAhead = 12;

/** As many hues as tokens.css has. */
export const hueCount = 10;

const idOf = ({ id }: Product) => `ticket-${id}`;

/**
 * Renders only the visible rows, and none while the answer to a key is still to come. One stop of the Tab key: the arrows move
 * within it, Enter adds, Escape goes back to the search.
 */
export const Grid = memo(function Grid({
	ref,
	products,
	lines,
	hues,
	onPick,
	onNearEnd,
	searchRef,
}: {
	ref: RefObject<HTMLDivElement | null>;
	products: readonly Product[];
	lines: Cart["lines"];
	/** By category. */
	hues: ReadonlyMap<string, number>;
	onPick(product: Product): void;
	onNearEnd(): void;
	/** Gets the focus from the first row, and by Escape. */
	searchRef: RefObject<HTMLInputElement | null>;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { ref: sizeRef, width } = useElementSize();
	const scroller = useMergedRef(ref, sizeRef);
	const [active, setActive] = useState<number>();
	const columns = Math.max(2, Math.floor((width - 8) / ticketMinWidth(width)));
	const rows = useVirtualizer({
		count: Math.ceil(products.length / columns),
		getScrollElement: () => ref.current,
		estimateSize: () => rowHeight,
	});
	// A search draws no more than is seen and a row on each side.
	rows.setOptions({ ...rows.options, overscan: rows.isScrolling ? 4 : 1 });
	const last = rows.getVirtualItems().at(-1)?.index ?? 0;
	const isNearEnd = (last + rowsAhead) * columns >= products.length;
	useEffect(() => {
		if (isNearEnd) onNearEnd();
	}, [isNearEnd, onNearEnd]);
	const inCart = useMemo(() => {
		const counts = new Map<string, number>();
		for (const { productId, ...line } of lines)
			if (productId)
				counts.set(productId, plus(counts.get(productId) ?? 0, unitsOf(line)));
		return counts;
	}, [lines]);

	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const steps: Record<string, number> = {
			ArrowRight: 1,
			ArrowLeft: -1,
			ArrowDown: columns,
			ArrowUp: -columns,
		};
		const step = steps[event.key];
		const now = active ?? 0;
		if (step !== undefined) {
			const next = now + step;
			if (next < 0) searchRef.current?.focus();
			else if (next < products.length) {
				setActive(next);
				rows.scrollToIndex(Math.floor(next / columns));
			}
		} else if (event.key === "Enter") {
			const product = products[now];
			if (product) onPick(product);
		} else if (event.key === "Escape") searchRef.current?.focus();
		// A letter may be a scanner's, whose code must not be split: the scanner's hook passes on what is typed.
		else return;
		event.preventDefault();
	}

	const activeProduct = active === undefined ? undefined : products[active];
	return (
		// biome-ignore lint/a11y/useSemanticElements: a field set has no active descendant.
		<div
			className="scroll till-grid"
			ref={scroller}
			role="group"
			aria-label={say("till.grid")}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: the keys above.
			tabIndex={0}
			aria-activedescendant={activeProduct && idOf(activeProduct)}
			onKeyDown={onKeyDown}
			onFocus={() => setActive((now) => now ?? 0)}
			onBlur={() => setActive(undefined)}
		>
			<div className="goods" style={{ height: rows.getTotalSize() }}>
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
								.map((product, i) => (
									<Ticket
										key={product.id}
										id={idOf(product)}
										product={product}
										hue={hues.get(product.categoryId ?? "") ?? hueCount}
										inCart={inCart.get(product.id) ?? 0}
										isActive={active === index * columns + i}
										format={format}
										onPick={onPick}
									/>
								))}
						</div>
					))}
			</div>
		</div>
	);
});
