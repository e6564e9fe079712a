import type * as z from "zod";
import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import { saleCreate } from "../entities/sale.ts";
import { spellLogged } from "../log/logged-args.ts";
import { dayNumber } from "../protocol/clock.ts";
import type { OutboxState } from "../replica/outbox.ts";
import type { Connection } from "../store/store.ts";

/** A sale that this device made. */
export interface LocalSale {
	/** The sale's id, not its mutation's. */
	id: string;
	receiptNumber: string | null;
	total: number;
	state: OutboxState;
}

/** Reads the sales that this device made on a business day and still has in its log; other tills' sales are not in it. */
export async function readLocalSales(
	tx: Connection,
	businessId: string,
	day: string,
): Promise<LocalSale[]> {
	const rows = await tx.all(
		`SELECT mutations.args, mutations.shape, mutations.version, outbox.state FROM mutations
     LEFT JOIN outbox ON outbox.business_id = mutations.business_id AND outbox.mutation_id = mutations.id
     WHERE mutations.business_id = ? AND mutations.name = ? AND (mutations.args LIKE ?
       OR mutations.version IN (SELECT version FROM sales WHERE business_id = ? AND day_number = ? AND version > 0))
     ORDER BY mutations.at`,
		businessId,
		saleCreate.name,
		`%"businessDay":"${day.replaceAll(/[^\d-]/g, "")}"%`,
		businessId,
		dayNumber(day),
	);
	const made = await spellLogged(tx, businessId, rows);
	return made.map(({ args, state }) => {
		const sale: z.input<typeof saleCreate.args> = JSON.parse(args as string);
		return {
			id: sale.id,
			receiptNumber: sale.receiptNumber ?? null,
			total: totalOf(sale),
			// A server's own sales are in no outbox.
			state: (state ?? "acknowledged") as OutboxState,
		};
	});
}

function totalOf({ items }: z.input<typeof saleCreate.args>): number {
	return toDecimal(
		sumOfProducts(
			items.map(({ price, quantity }) => ({
				price: toMicros(price as number),
				quantity: toMicros(quantity as number),
			})),
		),
	);
}
