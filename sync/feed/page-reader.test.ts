import { expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { feedVersion } from "../protocol/protocol.ts";
import { openTestShop } from "../testing/shop.ts";
import { PageReader } from "./page-reader.ts";

async function openReader() {
	const { shop, store, caller } = await openTestShop();
	for (const id of ["dairy", "bread", "soap"])
		await shop.mutate(caller, categoryCreate, { id, name: id });
	const reader = new PageReader(store, shop.env, undefined, undefined);
	const { cursor } = await reader.readPage(caller, "", undefined);
	const first = await reader.readPage(caller, "", 1);
	// Once the newest rows are cached, a cursor can be far behind them.
	await reader.readPage(caller, cursor, undefined);
	/** Runs a read while a long batch is pushed. */
	const whileBusy = <T>(read: () => Promise<T>) => reader.afterPush(read);
	return { reader, caller, cursor, far: first.cursor, whileBusy };
}

test("a push without a cursor or with a limit of 0 gets only the envelope", async () => {
	const { reader, caller, cursor } = await openReader();
	for (const [from, limit] of [
		[undefined, undefined],
		[cursor, 0],
	] as const)
		expect(await reader.readPageAfterPush(caller, from, limit, true)).toEqual({
			businessId: caller.businessId,
			epoch: expect.any(String),
			serverNow: expect.any(String),
			backedUpTo: 0,
			feed: feedVersion,
		});
});

test("while long batches are pushed, a cursor far behind gets its page only at the next pull", async () => {
	const { reader, caller, far, cursor, whileBusy } = await openReader();
	const after = (from: string, hasPushed: boolean) =>
		whileBusy(() => reader.readPageAfterPush(caller, from, 1, hasPushed));
	expect(await after(far, true)).toMatchObject({
		...{ changes: [], cursor: far, hasMore: true },
		businessId: caller.businessId,
	});
	expect(await after(cursor, true)).toMatchObject({ cursor, hasMore: false });
	expect(
		await reader.readPageAfterPush(caller, far, 1, true),
	).not.toHaveProperty("changes", []);
});
