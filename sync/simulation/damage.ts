import { sale } from "../entities/sale.ts";
import { blockOf, forgetSums } from "../feed/digest-blocks.ts";
import { newId } from "../protocol/ids.ts";
import { readState } from "../replica/replica-state.ts";
import { eraseRow, insertRow, readRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { type Act, pickTill } from "./pick-till.ts";
import type { Random } from "./random.ts";
import type { damageSteps } from "./script.ts";
import type { SimulatedTill, World } from "./world.ts";

/** Once only: a row that is back as it was is found by nobody, and may have missed a time that no digest counts. */
const turnsBread =
	"UPDATE products SET deleted = 1 - deleted WHERE business_id = ? AND id = 'bread'";

/** Statements that no correct program runs, on the rows of one business. */
const statements = [
	"UPDATE stored_sales SET total = total + 1000000 WHERE shop = (SELECT n FROM shops WHERE business_id = ?) AND version > 0",
	"UPDATE products SET selling_price = selling_price + 1000000 WHERE business_id = ?",
	"UPDATE products SET quantity = quantity + 1000000 WHERE business_id = ? AND id = 'milk'",
	turnsBread,
	"UPDATE categories SET sort_order = sort_order + 1 WHERE business_id = ?",
	"UPDATE stock_movements SET delta = delta + 1000000 WHERE business_id = ? AND version > 0",
	"DELETE FROM products WHERE business_id = ? AND id = 'milk'",
	"DELETE FROM categories WHERE business_id = ?",
	"DELETE FROM inbox_items WHERE business_id = ? AND version > 0",
];

/** Damages a till's rows, as a failing disk or another program would. */
export async function damageRows(
	{ attempt, witness }: World,
	till: SimulatedTill,
	random: Random,
): Promise<void> {
	const { machine, businessId } = till;
	const kind = random.below(statements.length + 2 * salesShare);
	// Before the damage is known to be done: its answer may be lost.
	till.isDamaged = true;
	if (statements[kind] === turnsBread) {
		if (till.damaged.has("bread")) return;
		till.damaged.add("bread");
	}
	await attempt(() =>
		machine.store.write(async (tx) => {
			const statement = statements[kind];
			const { window } = await readState(tx, businessId);
			if (statement === undefined)
				await damageSale(tx, till, kind % 2 === 0, random, window.version);
			// A till compares records whole, and facts from its window on.
			else if (window.version === 0 || !/sales|movements/.test(statement))
				await tx.run(statement, businessId);
			else
				await tx.run(
					`${statement} AND version > ?`,
					businessId,
					window.version,
				);
		}),
	);
	witness.count("row damaged");
}

/** Sales are what matters most. */
const salesShare = 4;

/** Removes one of the server's sales, or adds one that nobody made. */
async function damageSale(
	tx: Connection,
	{ businessId, machine, damaged }: SimulatedTill,
	isAdded: boolean,
	random: Random,
	after: number,
): Promise<void> {
	const known = await tx.all(
		"SELECT id FROM sales WHERE business_id = ? AND version > ? ORDER BY id",
		businessId,
		after,
	);
	if (known.length === 0) return;
	const id = random.pick(known).id as string;
	if (!isAdded) {
		damaged.add(id);
		await eraseRow(tx, sale, businessId, id);
		return;
	}
	const found = await readRow(tx, sale, businessId, id);
	if (!found) return;
	const row = { ...found.row, id: newId(machine.env) };
	damaged.add(row.id);
	await insertRow(tx, sale, businessId, { ...found, row });
	// Kept sums follow changes and deletions. A row that no program put into a closed block shows when it is summed again.
	await forgetSums(tx, businessId, [blockOf(found.version)]);
}

export const damage: Record<keyof typeof damageSteps, Act> = {
	async rowsRot(world, random) {
		const till = pickTill(world, random);
		if (till) await damageRows(world, till, random);
	},
};
