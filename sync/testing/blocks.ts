import { deepStrictEqual, strictEqual } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import {
	readBlockDigest,
	readBlocks,
	readSettled,
	sumAllBlocks,
} from "../feed/digest-blocks.ts";
import type { Connection, Store } from "../store/store.ts";

/** Compares the kept sums of a store's blocks with those of its rows, then sums the missing ones and compares again. */
export async function assertBlocksRight(
	store: Store,
	businessId: string,
): Promise<void> {
	const before = await store.read(async (tx) => ({
		rows: await sumAllBlocks(tx, businessId),
		sums: await readBlocks(tx, businessId),
		kept: await readKept(tx, businessId),
	}));
	deepStrictEqual(before.sums, before.rows);
	const after = await readSettled(store, businessId, async (tx, kept) => ({
		digest: await readBlockDigest(tx, businessId, kept),
		kept: await readKept(tx, businessId),
	}));
	strictEqual(after.digest, before.rows.digest);
	if (isDeepStrictEqual(after.kept, before.kept)) return;
	const sums = await store.read((tx) => readBlocks(tx, businessId));
	deepStrictEqual(sums, before.rows);
}

const readKept = (tx: Connection, businessId: string) =>
	tx.all(
		"SELECT * FROM digest_blocks WHERE business_id = ? ORDER BY part, block",
		businessId,
	);
