import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { categoryCreate, categoryUpdate } from "../entities/category.ts";
import {
	productCreate,
	productDelete,
	productUpdate,
} from "../entities/product.ts";
import { proofAt } from "../log/chain.ts";
import { beginNewHistory, readHistory } from "../log/history.ts";
import { writeOutArgs } from "../log/logged-args.ts";
import {
	addBusiness,
	addCategories,
	addMilk,
	message,
	openTestShop,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { decompress } from "./compressed-rows.ts";
import { readFeed } from "./feed.ts";
import { type FeedCache, openFeedCache } from "./feed-cache.ts";

/** Asks the cache and the database in the same transaction. */
async function both(
	{ store, caller: { businessId } }: TestShop,
	tail: FeedCache,
	version: number | undefined,
	limit: number,
) {
	return store.read(async (tx) => {
		const { epoch } = await readHistory(tx, 0);
		const cursor =
			version === undefined
				? undefined
				: { epoch, version, proof: await proofAt(tx, businessId, version) };
		const page = await tail.read(tx, businessId, epoch, cursor, limit);
		return {
			kept: decompress(page),
			compressed: page.compressed,
			fresh: await readFeed(tx, businessId, epoch, cursor, limit),
		};
	});
}

const step = fc.oneof(
	fc.record({
		what: fc.constant("sell"),
		lines: fc.integer({ min: 1, max: 5 }),
	}),
	fc.record({ what: fc.constantFrom("rename", "group", "delete", "create") }),
	fc.record({
		what: fc.constant("read"),
		behind: fc.integer({ min: 0, max: 12 }),
		limit: fc.integer({ min: 1, max: 12 }),
	}),
);

describe("the tail of the feed", () => {
	// Each case has a third of the runs, because one test with all of them would be too long for `npm run mutants`.
	test.each([600, 2_000, 1_000_000])(
		"the feed cache answers each cursor as the database does, with %i bytes [FEED-7]",
		async (tailBytes) => {
			let answered = 0;
			await fc.assert(
				fc.asyncProperty(
					fc.array(step, { minLength: 10, maxLength: 40 }),
					async (steps) => {
						const server = await openTestShop();
						await addMilk(server);
						await server.shop.mutate(server.caller, categoryCreate, {
							id: "dairy",
							name: "Dairy",
						});
						const tail = openFeedCache({ tailBytes, pagesBytes: 0 });
						let head = (await both(server, tail, 2, 1)).fresh.cursor.version;
						for (const [n, it] of steps.entries()) {
							if (!("behind" in it)) {
								await change(server, it, n);
								continue;
							}
							const version = Math.max(0, head - it.behind);
							const { kept, fresh } = await both(
								server,
								tail,
								version,
								it.limit,
							);
							expect(kept).toEqual(fresh);
							answered += kept.changes.length;
							head = (await both(server, tail, head, 1_000)).fresh.cursor
								.version;
						}
						await server.store.close();
					},
				),
				{ numRuns: 14, seed: 8 },
			);
			expect(answered).toBeGreaterThan(50);
		},
	);

	async function change(
		{ shop, caller }: TestShop,
		{ what, lines }: { what: string; lines?: number },
		n: number,
	): Promise<void> {
		const set = { name: `Name ${n}` };
		if (what === "rename")
			await shop.mutate(caller, productUpdate, {
				id: "milk",
				set: { ...set, categoryId: "dairy" },
			});
		else if (what === "group")
			await shop.mutate(caller, categoryUpdate, { id: "dairy", set });
		else if (what === "create")
			await shop.mutate(caller, productCreate, {
				id: `p-${n}`,
				name: "Bread",
				buyingPrice: 1,
				sellingPrice: 2,
			});
		else if (what === "delete") {
			const id = `gone-${n}`;
			const made = { id, name: "Gone", buyingPrice: 1, sellingPrice: 2 };
			await shop.mutate(caller, productCreate, made);
			await shop.mutate(caller, productDelete, { id });
		} else {
			const items = Array.from({ length: lines ?? 1 }, () => ({
				productId: "milk",
			}));
			const args = saleArgs(`sale-${n}`, items);
			await shop.push(caller, {
				mutations: [message(`m-${n}`, "sale.create", args)],
			});
		}
	}

	test("the feed cache knows which cursors it can answer", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const tail = openFeedCache();
		const isNear = (version: number, businessId = "shop-1") =>
			tail.isNear(businessId, { epoch: "e", version, proof: "" });
		expect(isNear(2)).toBe(false);
		await both(server, tail, 2, 100);
		await change(server, { what: "sell" }, 1);
		await both(server, tail, 2, 100);
		expect([1, 2, 3, 4].map((version) => isNear(version))).toEqual([
			...[false, true, true, true],
		]);
		expect(isNear(2, "shop-2")).toBe(false);
		expect(tail.isNear("shop-1", undefined)).toBe(false);
	});

	test("the feed cache starts again after a restore, even if the log has no links", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const tail = openFeedCache();
		await both(server, tail, 2, 100);
		await change(server, { what: "rename" }, 1);
		const unlink = async (name: string) =>
			server.store.write(async (tx) => {
				await writeOutArgs(tx, "shop-1");
				await tx.run("UPDATE stored_mutations SET link = NULL");
				await tx.run("UPDATE businesses SET link = NULL");
				await tx.run("UPDATE products SET name = ?", name);
			});
		await unlink("Lost");
		const lost = await both(server, tail, 2, 100);
		expect(lost.kept.changes).toMatchObject([{ row: { name: "Lost" } }]);
		await unlink("Found");
		await server.store.write((tx) => beginNewHistory(tx, server.env));
		const found = await both(server, tail, 2, 100);
		expect(found.kept).toEqual(found.fresh);
		expect(found.kept.changes).toMatchObject([{ row: { name: "Found" } }]);
	});

	test("the feed cache reads each row once for all tills", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const tail = openFeedCache();
		const { fresh } = await both(server, tail, undefined, 100);
		const { version } = fresh.cursor;
		await both(server, tail, version, 100);
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { name: "Maziwa" },
		});
		const { kept: first } = await both(server, tail, version, 100);
		const { kept: second } = await both(server, tail, version, 100);
		expect(first.changes).toHaveLength(1);
		expect(second.changes[0]).toBe(first.changes[0]);
	});

	test("tills that come back together get the same pages, and each gets the whole shop", async () => {
		const server = await openTestShop();
		await addMilk(server);
		for (let n = 0; n < 30; n += 1) await change(server, { what: "sell" }, n);
		const tail = openFeedCache();
		const start = 1;
		const walk = async (between: () => Promise<void>) => {
			const rows = new Map<string, unknown>();
			const pages: unknown[] = [];
			let cursor = start;
			for (;;) {
				const { kept, compressed } = await both(server, tail, cursor, 5);
				if (compressed) pages.push(compressed);
				for (const { entity, id, row } of kept.changes)
					rows.set(`${entity} ${id}`, row);
				cursor = kept.cursor.version;
				if (!kept.hasMore) return { rows, pages };
				await between();
			}
		};
		let n = 100;
		const first = await walk(async () => {
			if (n < 104) await change(server, { what: "sell" }, n);
			n += 1;
		});
		const second = await walk(async () => {});
		const shared = second.pages.filter((page) => first.pages.includes(page));
		expect(shared.length).toBeGreaterThan(4);
		const { fresh } = await both(server, openFeedCache(), start, 1_000);
		expect(fresh.hasMore).toBe(false);
		for (const { rows } of [first, second])
			expect(rows).toEqual(
				new Map(
					fresh.changes.map(({ entity, id, row }) => [`${entity} ${id}`, row]),
				),
			);
	});

	test.each([
		[1_500, false],
		[3_000, false],
		[6_000, false],
		[1_000_000, true],
	])(
		"the feed cache lists a row that keeps changing once, at its last version, with %i bytes",
		async (tailBytes, isWhole) => {
			const server = await openTestShop();
			await addMilk(server);
			const tail = openFeedCache({ tailBytes, pagesBytes: 0 });
			let head = (await both(server, tail, 2, 1)).fresh.cursor.version;
			const start = head;
			for (let n = 0; n < 24; n += 1) {
				await change(server, { what: n % 3 === 0 ? "rename" : "sell" }, n);
				for (let behind = 6; behind >= 0; behind -= 1) {
					const version = Math.max(start, head - behind);
					const { kept, fresh } = await both(server, tail, version, 100);
					expect(kept).toEqual(fresh);
					if (behind === 0) head = fresh.cursor.version;
				}
			}
			const cursor = { epoch: "e", version: start, proof: "" };
			expect(tail.isNear("shop-1", cursor)).toBe(isWhole);
			expect(tail.isNear("shop-1", { ...cursor, version: head })).toBe(true);
		},
	);

	test("the feed cache misses no row at the edge of its tail, and answers a limit of one", async () => {
		const server = await openTestShop();
		const tail = openFeedCache({ tailBytes: 2_500, pagesBytes: 0 });
		let { version: head } = (await both(server, tail, 1, 1)).fresh.cursor;
		for (let n = 0; n < 16; n += 1) {
			await change(server, { what: "create" }, n);
			await both(server, tail, head, 100);
			head += 1;
			for (let version = 1; version <= head; version += 1)
				for (const limit of [1, 100]) {
					const { kept, fresh } = await both(server, tail, version, limit);
					expect(kept).toEqual(fresh);
				}
		}
	});

	test("the feed cache keeps the most recently used pages within its size", async () => {
		const server = await openTestShop();
		await addCategories(server, 12);
		const sizes = openFeedCache();
		const versions = [1, 3, 5, 7];
		const lengths = [];
		for (const version of versions) {
			const { compressed } = await both(server, sizes, version, 2);
			lengths.push(compressed?.deflated.length ?? 0);
		}
		const longest = Math.max(...lengths);
		expect(Math.min(...lengths)).toBeGreaterThan((longest * 5) / 6);
		const tail = openFeedCache({
			...{ tailBytes: 1_000_000, pagesBytes: 2.4 * longest },
		});
		const read = async (version: number) =>
			(await both(server, tail, version, 2)).compressed;
		for (let round = 0; round < 8; round += 1) {
			const [first, second] = [await read(1), await read(3)];
			expect(await read(1)).toBe(first);
			const third = await read(5);
			expect(await read(5)).toBe(third);
			expect(await read(1)).toBe(first);
			expect(await read(3)).not.toBe(second);
			expect(await read(1)).toBe(first);
			const last = await read(7);
			expect(await read(7)).toBe(last);
		}
	});

	test("the feed cache keeps the rows of sixteen businesses, and drops the oldest for one more", async () => {
		const server = await openTestShop();
		const { store } = server;
		const ids = Array.from({ length: 17 }, (_, i) => `shop-${i + 1}`);
		await store.write(async (tx) => {
			for (const id of ids.slice(1)) await addBusiness(tx, id);
		});
		const tail = openFeedCache();
		const near = () =>
			ids.filter((id) =>
				tail.isNear(id, { epoch: "e", version: 1, proof: "" }),
			);
		for (const [i, businessId] of ids.entries()) {
			expect(near()).toEqual(ids.slice(0, i));
			const shop = { ...server, caller: { ...server.caller, businessId } };
			await both(shop, tail, 1, 100);
		}
		expect(near()).toEqual(ids.slice(1));
	});

	test("the feed cache keeps businesses apart", async () => {
		const server = await openTestShop();
		const other = await openTestShop({
			file: server.file,
			businessId: "shop-2",
		});
		await addMilk(server);
		const tail = openFeedCache();
		for (const version of [0, 1, 2])
			for (const shop of [server, other]) {
				const { kept, fresh } = await both(shop, tail, version, 100);
				expect(kept).toEqual(fresh);
			}
	});
});
