import { count, countClose } from "../entities/count.ts";
import type { Context, Entity } from "../entities/entity.ts";
import { layaway } from "../entities/layaway.ts";
import { productUpdate } from "../entities/product.ts";
import { refund, saleRefund, saleVoid } from "../entities/refund.ts";
import { sale, saleCreate } from "../entities/sale.ts";
import { stockAdjust } from "../entities/stock.ts";
import { stockMovement } from "../entities/stock-movement.ts";
import { derivedId } from "../protocol/ids.ts";

/*
 * A server that was built from the copy of a till with a window lacks older sales with their refunds, and has all that
 * followed from them: payments, movements of stock, items of the inbox. What the sales themselves had moved of each product
 * stands in one movement (becomeServer):
 *
 *   stock of the copy = facts of the copy + "Sales before DAY"
 *
 * When a till brings such a sale, only its row is missing. The copy of a till whose history was still arriving lacks facts of any
 * day, movements of stock, too, and counts them all.
 */

const names: readonly string[] = [
	saleCreate.name,
	saleRefund.name,
	saleVoid.name,
	stockAdjust.name,
	productUpdate.name,
	countClose.name,
];

/** A mutation that a till brings to such a server. */
interface Brought {
	id: string;
	name: string;
	args: unknown;
	/** The arguments as JSON. */
	json: string;
	at: string;
	/** When the lost server applied it, if its till had the answer. */
	answeredAt: unknown;
}

/**
 * Returns true for a sale, a refund, a change of stock or the closing of a count that the copy counts without having it. One that
 * it has is recorded already.
 *
 * @param windowDay the first day of the window
 * @param tillSyncedAt when the till of the copy last synced: what the lost server applied later, or never heard of, the
 *   copy doesn't count
 */
export function isLeftOut(
	{ id, name, args, json, at, answeredAt }: Brought,
	windowDay: string,
	tillSyncedAt: string,
): boolean {
	if (!names.includes(name)) return false;
	const sold = args as { id: string; businessDay?: string };
	// A till made it from a row that the lost server had sent (resubmitLostFacts), maybe after the copy.
	if (id === derivedId(sold.id, json)) {
		const { businessDay = at.slice(0, 10) } = sold;
		return businessDay < windowDay && at <= tillSyncedAt;
	}
	// The server may have dated it by another day than its till.
	return typeof answeredAt === "string" && answeredAt <= tillSyncedAt;
}

/** What is recorded again with what it moves: a sale, a refund, and how far a count has corrected the stock. */
function isRecorded({ name }: Entity, row: object): boolean {
	const isCount = (row as { reason?: string }).reason === "count";
	return (
		name === sale.name ||
		name === refund.name ||
		(name === stockMovement.name && isCount)
	);
}

/** Records the row of a sale, a refund or a count, or an edit, since all that follows from it is here. */
export function withoutEffects(context: Context): Context {
	const nothing = async () => {};
	return {
		...context,
		async insert(entity, row) {
			if (!isRecorded(entity, row)) return;
			await context.insert(entity, row);
			// The copy's stock counts already what it moves.
			for (const { productId, delta, at } of entity.movesStock?.(row) ?? [])
				await context.insert(stockMovement, {
					...{ id: context.nextId(), productId, delta: -delta },
					...{ reason: "adjustment", note: null, saleId: row.id, itemId: null },
					...{ userId: null, createdAt: at },
				});
		},
		add: (entity, id) => context.find(entity, id),
		/** Counts and layaways end by what is brought. */
		async update(entity, id, set) {
			if (entity.name === count.name || entity.name === layaway.name)
				await context.update(entity, id, set);
		},
		...{ overwrite: nothing, remove: nothing },
		notify: nothing,
	};
}
