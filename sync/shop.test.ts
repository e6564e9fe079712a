import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { businessUpdate } from "./entities/business.ts";
import { categoryCreate } from "./entities/category.ts";
import { mutations } from "./entities/index.ts";
import { productCreate, productUpdate } from "./entities/product.ts";
import { ShopError } from "./errors.ts";
import { beginNewHistory } from "./history.ts";
import { addBusiness, openTestShop, type TestShop } from "./test-shop.ts";

const at = "2026-11-20T08:00:00.000Z";

function sale(id: string, items: object[] = [{}]) {
	return {
		id,
		items: items.map((item, i) => ({
			id: String(i + 1),
			name: "Milk",
			quantity: 1,
			price: 50,
			cost: 40,
			...item,
		})),
	};
}

function message(id: unknown, name: unknown, args: unknown, more: object = {}) {
	return { id, name, args, at, ...more };
}

async function pushOne(server: TestShop, item: unknown) {
	const { results } = await server.shop.push(server.caller, {
		mutations: [item],
	});
	return results[0];
}

async function addMilk({ shop, caller }: TestShop) {
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
}

describe("a push", () => {
	test("applies each mutation once and says so the second time", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const item = message(
			"m1",
			"sale.create",
			sale("s1", [{ productId: "milk" }]),
		);
		expect(await pushOne(server, item)).toEqual({
			id: "m1",
			status: "applied",
			version: 3,
		});
		expect(
			await pushOne(server, { ...item, at: "2026-11-20T08:30:00.000Z" }),
		).toEqual({
			id: "m1",
			status: "applied",
			version: 3,
			duplicate: true,
		});
		expect(await server.rows("SELECT quantity FROM products")).toEqual([
			{ quantity: 9_000_000 },
		]);
	});

	test("knows a repeat whatever the order of its keys", async () => {
		const server = await openTestShop();
		await pushOne(
			server,
			message("m1", "category.create", { id: "c", name: "C" }),
		);
		const again = message("m1", "category.create", { name: "C", id: "c" });
		expect(await pushOne(server, again)).toMatchObject({ duplicate: true });
	});

	test("refuses other content under a used id and changes nothing", async () => {
		const server = await openTestShop();
		await pushOne(server, message("m1", "sale.create", sale("s1")));
		for (const other of [
			message("m1", "sale.create", sale("s1", [{ price: 51 }])),
			message("m1", "category.create", { id: "c", name: "C" }),
		])
			expect(await pushOne(server, other)).toMatchObject({
				status: "rejected",
				error: { code: "id_reused", field: "id" },
			});
		expect(await server.rows("SELECT id FROM mutations")).toHaveLength(1);
	});

	test("gives a refusal again, for ever", async () => {
		const server = await openTestShop();
		const item = message("m1", "stock.adjust", {
			id: "x",
			productId: "milk",
			delta: 1,
			reason: "received",
		});
		const refused = { code: "not_found", field: "productId" };
		expect(await pushOne(server, item)).toMatchObject({ error: refused });
		await addMilk(server);
		expect(await pushOne(server, item)).toMatchObject({
			status: "rejected",
			duplicate: true,
			error: refused,
		});
	});

	test("puts off what a newer till sends, and does it after an update", async () => {
		const server = await openTestShop();
		for (const item of [
			message("m1", "loyalty.redeem", { points: 5 }),
			message(
				"m2",
				"category.create",
				{ id: "c", name: "C", tint: 1 },
				{ argsVersion: 2 },
			),
		])
			expect(await pushOne(server, item)).toMatchObject({
				status: "deferred",
				error: { code: "unknown_mutation" },
			});
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});

	test("runs the rest of a batch past a bad mutation, each in its place", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				5,
				null,
				[],
				message(7, "sale.create", sale("s0")),
				message("", "sale.create", sale("s0")),
				message("x".repeat(65), "sale.create", sale("s0")),
				message("a\0b", "sale.create", sale("s0")),
				message("\ud800", "sale.create", sale("s0")),
				message("m1", "sale.create", sale("s1", [{ productId: "milk" }])),
				message("m2", "sale.create", sale("s2", [{ quantity: "1" }])),
				message("m3", "sale.create", sale("s3", [{ productId: "milk" }])),
			],
		});
		expect(results.map(({ status }) => status)).toEqual([
			...new Array(8).fill("rejected"),
			"applied",
			"rejected",
			"applied",
		]);
		expect(results[9]?.error?.field).toBe("items.0.quantity");
		expect(await server.rows("SELECT id FROM sales ORDER BY id")).toEqual([
			{ id: "s1" },
			{ id: "s3" },
		]);
	});

	test("leaves no trace of a mutation that fails half-way", async () => {
		const server = await openTestShop();
		await addMilk(server);
		// The second line's movement takes the stock beyond what can be counted.
		await server.store.write((tx) =>
			tx.run("UPDATE products SET quantity = ?", -(2 ** 53 - 2)),
		);
		const items = [{}, { productId: "milk" }];
		const result = await pushOne(
			server,
			message("m1", "sale.create", sale("s1", items)),
		);
		expect(result).toMatchObject({ status: "rejected" });
		for (const table of ["sales", "sale_items", "inbox_items"])
			expect(await server.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
		expect(
			await server.rows("SELECT status FROM mutations WHERE id = 'm1'"),
		).toEqual([{ status: "rejected" }]);
	});

	test("of a fault of ours is put off, and told", async () => {
		const server = await openTestShop();
		await server.store.write((tx) => tx.run("DROP TABLE reviews"));
		const item = message("m1", "review.create", {
			id: "r",
			rating: 5,
			text: "Good",
		});
		expect(await pushOne(server, item)).toMatchObject({
			status: "deferred",
			error: { code: "internal" },
		});
		expect(server.faults).toHaveLength(1);
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});

	test("of more than 1,000 mutations is refused whole", async () => {
		const server = await openTestShop();
		const mutations = Array.from({ length: 1_001 }, (_, i) =>
			message(`m${i}`, "category.create", { id: `c${i}`, name: "C" }),
		);
		await expect(
			server.shop.push(server.caller, { mutations }),
		).rejects.toMatchObject({ code: "too_large" });
		expect(await server.rows("SELECT id FROM categories")).toEqual([]);
		const fits = await server.shop.push(server.caller, {
			mutations: mutations.slice(1),
		});
		expect(fits.results.at(-1)).toMatchObject({ version: 1_001 });
	});

	test("can't be nested too deeply to be read", async () => {
		const server = await openTestShop();
		let args: unknown = 1;
		for (let i = 0; i < 70; i += 1) args = [args];
		expect(
			await pushOne(server, message("m1", "sale.create", args)),
		).toMatchObject({
			status: "rejected",
			error: { code: "invalid_args", field: "args" },
		});
	});

	test("gives versions without gaps", async () => {
		const server = await openTestShop();
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				message("m1", "category.create", { id: "a", name: "A" }),
				message("m2", "category.create", { id: "b" }),
				message("m3", "unknown", {}),
				message("m4", "category.create", { id: "d", name: "D" }),
			],
		});
		expect(results.map(({ version }) => version)).toEqual([
			2,
			undefined,
			undefined,
			3,
		]);
		expect(await server.rows("SELECT head FROM businesses")).toEqual([
			{ head: 3 },
		]);
	});

	test("of a mutation that the role does not allow is refused", async () => {
		const server = await openTestShop();
		server.caller.role = "CASHIER";
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				message("m1", "business.update", { set: { name: "Mine" } }),
				message("m2", "product.delete", { id: "milk" }),
				message("m3", "sale.create", sale("s1")),
			],
		});
		expect(results.map(({ error }) => error?.code)).toEqual([
			"forbidden",
			"forbidden",
			undefined,
		]);
	});
});

describe("the moment of a mutation", () => {
	test("is never later than the server's, and a clock far ahead is to be sorted out", async () => {
		const server = await openTestShop();
		const ahead = {
			...message("m1", "sale.create", sale("s1")),
			at: "9999-12-31T23:59:59.999Z",
		};
		Object.assign(ahead.args as object, { businessDay: "9999-12-31" });
		expect(await pushOne(server, ahead)).toMatchObject({ status: "applied" });
		const [row] = await server.rows(
			"SELECT created_at, business_day FROM sales",
		);
		expect(row).toEqual({
			created_at: "2026-11-20T09:00:00.000Z",
			business_day: "2026-11-20",
		});
		expect(await server.rows("SELECT cause FROM inbox_items")).toEqual([
			{ cause: "clock" },
		]);
	});

	test.each([
		undefined,
		17,
		"yesterday",
		"2026-11-20",
		"2026-11-20T08:00:00Z",
		"2026-11-20T08:00:00.000+03:00",
		"2026-13-40T08:00:00.000Z",
		"+010000-01-01T00:00:00.000Z",
	])("must be ISO 8601 in UTC with milliseconds, not %j", async (moment) => {
		const server = await openTestShop();
		const item = { ...message("m1", "sale.create", sale("s1")), at: moment };
		expect(await pushOne(server, item)).toMatchObject({
			status: "rejected",
			error: { code: "invalid_args", field: "at" },
		});
	});
});

describe("the feed", () => {
	test("gives every row once, at its newest version, however it is paged", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addMilk(server);
		for (let i = 0; i < 40; i += 1)
			await pushOne(
				server,
				message(
					`m${i}`,
					"sale.create",
					sale(`s${i}`, [{ productId: "milk" }, {}]),
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

	test("misses nothing that is written between its pages", async () => {
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

	test("keeps a deleted row as a tombstone, and its products lose their category", async () => {
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
				row: expect.objectContaining({ categoryId: null, category: null }),
			}),
		]);
	});

	test("begins at its start, and says so, for a cursor of another history or beyond the head", async () => {
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

	test("shows rows in the shape of the REST endpoints", async () => {
		const server = await openTestShop();
		await addMilk(server);
		await pushOne(
			server,
			message("m1", "sale.create", {
				...sale("s1", [{ price: 0.1, quantity: 3 }]),
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
			createdAt: at,
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
	test("follows what the shop holds, not the way it came there", async () => {
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

describe("a device", () => {
	test("is given a prefix of its own", async () => {
		const { shop, caller } = await openTestShop();
		const prefixes = [];
		for (let i = 0; i < 28; i += 1) {
			const { prefix } = await shop.push(caller, {
				mutations: [],
				deviceId: `till-${i}`,
			});
			prefixes.push(prefix);
		}
		expect(prefixes.slice(0, 2)).toEqual(["A", "B"]);
		expect(prefixes.slice(-3)).toEqual(["Z", "AA", "AB"]);
		const again = await shop.push(caller, {
			mutations: [],
			deviceId: "till-1",
		});
		expect(again.prefix).toBe("B");
	});

	test("whose number was used for another mutation is forked, and nothing of its push is applied", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		const push = (id: string, number: number) =>
			shop.push(caller, {
				deviceId: "till",
				lastNumber: number,
				mutations: [
					message(id, "category.create", { id, name: id }, { number }),
				],
			});
		await push("m1", 1);
		await push("m2", 2);
		const forked = await push("other", 2);
		expect(forked).toMatchObject({
			forked: true,
			results: [{ id: "other", status: "deferred", error: { code: "forked" } }],
		});
		expect(
			await server.rows("SELECT id FROM categories WHERE id = 'other'"),
		).toEqual([]);
		expect((await push("m2", 2)).forked).toBeUndefined();
		expect((await push("m1", 1)).forked).toBe(true);
	});

	test("is not forked for repeating what was put off", async () => {
		const { shop, caller } = await openTestShop();
		const request = {
			deviceId: "till",
			lastNumber: 3,
			mutations: [
				message("m1", "category.create", { id: "a", name: "A" }, { number: 1 }),
				message("m2", "loyalty.redeem", {}, { number: 2 }),
				message("m3", "category.create", { id: "b", name: "B" }, { number: 3 }),
			],
		};
		await shop.push(caller, request);
		const again = await shop.push(caller, request);
		expect(again.forked).toBeUndefined();
		expect(again.results.map(({ status }) => status)).toEqual([
			"applied",
			"deferred",
			"applied",
		]);
	});
});

describe("another business", () => {
	test("can't be reached, changed or noticed through its ids", async () => {
		const server = await openTestShop();
		const { shop, store } = server;
		await addMilk(server);
		await pushOne(server, message("m1", "sale.create", sale("s1")));
		await store.write((tx) => addBusiness(tx, "shop-2"));
		const other = {
			...server,
			caller: { ...server.caller, businessId: "shop-2" },
		};
		const before = await shop.digest(server.caller);
		// Ids that are taken there are free here; what is named here must be here.
		expect(
			await pushOne(other, message("m1", "sale.create", sale("s1"))),
		).toEqual({
			id: "m1",
			status: "applied",
			version: 2,
		});
		for (const [name, args, field] of [
			["product.update", { id: "milk", set: { name: "Mine" } }, "id"],
			["product.delete", { id: "milk" }, "id"],
			[
				"stock.adjust",
				{ id: "x", productId: "milk", delta: 1, reason: "count" },
				"productId",
			],
		] as const)
			expect(
				await pushOne(other, message(`x-${name}`, name, args)),
			).toMatchObject({
				error: { code: "not_found", field },
			});
		await pushOne(
			other,
			message("m9", "sale.create", sale("s9", [{ productId: "milk" }])),
		);
		expect(await shop.digest(server.caller)).toEqual(before);
		const { changes } = await shop.pull(other.caller, {});
		const ids = changes.map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining(["shop-2", "s1", "s9"]));
		expect(JSON.stringify(changes)).not.toContain("shop-1");
	});
});

describe("listeners", () => {
	test("hear of the head after the commit, for their business alone", async () => {
		const server = await openTestShop();
		await server.store.write((tx) => addBusiness(tx, "shop-2"));
		const heard: string[] = [];
		const end = server.shop.onHead("shop-1", (head) => heard.push(`1:${head}`));
		server.shop.onHead("shop-2", (head) => heard.push(`2:${head}`));
		await addMilk(server);
		await pushOne(server, message("m1", "nothing.known", {}));
		end();
		await server.shop.mutate(server.caller, businessUpdate, {
			set: { name: "New" },
		});
		expect(heard).toEqual(["1:2"]);
	});
});

describe("many mutations at once", () => {
	test("are all made, or none", async () => {
		const server = await openTestShop();
		const made = ["a", "b", "a"].map((id) => ({
			mutation: categoryCreate,
			args: { id, name: id },
		}));
		await expect(
			server.shop.mutateAll(server.caller, made),
		).rejects.toMatchObject({ code: "id_reused" });
		expect(await server.rows("SELECT id FROM categories")).toEqual([]);
		await server.shop.mutateAll(server.caller, made.slice(0, 2));
		expect(await server.rows("SELECT head FROM businesses")).toEqual([
			{ head: 3 },
		]);
	});
});

describe("what a released till has sent", () => {
	const dir = join(import.meta.dirname, "fixtures/v1");
	const files = readdirSync(dir);

	test.each(files)("is still understood: %s", async (file) => {
		const { setUp, push, results } = JSON.parse(
			readFileSync(join(dir, file), "utf8"),
		);
		const server = await openTestShop();
		if (setUp) await server.shop.push(server.caller, { mutations: setUp });
		const answer = await server.shop.push(server.caller, push);
		expect(answer.results).toEqual(results);
	});

	test("is there for every mutation", () => {
		const sent = files.flatMap((file) => {
			const { push } = JSON.parse(readFileSync(join(dir, file), "utf8"));
			return push.mutations.map(({ name }: { name: string }) => name);
		});
		expect([...new Set(sent)].sort()).toEqual(
			mutations.map(({ name }) => name).sort(),
		);
	});
});

test("a refusal that is thrown carries its code and field", () => {
	const error = new ShopError("not_found", "Product not found", "id");
	expect(error).toMatchObject({
		name: "ShopError",
		code: "not_found",
		field: "id",
	});
});
