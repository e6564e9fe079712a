import type { LowStock } from "../../sync/entities/entity.ts";
import { toDecimal } from "../../sync/entities/money.ts";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Connection } from "../../sync/store/store.ts";
import { notify } from "./notifications.ts";

const quantities = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** Notifies each member of the business, in the transaction of the sale that took the product to its threshold. */
export async function notifyLowStock(
	tx: Connection,
	env: Env,
	businessId: string,
	{ id: productId, name, quantity, lowStock }: LowStock,
): Promise<void> {
	const left = toDecimal(quantity);
	const threshold = toDecimal(lowStock);
	const members = await tx.all(
		"SELECT user_id FROM memberships WHERE business_id = ?",
		businessId,
	);
	for (const { user_id: userId } of members)
		await notify(
			tx,
			env,
			{ businessId, userId: userId as string },
			{
				type: "inventory",
				title: `Low stock: ${name}`,
				message: `${quantities.format(left)} left; the threshold is ${quantities.format(threshold)}.`,
				// What a client words in its user's language.
				data: {
					code: "low_stock",
					productId,
					name,
					quantity: left,
					lowStock: threshold,
				},
			},
		);
}
