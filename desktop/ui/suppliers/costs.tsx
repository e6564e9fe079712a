import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** What a product cost by its deliveries, and who brought it. Shows nothing before the first. */
export function Costs({ productId }: { productId: string }) {
	const { say } = useWords();
	const format = useFormat();
	const { data } = useAnswer("product.costs", { id: productId });
	if (!data || data.last === null || data.average === null) return null;
	const cents = (amount: number) => Math.round(amount * 100) / 100;
	return (
		<>
			<h3>{say("suppliers.deliveries")}</h3>
			<p>
				{say("suppliers.costs", {
					last: format.money(cents(data.last)),
					average: format.money(cents(data.average)),
				})}
			</p>
			<table className="stock-history">
				<tbody>
					{data.deliveries.map((one) => (
						<tr key={one.deliveryId}>
							<td>
								{one.supplierName ?? say("suppliers.nobody")}
								<div className="text-s muted">
									{format.fullDay(one.businessDay)}
								</div>
							</td>
							<td className="amount">
								{say("suppliers.broughtBy", {
									quantity: format.quantity(one.quantity),
									cost: format.money(cents(one.cost)),
								})}
							</td>
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}
