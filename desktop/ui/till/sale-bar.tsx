import { ChevronUp } from "lucide-react";
import { Button } from "../components/button.tsx";
import { Money } from "../components/money.tsx";
import { useWords } from "../words/index.ts";
import { type Cart, totalOf } from "./cart.ts";

/** On a phone: the sale in one row, with its way to pay; it owns the bottom edge. */
export function SaleBar({
	cart,
	heldCount,
	onShow,
	onHeld,
	onExactCash,
	onPay,
}: {
	cart: Cart;
	heldCount: number;
	onShow(): void;
	onHeld(): void;
	onExactCash(): void;
	onPay(): void;
}) {
	const { say } = useWords();
	const isEmpty = cart.lines.length === 0;
	return (
		<div className="till-bar">
			<div className="perforation" />
			<button
				type="button"
				className="bar-sale"
				disabled={isEmpty && heldCount === 0}
				onClick={isEmpty ? onHeld : onShow}
			>
				<ChevronUp size={18} aria-hidden />
				{isEmpty && heldCount > 0
					? say("till.held", { count: heldCount })
					: say("till.items", { count: cart.lines.length })}
				<Money value={totalOf(cart)} size="total" />
			</button>
			<div className="stub-pay">
				<Button size="l" disabled={isEmpty} onClick={onExactCash}>
					{say("till.exactCash")}
				</Button>
				<Button kind="pay" size="l" disabled={isEmpty} onClick={() => onPay()}>
					{say("till.pay")}
				</Button>
			</div>
		</div>
	);
}
