import type { Delivery } from "../../../sync/entities/delivery.ts";
import {
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import { Money } from "../components/money.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** What a line of a delivery costs. */
export const lineTotal = (cost: number, quantity: number) =>
	toDecimal(
		sumOfProducts([{ price: toMicros(cost), quantity: toMicros(quantity) }]),
	);

/** One delivery or return with its lines. */
export function DeliverySheet({
	delivery: { supplierName, number, isReturn, items, total, paid, createdAt },
	onClose,
}: {
	delivery: Delivery;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Sheet
			title={supplierName ?? say("suppliers.nobody")}
			aside={<Money value={total} />}
			onClose={onClose}
		>
			<p className="muted customer-facts">
				{[
					say(isReturn ? "suppliers.sentBack" : "suppliers.received"),
					format.moment(createdAt),
					number,
				]
					.filter(Boolean)
					.join(" · ")}
			</p>
			<ul className="customer-entries">
				{items.map(({ id, name, quantity, cost, packName }) => (
					<li key={id}>
						<span className="grow picker-name">
							<span>{[name, packName].filter(Boolean).join(" · ")}</span>
							<span className="muted text-s">
								{`${format.quantity(quantity)} × ${format.figure(cost)}`}
							</span>
						</span>
						<span className="figure strong">
							{format.figure(lineTotal(cost, quantity))}
						</span>
					</li>
				))}
			</ul>
			{paid !== 0 && (
				<div className="receive-sum">
					{say(isReturn ? "suppliers.givenBack" : "suppliers.paid")}
					<Money value={Math.abs(paid)} />
				</div>
			)}
		</Sheet>
	);
}
