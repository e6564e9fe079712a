import { layawayCancel, layawayCreate } from "../entities/layaway.ts";
import { paymentCollect } from "../entities/payment.ts";
import { paymentPayout } from "../entities/payout.ts";
import { newId } from "../protocol/ids.ts";
import type { Connection } from "../store/store.ts";
import { basket, type Line, sellKnown } from "./baskets.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";
import type { World } from "./world.ts";

/** Keeps goods for a customer, takes a deposit, pays one out, cancels a layaway, or hands one over that another till may end too. */
export const keepsGoods: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, machine, replica } = till;
	const id = newId(machine.env);
	const kind = random.next();
	const tenders = [{ method: "CASH", amount: 1 + random.below(300) }];
	const items = basket(random, businessId);
	const reason = `Moved ${canaryOf(businessId)}`;
	let handed:
		| { layawayId: string; customerId: string; items: Line[] }
		| undefined;
	await world.attempt(async () => {
		const [kept] = await machine.store.read((tx) =>
			tx.all(
				"SELECT id, customer_id FROM layaways WHERE business_id = ? ORDER BY state = 'open' DESC, created_at DESC, id LIMIT 1",
				businessId,
			),
		);
		if (kind < 0.3 || !kept) {
			const customerId = `customer ${random.below(3)}`;
			await replica.mutate(caller, layawayCreate, { id, customerId, items });
			return;
		}
		const layawayId = kept.id as string;
		const moved = { id, customerId: kept.customer_id as string, layawayId };
		if (kind < 0.6)
			await replica.mutate(caller, paymentCollect, { ...moved, tenders });
		else if (kind < 0.7)
			await replica.mutate(caller, paymentPayout, { ...moved, tenders });
		else if (kind < 0.8)
			await replica.mutate(caller, layawayCancel, { id: layawayId, reason });
		else handed = { ...moved, items };
	});
	if (handed) await sellKnown(world, till, { ...handed, id, tenders });
};

/** An ended layaway says how; a sale that hands over what had ended before is reported, and so is money paid out beyond a credit. */
export async function judgeLayaways(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const [odd] = await tx.all(
		`SELECT id FROM layaways WHERE business_id = ? AND ((state = 'completed') <> (sale_id IS NOT NULL)
       OR (state = 'open') <> (ended_at IS NULL))`,
		businessId,
	);
	if (odd) witness.fail("a layaway does not say how it ended", `${odd.id}`);
	const sold = await tx.all(
		"SELECT args FROM mutations WHERE business_id = ? AND name = 'sale.create' AND status = 'applied' AND args LIKE '%layawayId%'",
		businessId,
	);
	const ended = await tx.all(
		`SELECT sale_id FROM layaways WHERE business_id = ? AND sale_id IS NOT NULL
     UNION SELECT sale_id FROM inbox_items WHERE business_id = ? AND cause = 'layaway_ended'`,
		...[businessId, businessId],
	);
	const known = new Set(ended.map((row) => row.sale_id));
	for (const { args } of sold) {
		const { id } = JSON.parse(args as string);
		if (!known.has(id))
			witness.fail("a sale ended no layaway, and no item says so", id);
	}
}
