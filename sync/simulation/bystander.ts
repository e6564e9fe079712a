import { createBusiness } from "../entities/business.ts";
import { productCreate, productUpdate } from "../entities/product.ts";
import { saleRefund } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import type { Caller } from "../log/log.ts";
import { ShopError } from "../protocol/errors.ts";
import { foldTallies } from "../queries/tallies.ts";
import { openReplica } from "../replica/replica.ts";
import type { Connection, Store } from "../store/store.ts";
import { testBusiness } from "../testing/business.ts";

/**
 * A business in every database of the simulation that does nothing while others trade. A statement that forgets to
 * filter by business changes it, or leaks its rows.
 */
export const bystander = "bystander";

/** Tables by rowid; views in the order of their tables. */
const tables = `SELECT m.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
  WHERE c.name = 'business_id' AND m.name <> 'stock_ledger' ORDER BY m.name`;

/** Puts the bystander into an empty database: a till's data, with mutations in every state. */
export async function addBystander(store: Store): Promise<void> {
	const at = Date.parse("2026-08-01T09:00:00.000Z");
	let count = 0;
	const env = {
		now: () => at,
		randomBytes: (length: number) => {
			count += 1;
			return Uint8Array.from({ length }, (_, i) => (i + 1) * count);
		},
	};
	await store.write((tx) =>
		createBusiness(tx, testBusiness(bystander, bystander)),
	);
	const nowhere = () => Promise.reject(new ShopError("unreachable", "Nowhere"));
	const replica = await openReplica({
		store,
		businessId: bystander,
		transport: {
			push: nowhere,
			pull: nowhere,
			watch: nowhere,
			isReachable: async () => false,
		},
		env,
	});
	const caller: Caller = {
		businessId: bystander,
		userId: bystander,
		role: "OWNER",
		deviceId: null,
	};
	for (const id of ["milk", "bread"])
		await replica.mutate(caller, productCreate, {
			id,
			name: bystander,
			buyingPrice: 1,
			sellingPrice: 2,
			quantity: 1_000,
		});
	const sell = async (id: string) => {
		const items = ["milk", "bread"].map((productId) => ({
			id: productId,
			name: bystander,
			quantity: 1,
			price: 7,
			cost: 3,
			productId,
		}));
		await replica.mutate(caller, saleCreate, { id, items });
	};
	await sell("bystander-1");
	await sell("bystander-2");
	await replica.mutate(caller, saleRefund, {
		id: "bystander-refund",
		saleId: "bystander-1",
		reason: bystander,
		items: [{ id: "1", itemId: "milk", quantity: 1 }],
	});
	await replica.mutate(caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 3 },
	});
	await foldTallies(store, bystander, "2026-08-01");
	await store.write(async (tx) => {
		const states = ["acknowledged", "rejected", "discarded"];
		for (const [i, state] of states.entries())
			await tx.run(
				`UPDATE outbox SET state = ?, server_version = 1, answered_at = '2026-08-01T09:00:00.000Z',
           error = '{"code":"forbidden","message":"No"}' WHERE business_id = ? AND position = ?`,
				state,
				bystander,
				i + 1,
			);
		// A version that a reset would delete if it ignored the business.
		await tx.run(
			"UPDATE stored_sales SET version = -1 WHERE shop = (SELECT n FROM shops WHERE business_id = ?) AND id = 'bystander-2'",
			bystander,
		);
	});
}

/** Returns the bystander's rows as text, empty if the database has none. */
export async function readBystander(tx: Connection): Promise<string> {
	const rows: unknown[] = [];
	for (const { name } of await tx.all(tables))
		rows.push(
			name,
			await tx.all(`SELECT * FROM ${name} WHERE business_id = ?`, bystander),
		);

	return JSON.stringify(rows);
}
