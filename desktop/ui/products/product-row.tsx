import type { Category } from "../../../sync/entities/category.ts";
import { amountMax } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { cleanDecimal, decimalOf } from "../components/decimal.ts";
import type { useFormat } from "../format.ts";
import { glyphOf } from "../till/glyphs.ts";
import { useWords } from "../words/index.ts";
import { marginOf } from "./bulk-price.ts";
import { DecimalCell } from "./decimal-cell.tsx";
import { grouped } from "./grouped.ts";
import type { useEdits } from "./use-edits.ts";

export type NumberColumn = "quantity" | "buyingPrice" | "sellingPrice";

export const cellId = (column: NumberColumn, id: string) => `${column} ${id}`;

/** What the table's rows have in common. */
export interface RowTools {
	format: ReturnType<typeof useFormat>;
	edits: ReturnType<typeof useEdits>;
	categories: readonly Category[];
	/** Some amount of the list has cents. */
	hasCents: boolean;
	/** Some product is chosen, so that new prices are shown. */
	isChoosing: boolean;
	hueOf(product: Product): number;
	onOpen(product: Product): void;
	onChoose(product: Product): void;
	onNewPrice(id: string, typed: string): void;
	/** Moves the focus to another row of a column. */
	onStep(column: NumberColumn, index: number): void;
}

/** A product that is edited in its row. */
export function ProductRow({
	product,
	index,
	start,
	isChosen,
	fresh,
	tools,
}: {
	product: Product;
	index: number;
	/** Where the row is in the table, in pixels. */
	start: number;
	isChosen: boolean;
	/** The new price of a chosen product, as it is typed or computed. */
	fresh: string;
	tools: RowTools;
}) {
	const { say } = useWords();
	const { format, edits, categories, hasCents, isChoosing } = tools;
	const { id, name, sku, buyingPrice, sellingPrice, categoryId } = product;
	const figure = (value: number | null) =>
		value === null ? "–" : format.figure(value, hasCents);
	const cells = { product, index, tools };

	function setCategory(value: string): void {
		const chosen = categories.find((one) => one.id === value);
		const to = chosen?.name ?? say("products.noCategory");
		void edits.change(
			[{ product, set: { categoryId: chosen?.id ?? null } }],
			say("products.moved", { name, to }),
		);
	}

	return (
		<tr
			className="row"
			data-chosen={isChosen}
			aria-rowindex={index + 2}
			style={{ transform: `translateY(${start}px)` }}
		>
			<td className="cell-choose">
				<label>
					<input
						type="checkbox"
						checked={isChosen}
						aria-label={say("bulk.choose", { name })}
						onChange={() => tools.onChoose(product)}
					/>
				</label>
			</td>
			<NameCell {...cells} sku={sku} />
			<td className="cell-category">
				<select
					className="cell-input"
					aria-label={`${say("products.category")}: ${name}`}
					value={categoryId ?? ""}
					onChange={(event) => setCategory(event.currentTarget.value)}
				>
					<option value="">–</option>
					{categories.map((one) => (
						<option key={one.id} value={one.id}>
							{one.name}
						</option>
					))}
				</select>
			</td>
			<td className="cell-shelf">
				<StockCell {...cells} />
			</td>
			<td className="cell-cost">
				<PriceCell {...cells} column="buyingPrice" text={figure(buyingPrice)} />
			</td>
			<td className="cell-price">
				{isChosen && fresh !== "" ? (
					<s>{figure(sellingPrice)}</s>
				) : (
					<PriceCell
						{...cells}
						column="sellingPrice"
						text={figure(sellingPrice)}
					/>
				)}
			</td>
			{isChoosing && (
				<td className="cell-new">
					{isChosen && (
						<input
							className="input"
							inputMode="decimal"
							autoComplete="off"
							aria-label={say("bulk.newPrice", { name })}
							aria-invalid={(decimalOf(fresh) ?? 0) > amountMax || undefined}
							value={fresh}
							onFocus={(event) => event.currentTarget.select()}
							onChange={(event) =>
								tools.onNewPrice(id, cleanDecimal(event.currentTarget.value))
							}
						/>
					)}
				</td>
			)}
			<td className="cell-margin">
				<Margin product={product} fresh={isChosen ? fresh : ""} />
			</td>
		</tr>
	);
}

/** A product for a member who may only look. */
export function PlainProductRow({
	product,
	index,
	start,
	tools,
}: {
	product: Product;
	index: number;
	start: number;
	tools: Pick<RowTools, "format" | "hasCents" | "hueOf" | "onOpen">;
}) {
	const { format, hasCents } = tools;
	const { sku, category, quantity, lowStock, isService, sellingPrice } =
		product;
	return (
		<tr
			className="row"
			aria-rowindex={index + 2}
			style={{ transform: `translateY(${start}px)` }}
		>
			<NameCell product={product} sku={sku} tools={tools} />
			<td className="cell-category">{category?.name}</td>
			<td
				className={quantity <= lowStock ? "cell-shelf cell-low" : "cell-shelf"}
			>
				{!isService && format.quantity(quantity)}
			</td>
			<td className="cell-price">
				{sellingPrice === null ? "–" : format.figure(sellingPrice, hasCents)}
			</td>
		</tr>
	);
}

/** A product's picture or glyph, its name and its code; opens everything else about it. */
function NameCell({
	product,
	sku,
	tools: { hueOf, onOpen },
}: {
	product: Product;
	sku: string | null;
	tools: Pick<RowTools, "hueOf" | "onOpen">;
}) {
	const { name, thumbnailUrl } = product;
	const Glyph = glyphOf(name);
	return (
		<td className="cell-name">
			<button type="button" onClick={() => onOpen(product)}>
				<span
					className="product-stub"
					style={
						{ "--hue": `var(--hue-${hueOf(product)})` } as React.CSSProperties
					}
				>
					{thumbnailUrl ? (
						<img src={thumbnailUrl} alt="" loading="lazy" />
					) : (
						<Glyph size={20} strokeWidth={1.8} aria-hidden />
					)}
				</span>
				<span className="product-name">
					<span>{name}</span>
					{sku !== null && <span className="text-s muted">{grouped(sku)}</span>}
				</span>
			</button>
		</td>
	);
}

interface CellProps {
	product: Product;
	index: number;
	tools: RowTools;
}

function StockCell({
	product,
	index,
	tools: { format, edits, onStep },
}: CellProps) {
	const { say } = useWords();
	const { id, name, quantity, lowStock, isService } = product;
	if (isService) return null;
	return (
		<span className={quantity <= lowStock ? "cell-low" : undefined}>
			<DecimalCell
				id={cellId("quantity", id)}
				label={`${say("products.shelf")}: ${name}`}
				value={quantity}
				text={format.quantity(quantity)}
				onStep={(step) => onStep("quantity", index + step)}
				onSave={async (typed, seen) =>
					typed !== null &&
					seen !== null &&
					(await edits.count(
						product,
						{ counted: typed, seen },
						say("products.counted", {
							name,
							from: format.quantity(seen),
							to: format.quantity(typed),
						}),
					))
				}
			/>
		</span>
	);
}

function PriceCell({
	product,
	index,
	column,
	text,
	tools: { format, edits, onStep },
}: CellProps & { column: "buyingPrice" | "sellingPrice"; text: string }) {
	const { say } = useWords();
	const { name } = product;
	const figure = (value: number | null) =>
		value === null ? "–" : format.figure(value);
	const isPrice = column === "sellingPrice";
	return (
		<DecimalCell
			id={cellId(column, product.id)}
			label={`${say(isPrice ? "till.price" : "products.cost")}: ${name}`}
			value={product[column]}
			text={text}
			mayBeEmpty
			onStep={(step) => onStep(column, index + step)}
			onSave={(typed, seen) =>
				edits.change(
					[{ product, set: { [column]: typed } }],
					say(isPrice ? "products.priced" : "products.costed", {
						...{ name, from: figure(seen), to: figure(typed) },
					}),
				)
			}
		/>
	);
}

/** What is left of the price after the cost, before and after. */
function Margin({ product, fresh }: { product: Product; fresh: string }) {
	const { sellingPrice, buyingPrice } = product;
	const now = marginOf(sellingPrice, buyingPrice);
	const next =
		fresh === "" ? undefined : marginOf(decimalOf(fresh), buyingPrice);
	const percent = (value: number) =>
		String(value).replace("-", "\u2212").concat("%");
	if (next !== undefined && next !== now)
		return (
			<>
				{now !== undefined && <span className="muted">{percent(now)} → </span>}
				<b className={next < 0 ? "danger" : undefined}>{percent(next)}</b>
			</>
		);
	if (now === undefined) return null;
	return (
		<span className={now < 0 ? "danger strong" : "muted"}>{percent(now)}</span>
	);
}
