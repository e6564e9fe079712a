import { PackageCheck, Pause, Percent, StickyNote, Trash2 } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { plus } from "../../../sync/entities/money.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { Button, IconButton } from "../components/button.tsx";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useKept } from "../layaways/use-kept.ts";
import { useMayPrice } from "../staff/use-limits.ts";
import { useWords } from "../words/index.ts";
import {
	type Cart,
	type CartLine,
	lacksPrice,
	savedOf,
	totalOf,
} from "./cart.ts";
import type { UnusualQuantity } from "./quantity-question.tsx";
import type { Method } from "./sale.ts";
import { type LineChange, SaleLine } from "./sale-line.tsx";
import "./sale.css";

/** What the sheets over the sale are opened with. */
export interface SaleActions {
	onOpenLine(id: string | undefined): void;
	onChangeLine(line: CartLine, change: LineChange): void;
	/** Undefined means the product's own unit. */
	onPack(line: CartLine, pack: ProductPack | undefined): void;
	onClear(): void;
	onHold(): void;
	onHeld(): void;
	onNote(): void;
	/** Keeps the goods for a customer who pays in parts. */
	onKeep(): void;
	/** Undefined means the whole cart. */
	onDiscount(line?: CartLine): void;
	/** Takes the exact amount in cash at once. */
	onExactCash(): void;
	onPay(method?: Method): void;
	onUnusualQuantity(doubt: UnusualQuantity): void;
}

/** The current sale: its lines, and the stub that is torn off when it is paid. */
export const SalePanel = memo(function SalePanel({
	cart,
	heldCount,
	products,
	openLine,
	actions,
	isInSheet,
}: {
	cart: Cart;
	heldCount: number;
	/** The id of the line that shows its tools. */
	openLine: string | undefined;
	/** The cart's products by id, as far as they are loaded. */
	products: ReadonlyMap<string, Product>;
	actions: SaleActions;
	/** The sheet around it has the title and the tools. */
	isInSheet: boolean;
}) {
	const { say } = useWords();
	return (
		<section
			className={isInSheet ? "sale sale-in-sheet" : "sale"}
			aria-label={say("till.cart")}
		>
			{(!isInSheet || heldCount > 0) && (
				<div className="sale-head">
					{!isInSheet && (
						<h2>
							{say("till.cart")} <SaleCount cart={cart} />
						</h2>
					)}
					{heldCount > 0 && (
						<Button kind="quiet" size="s" onClick={actions.onHeld}>
							{say("till.held", { count: heldCount })}
						</Button>
					)}
					{!isInSheet && <SaleTools cart={cart} actions={actions} />}
				</div>
			)}
			<Lines
				lines={cart.lines}
				products={products}
				openLine={openLine}
				actions={actions}
			/>
			<Stub cart={cart} actions={actions} />
		</section>
	);
});

/** How many things are sold. */
export function SaleCount({ cart: { lines } }: { cart: Cart }) {
	const { say } = useWords();
	const format = useFormat();
	if (lines.length === 0) return null;
	const pieces = lines.reduce((sum, line) => plus(sum, line.quantity), 0);
	return (
		<span className="sale-count">
			{say("till.pieces", {
				count: Math.ceil(pieces),
				quantity: format.quantity(pieces),
			})}
		</span>
	);
}

/** What is done with the whole sale. */
export function SaleTools({
	cart,
	actions,
}: {
	cart: Cart;
	actions: SaleActions;
}) {
	const { say } = useWords();
	const mayPrice = useMayPrice();
	const isEmpty = cart.lines.length === 0;
	return (
		<div className="sale-tools">
			<IconButton
				label={say("till.note")}
				aria-pressed={cart.note !== ""}
				onClick={actions.onNote}
			>
				<StickyNote size={20} aria-hidden />
			</IconButton>
			<IconButton
				label={say("layaways.keep")}
				disabled={isEmpty}
				onClick={actions.onKeep}
			>
				<PackageCheck size={20} aria-hidden />
			</IconButton>
			{mayPrice && (
				<IconButton
					label={say("till.discount")}
					disabled={isEmpty}
					onClick={() => actions.onDiscount()}
				>
					<Percent size={20} aria-hidden />
				</IconButton>
			)}
			<IconButton
				isDanger
				label={say("till.clear")}
				disabled={isEmpty}
				onClick={actions.onClear}
			>
				<Trash2 size={20} aria-hidden />
			</IconButton>
		</div>
	);
}

/** The lines, with the tools of the one that was touched last. */
function Lines({
	lines,
	products,
	openLine,
	actions,
}: {
	lines: readonly CartLine[];
	products: ReadonlyMap<string, Product>;
	openLine: string | undefined;
	actions: SaleActions;
}) {
	const { say } = useWords();
	const mayPrice = useMayPrice();
	const { onChangeLine, onDiscount, onUnusualQuantity } = actions;
	const kept = useKept();
	const list = useRef<HTMLUListElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the line that has just opened.
	useEffect(() => {
		list.current
			?.querySelector("[data-open=true]")
			?.scrollIntoView({ block: "nearest" });
	}, [openLine]);
	return (
		<div className="scroll" aria-live="polite">
			{lines.length === 0 ? (
				<p className="muted" style={{ padding: "28px 20px", margin: 0 }}>
					{say("till.empty")}
				</p>
			) : (
				<ul ref={list} style={{ listStyle: "none", margin: 0, padding: 0 }}>
					{lines.map((line) => (
						<SaleLine
							key={line.id}
							line={line}
							product={products.get(line.productId ?? "")}
							stock={
								line.productId && !line.isService
									? products.get(line.productId)?.quantity
									: undefined
							}
							kept={kept.get(line.productId ?? "")}
							lacksPrice={lacksPrice(line, products)}
							mayPrice={mayPrice}
							isOpen={line.id === openLine}
							onOpen={actions.onOpenLine}
							onChange={onChangeLine}
							onPack={actions.onPack}
							onDiscount={onDiscount}
							onUnusualQuantity={onUnusualQuantity}
						/>
					))}
				</ul>
			)}
		</div>
	);
}

/** The total, torn off along its perforation when the sale is paid. */
function Stub({ cart, actions }: { cart: Cart; actions: SaleActions }) {
	const { say } = useWords();
	const format = useFormat();
	const isEmpty = cart.lines.length === 0;
	const total = totalOf(cart);
	const saved = savedOf(cart);
	return (
		<>
			<div className="perforation" />
			<div className="stub">
				{saved > 0 && (
					<div className="stub-row text-s">
						<span className="muted">
							{say("till.beforeDiscount", {
								amount: format.figure(plus(total, saved)),
							})}
						</span>
						<span className="saved">
							{say("till.saved", { amount: format.figure(saved) })}
						</span>
					</div>
				)}
				<div className="stub-total">
					{say("till.total")}
					<Money value={total} size="total" testId="total" />
				</div>
				<div className="stub-pay stub-quick">
					<Button size="s" disabled={isEmpty} onClick={actions.onExactCash}>
						{say("till.exactCash")}
					</Button>
					<Button
						size="s"
						disabled={isEmpty}
						onClick={() => actions.onPay("MPESA")}
					>
						{say("pay.MPESA")}
					</Button>
					<Button
						size="s"
						disabled={isEmpty}
						onClick={() => actions.onPay("CARD")}
					>
						{say("pay.CARD")}
					</Button>
				</div>
				<div className="stub-pay">
					<Button
						size="l"
						title={say("till.hold")}
						disabled={isEmpty}
						onClick={actions.onHold}
					>
						<Pause size={22} aria-hidden />
						<kbd aria-hidden>F9</kbd>
					</Button>
					<Button
						kind="pay"
						size="l"
						disabled={isEmpty}
						onClick={() => actions.onPay()}
					>
						{say("till.pay")} <kbd aria-hidden>F8</kbd>
					</Button>
				</div>
			</div>
		</>
	);
}
