import { lazy, type Ref, Suspense } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import type { ChooseProduct } from "../sales/sale-detail.tsx";
import type { ReceiptCode } from "../scanner/receipt-code.ts";
import { SwitchSheet } from "../staff/switch-sheet.tsx";
import {
	type Cart,
	type CartLine,
	changeLine,
	discountCart,
	discountLine,
} from "./cart.ts";
import { DiscountSheet } from "./discount-sheet.tsx";
import { HeldSheet } from "./held-sheet.tsx";
import { type ItemAnswer, ItemSheet } from "./item-sheet.tsx";
import { KeysSheet } from "./keys-sheet.tsx";
import { NoteSheet } from "./note-sheet.tsx";
import {
	QuantityQuestion,
	type UnusualQuantity,
} from "./quantity-question.tsx";
import { ReceiptSheet } from "./receipt-sheet.tsx";
import type { Method } from "./sale.ts";
import type { Wanted } from "./use-item-request.ts";
import { WhichSheet } from "./which-sheet.tsx";

const KeepSheet = lazy(() => import("../layaways/keep-sheet.tsx"));

/** The sheet over the goods or, on a phone, over the cart's sheet. */
export type Stage =
	| { at: "goods" | "help" | "held" | "note" | "cashier" | "keeping" }
	| { at: "paying"; method: Method }
	| { at: "receipt"; asked: ReceiptCode }
	| { at: "discount"; line: CartLine | undefined };

/** The sheets over the sale, but for payment. */
export function TillSheets({
	stage,
	cart,
	held,
	wanted,
	doubt,
	mayKeep,
	change,
	onResume,
	onKeep,
	onKept,
	onSell,
	onWhich,
	onDoubtAnswered,
	onItemClosed,
	returnRef,
	onClose,
}: {
	stage: Stage;
	cart: Cart;
	held: Cart[];
	/** What has to be asked about. */
	wanted: Wanted | undefined;
	doubt: UnusualQuantity | undefined;
	/** Whether a price or product asked about may be kept. */
	mayKeep: boolean;
	change(changed: (cart: Cart) => Cart): void;
	onResume(id: string): void;
	/** Keeps the cart as it is by then. What is scanned meanwhile goes into the next one. */
	onKeep(keep: (cart: Cart) => Promise<void>): void;
	/** The cart's goods are kept for a customer. */
	onKept(): void;
	onSell(answer: ItemAnswer): Promise<void>;
	onWhich(product: Product): Promise<void>;
	onDoubtAnswered(): void;
	onItemClosed(): void;
	/** Takes a product scanned while a receipt is shown. */
	returnRef: Ref<ChooseProduct>;
	onClose(): void;
}) {
	const { digits } = useFormat();
	return (
		<>
			{stage.at === "discount" && (
				<DiscountSheet
					line={stage.line}
					onDiscount={(off) =>
						change((now) =>
							stage.line
								? discountLine(now, stage.line.id, off, digits)
								: discountCart(now, off, digits),
						)
					}
					onClose={onClose}
				/>
			)}
			{stage.at === "held" && (
				<HeldSheet
					held={held}
					onResume={(id) => {
						onResume(id);
						onClose();
					}}
					onClose={onClose}
				/>
			)}
			{stage.at === "note" && (
				<NoteSheet
					note={cart.note}
					onNote={(note) => change((now) => ({ ...now, note }))}
					onClose={onClose}
				/>
			)}
			{stage.at === "keeping" && (
				<Suspense>
					<KeepSheet
						cart={cart}
						onKeep={onKeep}
						onKept={onKept}
						onClose={onClose}
					/>
				</Suspense>
			)}
			{stage.at === "receipt" && (
				<ReceiptSheet
					key={JSON.stringify(stage.asked)}
					asked={stage.asked}
					chooseRef={returnRef}
					onClose={onClose}
				/>
			)}
			{stage.at === "cashier" && <SwitchSheet onClose={onClose} />}
			{stage.at === "help" && <KeysSheet onClose={onClose} />}
			{wanted && "which" in wanted && (
				<WhichSheet
					products={[wanted.which.product, ...wanted.which.others]}
					onChoose={(product) => void onWhich(product)}
					onClose={onItemClosed}
				/>
			)}
			{wanted && !("which" in wanted) && (
				<ItemSheet
					key={JSON.stringify(wanted)}
					wanted={wanted}
					mayKeep={mayKeep}
					onSell={onSell}
					onClose={onItemClosed}
				/>
			)}
			{doubt && (
				<QuantityQuestion
					doubt={doubt}
					onAnswer={(isRight) => {
						const { line, quantity } = doubt;
						if (isRight)
							change((now) => changeLine(now, line.id, { quantity }));
						onDoubtAnswered();
					}}
				/>
			)}
		</>
	);
}
