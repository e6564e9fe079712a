import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../entities/count.ts";
import { newId } from "../protocol/ids.ts";
import type { Connection } from "../store/store.ts";
import { type Act, pickTill } from "./pick-till.ts";
import { canaryOf } from "./witness.ts";
import type { World } from "./world.ts";

/** Begins a count, looks at a product, says what lay there, or closes a count: this till's or another's. */
export const countsStock: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { businessId, caller, machine, replica } = till;
	const id = newId(machine.env);
	const kind = random.next();
	await world.attempt(async () => {
		const [products, open, looks] = await machine.store.read(async (tx) => [
			await tx.all(
				"SELECT id FROM products WHERE business_id = ? ORDER BY id LIMIT 3",
				businessId,
			),
			await tx.all(
				"SELECT id FROM counts WHERE business_id = ? ORDER BY created_at DESC, id LIMIT 3",
				businessId,
			),
			// One number each, so that the look shows what corrected the stock.
			await tx.all(
				"SELECT id FROM count_looks WHERE business_id = ? AND counted IS NULL ORDER BY created_at DESC, id LIMIT 5",
				businessId,
			),
		]);
		const productId = random.pick(products)?.id as string | undefined;
		const countId = random.pick(open)?.id as string | undefined;
		const lookId = random.pick(looks)?.id as string | undefined;
		if (productId === undefined) return;
		if (countId === undefined || kind < 0.1) {
			const name = `Shelf ${canaryOf(businessId)}`;
			await replica.mutate(caller, countOpen, { id, name });
		} else if (lookId === undefined || kind < 0.45) {
			const look = { id, countId, productId };
			await replica.mutate(caller, countLookAt, look, {
				async alongside(tx) {
					const goods = await readGoods(tx, businessId, productId);
					if (goods !== undefined)
						world.witness.looks.set(`${businessId} ${id}`, goods);
				},
			});
		} else if (kind < 0.8) {
			const counted = random.below(400) / 8;
			await replica.mutate(caller, countEnter, { id: lookId, counted });
		} else await replica.mutate(caller, countClose, { id: countId });
	});
};

/**
 * Sums what the ledger has of a product without the corrections of counts.
 *
 * @returns undefined if the stock is not the sum of the ledger, on a till with damaged rows
 */
async function readGoods(
	tx: Connection,
	businessId: string,
	productId: string,
): Promise<number | undefined> {
	const sums = await tx.get(
		`SELECT coalesce(sum(CASE WHEN reason <> 'count' THEN delta END), 0) AS goods, coalesce(sum(delta), 0) AS stock,
       (SELECT quantity FROM products WHERE business_id = ? AND id = ?) AS quantity
     FROM stock_ledger WHERE business_id = ? AND product_id = ? AND deleted = 0`,
		...[businessId, productId, businessId, productId],
	);
	return sums?.stock === sums?.quantity ? Number(sums?.goods) : undefined;
}

/** A look keeps what its till knew; the newest correction by one made the stock what was counted, and all that it had not seen. */
export async function judgeLooks(
	{ witness }: World,
	tx: Connection,
	businessId: string,
): Promise<void> {
	const looks = await tx.all(
		"SELECT id, expected - corrected AS goods FROM count_looks WHERE business_id = ?",
		businessId,
	);
	for (const { id, goods } of looks) {
		const known = witness.looks.get(`${businessId} ${id}`);
		if (known !== undefined && known !== Number(goods))
			witness.fail("a look has not kept its book", `${id}: ${goods}, ${known}`);
	}
	const last = await tx.all(
		`SELECT look.id, look.product_id, look.counted, look.expected - look.corrected AS goods
     FROM count_looks AS look JOIN stock_movements AS moved ON moved.business_id = look.business_id AND moved.id = look.id
     WHERE look.business_id = ? AND look.counted IS NOT NULL AND moved.deleted = 0 AND NOT EXISTS (
       SELECT 1 FROM stock_movements AS later WHERE later.business_id = moved.business_id AND later.product_id = moved.product_id
         AND later.reason = 'count' AND later.version >= moved.version AND later.id <> moved.id)`,
		businessId,
	);
	for (const { id, product_id, counted, goods } of last) {
		const [ledger] = await tx.all(
			"SELECT sum(delta) AS stock, sum(CASE WHEN reason <> 'count' THEN delta ELSE 0 END) AS goods FROM stock_ledger WHERE business_id = ? AND product_id = ? AND deleted = 0",
			...[businessId, product_id as string],
		);
		const unseen = Number(ledger?.goods) - Number(goods);
		if (Number(ledger?.stock) !== Number(counted) + unseen)
			witness.fail(
				"the stock is not what was counted and what came since",
				`${product_id} by ${id}: ${ledger?.stock}, ${counted}, ${unseen}`,
			);
		witness.count("stock corrected by a look");
	}
}
