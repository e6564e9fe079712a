import { Minus, Percent, Plus, Trash2 } from "lucide-react";
import { memo } from "react";
import { amountMax, plus } from "../../../sync/entities/money.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { IconButton } from "../components/button.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { type CartLine, lineTotal, savedOn, unitsOf } from "./cart.ts";
import { PackChoice } from "./pack-choice.tsx";
import { type UnusualQuantity, usualMax } from "./quantity-question.tsx";
import { TypedNumber } from "./typed-number.tsx";
import "../components/stepper.css";

export type LineChange = Partial<Pick<CartLine, "quantity" | "price">>;

/** Renders again only when its line changes: a long sale must not slow down the next scan. */
export const SaleLine = memo(function SaleLine({
	line,
	product,
	stock,
	kept = 0,
	lacksPrice,
	mayPrice,
	isOpen,
	onOpen,
	onChange,
	onPack,
	onDiscount,
	onUnusualQuantity,
}: {
	line: CartLine;
	/** Undefined until it is loaded. */
	product: Product | undefined;
	/** Undefined for a product without stock. */
	stock: number | undefined;
	/** How many of the stock are kept for customers. */
	kept: number | undefined;
	/** The product has no price: the cashier types one. */
	lacksPrice: boolean;
	mayPrice: boolean;
	/** One line at a time shows its tools. */
	isOpen: boolean;
	onOpen(id: string | undefined): void;
	onChange(line: CartLine, change: LineChange): void;
	onPack(line: CartLine, pack: ProductPack | undefined): void;
	onDiscount(line: CartLine): void;
	onUnusualQuantity(doubt: UnusualQuantity): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { name, quantity, price } = line;
	const saved = savedOn(line);
	const pack = packText(line, format.quantity);
	const unit = pack ? undefined : line.unit;
	const listPrice = format.figure(line.listPrice);
	return (
		<li className="line line-new" data-open={isOpen}>
			<button
				type="button"
				className="line-head"
				aria-expanded={isOpen}
				onClick={() => onOpen(isOpen ? undefined : line.id)}
			>
				<span className="line-quantity" data-many={quantity !== 1}>
					{format.quantity(quantity)}
				</span>
				<span className="line-name">{name}</span>
				<span className="line-total">{format.figure(lineTotal(line))}</span>
				<span className="line-more">
					{pack && <span>{pack} </span>}
					{unit ? (
						<span>
							{listPrice}/{unit}{" "}
						</span>
					) : (
						(quantity !== 1 || saved > 0) && (
							<span>{say("till.each", { price: listPrice })} </span>
						)
					)}
					{saved > 0 && (
						<span className="saved">
							{say("till.saved", { amount: format.figure(saved) })}{" "}
						</span>
					)}
					{lacksPrice && price === 0 && (
						<span className="danger">{say("till.unpriced")} </span>
					)}
					{stock !== undefined && plus(unitsOf(line), kept) > stock && (
						<span className="attention">
							{kept > 0
								? say("layaways.kept", { quantity: format.quantity(kept) })
								: say("till.below")}
						</span>
					)}
				</span>
			</button>
			{isOpen && (
				<LineTools
					line={line}
					product={product}
					mayPrice={mayPrice}
					lacksPrice={lacksPrice}
					onChange={onChange}
					onPack={onPack}
					onDiscount={onDiscount}
					onUnusualQuantity={onUnusualQuantity}
				/>
			)}
		</li>
	);
});

/** What can be changed about the open line. */
function LineTools({
	line,
	product,
	mayPrice,
	lacksPrice,
	onChange,
	onPack,
	onDiscount,
	onUnusualQuantity,
}: Omit<
	Parameters<typeof SaleLine>[0],
	"stock" | "kept" | "isOpen" | "onOpen"
>) {
	const { say } = useWords();
	const { name, quantity } = line;
	const set = (change: LineChange) => onChange(line, change);
	return (
		<div className="line-tools">
			<div className="stepper">
				<IconButton
					label={`${say("till.less")}: ${name}`}
					onClick={() => set({ quantity: plus(quantity, -1) })}
				>
					<Minus size={18} aria-hidden />
				</IconButton>
				<TypedNumber
					label={`${say("till.quantity")}: ${name}`}
					value={quantity}
					isValid={(typed) =>
						typed > 0 && (typed <= usualMax || typed === quantity)
					}
					onValid={(typed) => set({ quantity: typed })}
					onInvalid={(typed) => {
						if (typed > usualMax && typed <= amountMax)
							onUnusualQuantity({ line, quantity: typed });
					}}
				/>
				<IconButton
					label={`${say("till.more")}: ${name}`}
					onClick={() => set({ quantity: plus(quantity, 1) })}
				>
					<Plus size={18} aria-hidden />
				</IconButton>
			</div>
			{(mayPrice || lacksPrice) && (
				<TypedNumber
					className="input line-price"
					label={`${say("till.price")}: ${name}`}
					value={line.price}
					isValid={(price) => price <= amountMax}
					onValid={(price) => set({ price })}
				/>
			)}
			{mayPrice && (
				<IconButton
					label={`${say("till.discount")}: ${name}`}
					onClick={() => onDiscount(line)}
				>
					<Percent size={18} aria-hidden />
				</IconButton>
			)}
			<IconButton
				isDanger
				label={`${say("till.remove")}: ${name}`}
				onClick={() => set({ quantity: 0 })}
			>
				<Trash2 size={18} aria-hidden />
			</IconButton>
			{product && (
				<PackChoice
					line={line}
					product={product}
					onPack={(pack) => onPack(line, pack)}
				/>
			)}
		</div>
	);
}
