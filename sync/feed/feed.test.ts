import { describe, expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { entities } from "../entities/index.ts";
import { productUpdate } from "../entities/product.ts";
import { cursorWithin } from "../log/chain.ts";
import { beginNewHistory } from "../log/history.ts";
import {
	type Cursor,
	feedVersion,
	formatCursor,
	parseCursor,
} from "../protocol/protocol.ts";
import { selectWires } from "../rows/rows.ts";
import { openShop } from "../shop.ts";
import { plainRecords } from "../testing/examples.ts";
import {
	addCategories,
	addMilk,
	madeAt,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";
import { endOfRows, lastWhole, readDigest } from "./feed.ts";

describe("the feed", () => {
	test("the feed lists every row once, at its newest version, with any page size [FEED-1]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addMilk(server);
		for (let i = 0; i < 40; i += 1)
			await pushOne(
				server,
				message(
					`m${i}`,
					"sale.create",
					saleArgs(`s${i}`, [{ productId: "milk" }, {}]),
				),
			);
		const whole = await shop.pull(caller, { limit: 1_000 });
		expect(whole.hasMore).toBe(false);
		for (const limit of [1, 2, 3, 7, 500]) {
			const rows = [];
			let cursor = "";
			for (let pages = 0; pages < 200; pages += 1) {
				const page = await shop.pull(caller, { cursor, limit });
				const versions = new Set(page.changes.map(({ version }) => version));
				expect(page.changes.length <= limit || versions.size === 1).toBe(true);
				rows.push(...page.changes);
				cursor = page.cursor;
				if (!page.hasMore) break;
			}
			expect(rows).toEqual(whole.changes);
			expect(cursor).toBe(whole.cursor);
		}
	});

	test("pages of the feed soon end at the same versions for readers from different cursors [FEED-7]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addCategories(server, 200);
		const head = parseCursor(await shop.head(caller.businessId)) as Cursor;
		const walk = async (from: number) => {
			const ends: number[] = [];
			let cursor = formatCursor(cursorWithin(head, from));
			for (let more = true; more; ) {
				const page = await shop.pull(caller, { cursor, limit: 20 });
				({ cursor, hasMore: more } = page);
				ends.push(parseCursor(cursor)?.version ?? 0);
			}
			return ends;
		};
		const [first, second, third] = [
			await walk(1),
			await walk(7),
			await walk(18),
		];
		expect(first.slice(0, 4)).toEqual([16, 32, 48, 64]);
		expect(second).toEqual(first);
		expect(third).toEqual(first.slice(1));
	});

	test.each([
		["all fit", [1, 2, 3], 3, undefined, undefined],
		["the roundest is the first", [16, 17, 18], 2, 16, 17],
		["the roundest is the last", [13, 14, 15, 16, 17], 4, 16, 16],
		["the roundest is between", [15, 16, 17, 18], 3, 16, 17],
		["versions are missing", [3, 4, 9], 2, 8, 8],
		["one version is longer", [5, 5, 5, 6], 2, 5, 5],
		["a version would be split", [6, 7, 7, 7], 2, 6, 6],
	])(
		"a page of the feed ends at the end of a version: %s [FEED-2]",
		async (_what, versions, rows, end, whole) => {
			expect(endOfRows(versions, rows)).toBe(end);
			expect(lastWhole(versions, rows)).toBe(whole);
		},
	);

	test("the feed misses nothing that is written between its pages [FEED-6]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		const seen = new Set<string>();
		let cursor = "";
		for (let i = 0; i < 60; i += 1) {
			await pushOne(
				server,
				message(`m${i}`, "category.create", { id: `c${i}`, name: "C" }),
			);
			if (i % 3 === 0) {
				const page = await shop.pull(caller, { cursor, limit: 4 });
				for (const { id } of page.changes) seen.add(id);
				cursor = page.cursor;
			}
		}
		for (let more = true; more; ) {
			const page = await shop.pull(caller, { cursor, limit: 4 });
			for (const { id } of page.changes) seen.add(id);
			({ cursor, hasMore: more } = page);
		}
		expect(seen.size).toBe(61);
	});

	test("the feed keeps a deleted category as a tombstone, and its products lose it [FEED-3]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addMilk(server);
		await shop.mutate(caller, categoryCreate, { id: "dairy", name: "Dairy" });
		await shop.mutate(caller, productUpdate, {
			id: "milk",
			set: { categoryId: "dairy" },
		});
		const { cursor } = await shop.pull(caller, {});
		await pushOne(server, message("m1", "category.delete", { id: "dairy" }));
		const { changes } = await shop.pull(caller, { cursor });
		expect(changes).toEqual([
			{ entity: "category", id: "dairy", version: 5, deleted: true, row: null },
			expect.objectContaining({
				entity: "product",
				version: 5,
				row: expect.objectContaining({ categoryId: null }),
			}),
		]);
	});

	test("the feed starts again with reset for a cursor of another history or beyond the head [CUR-3]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addMilk(server);
		const first = await shop.pull(caller, {});
		expect(first.reset).toBeUndefined();
		for (const cursor of [
			`${first.epoch}.99`,
			"other.1",
			"nonsense",
			`${first.epoch}.-1`,
			`${first.epoch}.1e3`,
		])
			expect(await shop.pull(caller, { cursor })).toMatchObject({
				reset: true,
				changes: first.changes,
			});
		await server.store.write((tx) => beginNewHistory(tx, server.env));
		const after = await shop.pull(caller, { cursor: first.cursor });
		expect(after.reset).toBe(true);
		expect(after.epoch).not.toBe(first.epoch);
	});

	test("the feed of a missing business is empty", async () => {
		const { shop, caller } = await openTestShop();
		const nobody = { ...caller, businessId: "nobody" };
		const { cursor, epoch } = await shop.digest(nobody);
		expect(cursor).toBe(`${epoch}.0`);
		expect(await shop.head("nobody")).toBe(cursor);
		for (const from of [undefined, cursor])
			expect(await shop.pull(nobody, { cursor: from })).toMatchObject({
				...{
					changes: [],
					cursor,
					hasMore: false,
					backedUpTo: 0,
					feed: feedVersion,
				},
			});
		const push = { mutations: [], deviceId: "till-1" };
		await expect(shop.push(nobody, push)).rejects.toMatchObject({
			code: "not_found",
		});
	});

	test("a page of the feed has at least one row, whatever the limit", async () => {
		const server = await openTestShop();
		await addCategories(server, 3);
		for (const limit of [1, 0, -1, -500]) {
			const { changes, hasMore } = await server.shop.pull(server.caller, {
				limit,
			});
			expect([changes.length, hasMore]).toEqual([1, true]);
		}
	});

	test("a page of the feed has 500 rows by default and 20,000 at most [FEED-5]", async () => {
		const { shop, caller, store } = await openTestShop();
		await store.write(async (tx) => {
			await tx.run(
				`INSERT INTO categories (business_id, id, name, created_at, updated_at, version)
         WITH RECURSIVE n (v) AS (SELECT 2 UNION ALL SELECT v + 1 FROM n WHERE v < 33000)
         SELECT 'shop-1', 'c-' || v, 'C', '', '', v FROM n`,
			);
			await tx.run("UPDATE businesses SET head = 33000");
		});
		const { epoch } = parseCursor(await shop.head(caller.businessId)) as Cursor;
		const rowsOf = async (after: number, limit?: number) => {
			const cursor = `${epoch}.${after}`;
			return (await shop.pull(caller, { cursor, limit })).changes.length;
		};
		// Both pages end at a power of two, where no page is cut shorter.
		expect(await rowsOf(512 - 500)).toBe(500);
		expect(await rowsOf(32_768 - 20_000, 30_000)).toBe(20_000);
	});

	test("the feed leaves out what comes from other tables, which may change without the row [FEED-4]", async () => {
		const server = await openTestShop();
		const { shop, caller, store } = server;
		await addMilk(server);
		for (const { mutation, args } of plainRecords)
			await pushOne(server, message(`m ${args.id}`, mutation.name, args));
		const { changes } = await shop.pull(caller, {});
		for (const entity of entities.filter(({ expand }) => expand)) {
			const { id, row } =
				changes.find((one) => one.entity === entity.name) ?? {};
			const [whole] = await store.read((tx) =>
				selectWires(tx, entity, caller.businessId, "AND id = ?", id ?? ""),
			);
			const isOther = (field: string) =>
				!(field in entity.row.shape) && whole?.[field] !== undefined;
			expect(Object.keys(whole ?? {}).filter(isOther)).not.toEqual([]);
			expect(Object.keys(row ?? {}).filter(isOther)).toEqual([]);
		}
	});

	test("the feed shows rows in the shape of the REST endpoints [FEED-4]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		await pushOne(
			server,
			message("m1", "sale.create", {
				...saleArgs("s1", [{ price: 0.1, quantity: 3 }]),
				paid: 1,
			}),
		);
		const { changes } = await server.shop.pull(server.caller, {});
		expect(changes.find(({ entity }) => entity === "sale")?.row).toEqual({
			id: "s1",
			total: 0.3,
			cost: 120,
			profit: -119.7,
			paid: 1,
			change: 0.7,
			paymentMethod: "CASH",
			notes: null,
			businessId: "shop-1",
			receiptNumber: null,
			businessDay: "2026-11-20",
			userId: "user-1",
			deviceId: null,
			createdAt: madeAt,
			items: [
				{
					id: "1",
					saleId: "s1",
					name: "Milk",
					quantity: 3,
					price: 0.1,
					cost: 40,
					productId: null,
				},
			],
		});
	});
});

describe("the digest", () => {
	test("other requests are answered while the digest of a large shop is computed", async () => {
		const server = await openTestShop();
		await addCategories(server, 1_000);
		let turns = 0;
		let isDone = false;
		const count = () => {
			turns += 1;
			if (!isDone) setImmediate(count);
		};
		setImmediate(count);
		await server.store.read((tx) => readDigest(tx, server.caller.businessId));
		isDone = true;
		expect(turns).toBeGreaterThanOrEqual(5);
	});

	test("concurrent requests for a shop's digest share one computation [DIGEST-3]", async () => {
		const server = await openTestShop();
		await addCategories(server, 10);
		let reads = 0;
		const { store } = server;
		const counting = {
			...store,
			read: (fn: Parameters<typeof store.read>[0]) => {
				reads += 1;
				return store.read(fn);
			},
		} as typeof store;
		const shop = openShop({ store: counting, env: server.env });
		const asked = Array.from({ length: 10 }, () => shop.digest(server.caller));
		const digests = new Set(
			(await Promise.all(asked)).map(({ digest }) => digest),
		);
		expect([digests.size, reads]).toEqual([1, 2]);
	});

	test("the digest depends on a shop's rows and not on their history [DIGEST-1]", async () => {
		const one = await openTestShop();
		const two = await openTestShop();
		const a = message("m1", "category.create", { id: "a", name: "A" });
		const b = message("m2", "category.create", { id: "b", name: "B" });
		for (const item of [a, b]) await pushOne(one, item);
		for (const item of [b, a]) await pushOne(two, item);
		const digests = await Promise.all(
			[one, two].map(({ shop, caller }) => shop.digest(caller)),
		);
		expect(digests[0]?.digest).toBe(digests[1]?.digest);
		await pushOne(
			two,
			message("m3", "category.update", { id: "b", set: { name: "b" } }),
		);
		expect((await two.shop.digest(two.caller)).digest).not.toBe(
			digests[0]?.digest,
		);
	});
});
