import { deepStrictEqual, strictEqual } from "node:assert";
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
	const compare = () =>
		store.read(async (tx) =>
			deepStrictEqual(
				await readBlocks(tx, businessId),
				await sumAllBlocks(tx, businessId),
			),
		);
	await compare();
	const digest = await readSettled(store, businessId, (tx, kept) =>
		readBlockDigest(tx, businessId, kept),
	);
	await compare();
	const rows = await store.read((tx) => sumAllBlocks(tx, businessId));
	strictEqual(digest, rows.digest);
}
