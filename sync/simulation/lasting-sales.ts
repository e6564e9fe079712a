import { blockOf, versionsOf } from "../feed/digest-blocks.ts";
import { listUnneeded } from "../feed/older-sales.ts";
import { readState } from "../replica/replica-state.ts";
import type { Connection } from "../store/store.ts";
import type { SimulatedTill } from "./world.ts";

/**
 * Reads the sales on a till that it keeps until it hears that its server has lost them. A till with a window may have
 * the server's answer already that lets older ones go.
 */
export async function readLastingSales(
	tx: Connection,
	{ businessId, windowDays }: SimulatedTill,
): Promise<string[]> {
	const rows = await tx.all(
		"SELECT id FROM sales WHERE business_id = ?",
		businessId,
	);
	const ids = rows.map(({ id }) => id as string);
	if (windowDays === undefined) return ids;
	const { position } = await readState(tx, businessId);
	const [border] = versionsOf(blockOf(position.version + 1));
	const leaving = new Set(
		await listUnneeded(tx, businessId, border, ids.length),
	);
	return ids.filter((id) => !leaving.has(id));
}
