import { packText } from "../../../sync/receipts/pack-text.ts";
import { Button } from "../components/button.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import type { CartLine } from "./cart.ts";

/** A larger quantity needs confirmation: it may be a barcode, or have a 0 too many. */
export const usualMax = 10_000;

export interface UnusualQuantity {
	line: CartLine;
	quantity: number;
}

/** Asks whether an unusually large quantity is right. Enter means no. */
export function QuantityQuestion({
	doubt: { line, quantity },
	onAnswer,
}: {
	doubt: UnusualQuantity;
	onAnswer(isRight: boolean): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Sheet
			place="goods"
			title={[
				...[`${format.quantity(quantity)} ×`, packText(line, format.quantity)],
				line.name,
			]
				.filter(Boolean)
				.join(" ")}
			onClose={() => onAnswer(false)}
		>
			<p style={{ margin: 0 }}>{say("till.doubt")}</p>
			<div className="sheet-foot">
				<Button onClick={() => onAnswer(true)}>
					{say("till.doubtYes", { quantity: format.quantity(quantity) })}
				</Button>
				<Button kind="ink" data-autofocus onClick={() => onAnswer(false)}>
					{say("till.doubtNo", { quantity: format.quantity(line.quantity) })}
				</Button>
			</div>
		</Sheet>
	);
}
