import { deliveryCreate } from "../entities/delivery.ts";
import {
	supplierCreate,
	supplierDelete,
	supplierUpdate,
} from "../entities/supplier.ts";
import { paymentRemit } from "../entities/supplier-payment.ts";
import { newId } from "../protocol/ids.ts";
import type { Connection } from "../store/store.ts";
import { productIds } from "./baskets.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";
import type { World } from "./world.ts";

/** Meets, edits or removes a supplier, receives goods, sends some back, or pays: for some at once and for others later. */
export const buysGoods: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, machine, replica } = till;
	const id = newId(machine.env);
	const kind = random.next();
	const supplierId = `supplier ${random.below(2)}`;
	const method = random.pick(["CASH", "BANK"]);
	const tenders = [{ method, amount: 1 + random.below(300) }];
	const name = `Goods ${canaryOf(businessId)}`;
	const items = [1, 2].map((n) => ({
		...{ id: String(n), name, productId: random.pick(productIds) },
		...{ quantity: (1 + random.below(80)) / 8, cost: random.below(100) },
	}));
	await world.attempt(async () => {
		if (kind < 0.07)
			await replica.mutate(caller, supplierCreate, { id: supplierId, name });
		else if (kind < 0.12)
			await replica.mutate(caller, supplierUpdate, {
				...{ id: supplierId, set: { note: name } },
			});
		else if (kind < 0.15)
			await replica.mutate(caller, supplierDelete, { id: supplierId });
		else if (kind < 0.4)
			await replica.mutate(caller, paymentRemit, { id, supplierId, tenders });
		else
			await replica.mutate(caller, deliveryCreate, {
				...{ id, supplierId, items, isReturn: kind < 0.55 },
				...(kind > 0.8 && { tenders }),
			});
	});
};

interface Bought {
	id: string;
	supplierId: string;
	isReturn?: boolean;
	items?: readonly { productId: string; quantity: number; cost: number }[];
	tenders?: readonly { amount: number }[];
}

/** Each delivery moved its goods once, and what is owed is what was brought, less what went back and was paid. */
export async function judgePurchases(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const logged = await tx.all(
		"SELECT args FROM mutations WHERE business_id = ? AND name IN ('delivery.create', 'payment.remit') AND status = 'applied'",
		businessId,
	);
	const facts = new Map(
		logged.map(({ args }) => {
			const made: Bought = JSON.parse(args as string);
			return [made.id, made];
		}),
	);
	const owed = new Map<string, number>();
	for (const {
		id,
		supplierId,
		isReturn,
		items = [],
		...fact
	} of facts.values()) {
		const isPayment = items.length === 0;
		const sign = isReturn ? -1 : 1;
		const [moved] = await tx.all(
			"SELECT coalesce(sum(delta), 0) AS delta, count(*) AS lines FROM stock_movements WHERE business_id = ? AND delivery_id = ?",
			...[businessId, id],
		);
		const came = items.reduce((sum, { quantity }) => sum + quantity * 1e6, 0);
		if (
			Number(moved?.delta) !== sign * came ||
			Number(moved?.lines) !== items.length
		)
			witness.fail("a delivery's goods did not move once", id);
		let more = 0;
		for (const { quantity, cost } of items) more += quantity * cost;
		for (const { amount } of fact.tenders ?? []) more -= amount;
		const by = (isPayment ? 1 : sign) * more * 1e6;
		owed.set(supplierId, (owed.get(supplierId) ?? 0) + by);
		witness.count(isPayment ? "supplier paid" : "delivery");
	}
	const kept = await tx.all(
		`SELECT supplier_id, sum(amount) AS owed FROM (
       SELECT supplier_id, total AS amount FROM deliveries WHERE business_id = ?
       UNION ALL SELECT supplier_id, amount FROM payments WHERE business_id = ?) AS entries
     WHERE supplier_id IS NOT NULL GROUP BY supplier_id`,
		...[businessId, businessId],
	);
	for (const row of kept)
		if (Number(row.owed) !== owed.get(row.supplier_id as string))
			witness.fail(
				"a supplier's balance is not what was brought and paid",
				`${row.supplier_id}: ${row.owed}, ${owed.get(row.supplier_id as string)}`,
			);
}
