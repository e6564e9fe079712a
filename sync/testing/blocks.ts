import { deepStrictEqual } from "node:assert";
import {
	readBlockDigest,
	readBlocks,
	readSettled,
	sumAllBlocks,
} from "../feed/digest-blocks.ts";
import type { Store } from "../store/store.ts";

/** Compares the kept sums of a store's blocks with those of its rows, then sums the missing ones and compares again. */
export async function assertBlocksRight(
	store: Store,
	businessId: string,
): Promise<void> {
	const rows = await store.read(async (tx) => {
		const summed = await sumAllBlocks(tx, businessId);
		deepStrictEqual(await readBlocks(tx, businessId), summed);
		return summed;
	});
	const settled = await readSettled(store, businessId, async (tx, kept) => ({
		digest: await readBlockDigest(tx, businessId, kept),
		sums: await readBlocks(tx, businessId),
	}));
	deepStrictEqual(settled, { digest: rows.digest, sums: rows });
}
