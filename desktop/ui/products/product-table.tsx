import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { useMayManage } from "../session.tsx";
import { useWords } from "../words/index.ts";
import {
	cellId,
	type NumberColumn,
	PlainProductRow,
	ProductRow,
	type RowTools,
} from "./product-row.tsx";
import type { useEdits } from "./use-edits.ts";

const rowHeight = 56;
/** Loads more when this many rows are left below the visible ones. */
const rowsAhead = 50;

/** All products that a filter or search finds; only the visible rows are drawn. */
export function ProductTable({
	products,
	categories,
	edits,
	chosen,
	freshOf,
	hueOf,
	onOpen,
	onChoose,
	onChooseAll,
	onNewPrice,
	onNearEnd,
}: {
	products: readonly Product[];
	categories: readonly Category[];
	edits: ReturnType<typeof useEdits>;
	chosen: ReadonlyMap<string, Product>;
	/** A chosen product's new price, as it is typed or computed. */
	freshOf(product: Product): string;
	hueOf: RowTools["hueOf"];
	onOpen: RowTools["onOpen"];
	onChoose: RowTools["onChoose"];
	onChooseAll(): void;
	onNewPrice: RowTools["onNewPrice"];
	onNearEnd(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const mayManage = useMayManage();
	const scroll = useRef<HTMLDivElement>(null);
	const rows = useVirtualizer({
		count: products.length,
		getScrollElement: () => scroll.current,
		estimateSize: () => rowHeight,
		overscan: 8,
	});
	const last = rows.getVirtualItems().at(-1)?.index ?? 0;
	const isNearEnd = last + rowsAhead >= products.length;
	useEffect(() => {
		if (isNearEnd) onNearEnd();
	}, [isNearEnd, onNearEnd]);

	function focusCell(column: NumberColumn, index: number): void {
		const product = products[index];
		if (!product) return;
		rows.scrollToIndex(index);
		document.getElementById(cellId(column, product.id))?.focus();
	}

	const isChoosing = chosen.size > 0;
	const hasAll = isChoosing && products.every(({ id }) => chosen.has(id));
	const { hasCents, highest, longest } = useMemo(
		() => widestOf(products),
		[products],
	);
	const tools: RowTools = {
		...{ format, edits, categories, isChoosing, hueOf },
		...{ onOpen, onChoose, onNewPrice, onStep: focusCell, hasCents },
	};
	return (
		<div className="scroll leaf products-scroll" ref={scroll}>
			<table
				className="products-table"
				aria-label={say("app.products")}
				data-kind={mayManage ? (isChoosing ? "choosing" : "editing") : "plain"}
				aria-rowcount={products.length + 1}
				style={
					{
						"--length": format.figure(highest, hasCents).length,
						"--stock-length": format.quantity(longest).length,
					} as React.CSSProperties
				}
			>
				<thead>
					<tr>
						{mayManage && (
							<th className="cell-choose" scope="col">
								<label>
									<input
										type="checkbox"
										checked={hasAll}
										ref={(box) => {
											if (box) box.indeterminate = isChoosing && !hasAll;
										}}
										aria-label={say("bulk.chooseAll")}
										onChange={onChooseAll}
									/>
								</label>
							</th>
						)}
						<th className="cell-name" scope="col">
							{say("products.product")}
						</th>
						<th className="cell-category" scope="col">
							{say("products.category")}
						</th>
						<th className="cell-shelf" scope="col">
							{say("products.shelf")}
						</th>
						{mayManage && (
							<th className="cell-cost" scope="col">
								{say("products.cost")}
							</th>
						)}
						<th className="cell-price" scope="col">
							{say("till.price")}
						</th>
						{isChoosing && (
							<th className="cell-new" scope="col">
								{say("bulk.new")}
							</th>
						)}
						{mayManage && (
							<th className="cell-margin" scope="col">
								{say("products.margin")}
							</th>
						)}
					</tr>
				</thead>
				<tbody style={{ height: rows.getTotalSize() }}>
					{rows.getVirtualItems().map(({ index, start }) => {
						const product = products[index] as Product;
						const { id } = product;
						const place = { product, index, start, tools };
						return mayManage ? (
							<ProductRow
								key={id}
								{...place}
								isChosen={chosen.has(id)}
								fresh={chosen.has(id) ? freshOf(product) : ""}
							/>
						) : (
							<PlainProductRow key={id} {...place} />
						);
					})}
				</tbody>
			</table>
		</div>
	);
}

/** What the columns of figures must have room for: the highest price, and the stock with the most digits. */
function widestOf(products: readonly Product[]) {
	const prices = products.flatMap(({ sellingPrice, buyingPrice }) => [
		sellingPrice ?? 0,
		buyingPrice ?? 0,
	]);
	return {
		hasCents: !prices.every(Number.isInteger),
		highest: prices.reduce((a, b) => Math.max(a, b), 0),
		longest: products.reduce(
			(longest, { quantity }) =>
				String(quantity).length > String(longest).length ? quantity : longest,
			0,
		),
	};
}
