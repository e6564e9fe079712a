import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { businessUpdate } from "./entities/business.ts";
import { categoryCreate } from "./entities/category.ts";
import { mutations } from "./entities/index.ts";
import { ShopError } from "./protocol/errors.ts";
import type { MutationInput } from "./shop.ts";
import type { Connection } from "./store/store.ts";
import {
	addBusiness,
	addCategories,
	addMilk,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	saleArgs,
} from "./testing/shop.ts";

describe("a device", () => {
	test("each device gets its own receipt prefix [RCPT-1]", async () => {
		const { shop, caller } = await openTestShop();
		const prefixOf = async (deviceId: string) =>
			(await shop.push(caller, { mutations: [], deviceId })).prefix;
		const prefixes = [];
		for (let i = 0; i < 28; i += 1) prefixes.push(await prefixOf(`till-${i}`));
		expect(new Set(prefixes).size).toBe(28);
		expect(await prefixOf("till-1")).toBe(prefixes[1]);
	});

	test("a device that uses a number for another mutation is forked, and its push is not applied [DEV-4]", async () => {
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

	test("a device that repeats deferred mutations is not forked [DEV-6]", async () => {
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
	test("another business can't be reached, changed or detected by its ids [BIZ-3]", async () => {
		const server = await openTestShop();
		const { shop, store } = server;
		await addMilk(server);
		await pushOne(server, message("m1", "sale.create", saleArgs("s1")));
		await store.write((tx) => addBusiness(tx, "shop-2"));
		const other = {
			...server,
			caller: { ...server.caller, businessId: "shop-2" },
		};
		const before = await shop.digest(server.caller);
		// Ids that the other business uses are free here, and records must exist here.
		expect(
			await pushOne(other, message("m1", "sale.create", saleArgs("s1"))),
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
			message("m9", "sale.create", saleArgs("s9", [{ productId: "milk" }])),
		);
		expect(await shop.digest(server.caller)).toEqual(before);
		const { changes } = await shop.pull(other.caller, {});
		const ids = changes.map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining(["shop-2", "s1", "s9"]));
		expect(JSON.stringify(changes)).not.toContain("shop-1");
	});
});

describe("listeners", () => {
	test("head listeners are called after the commit, for their business only", async () => {
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
		// On a store with several processes, a listener may get the head of its beginning too, which may be any of these.
		const start = ["1:1", "2:1"];
		const moved = new Set(heard.filter((it) => !start.includes(it)));
		expect([...moved]).toEqual(["1:2"]);
	});
});

describe("many mutations at once", () => {
	test("mutateAll makes all mutations or none", async () => {
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

	test("mutateAll reports progress every 500 mutations", async () => {
		const { shop, caller } = await openTestShop();
		const made = Array.from({ length: 1_001 }, (_, i) => ({
			mutation: categoryCreate,
			args: { id: `c-${i}`, name: "C" },
		}));
		const progress: number[] = [];
		await shop.mutateAll(caller, made, (done) => progress.push(done));
		expect(progress).toEqual([500, 1_000]);
	});

	/** Makes one more category, named after the number of existing ones. */
	async function oneMore(tx: Connection): Promise<MutationInput[]> {
		const { length } = await tx.all("SELECT id FROM categories");
		const args = { id: `c-${length}`, name: `After ${length}` };
		return [{ mutation: categoryCreate, args }];
	}

	test("mutateAll lets a function choose mutations by the current rows, on a server and on a till", async () => {
		const server = await openTestShop();
		const { till } = await openTestTill(await openTestShop());
		for (const { store, mutateAll } of [server.shop, till]) {
			await Promise.all([1, 2, 3].map(() => mutateAll(server.caller, oneMore)));
			expect(
				await store.read((tx) =>
					tx.all("SELECT id FROM categories ORDER BY id"),
				),
			).toEqual([{ id: "c-0" }, { id: "c-1" }, { id: "c-2" }]);
		}
	});
});

describe("what a released till has sent", () => {
	const dir = join(import.meta.dirname, "fixtures/v1");
	const files = readdirSync(dir);

	test.each(files)(
		"a released till's message is still understood: %s [VER-3]",
		async (file) => {
			const { setUp, push, results } = JSON.parse(
				readFileSync(join(dir, file), "utf8"),
			);
			const server = await openTestShop();
			if (setUp) await server.shop.push(server.caller, { mutations: setUp });
			const answer = await server.shop.push(server.caller, push);
			expect(answer.results).toEqual(results);
		},
	);

	test("every mutation has a released till's message", () => {
		const sent = files.flatMap((file) => {
			const { push } = JSON.parse(readFileSync(join(dir, file), "utf8"));
			return push.mutations.map(({ name }: { name: string }) => name);
		});
		expect([...new Set(sent)].sort()).toEqual(
			mutations.map(({ name }) => name).sort(),
		);
	});
});

test("a thrown refusal carries its code and field", () => {
	const error = new ShopError("not_found", "Product not found", "id");
	expect(error).toMatchObject({
		name: "ShopError",
		code: "not_found",
		field: "id",
	});
});

describe("tills that come back together", () => {
	test("tills that come back together get their sales acknowledged before their pages [PUSH-15]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		const cursor = await shop.head(caller.businessId);
		await addMilk(server);
		// So many that the server has dropped them from its feed cache.
		await addCategories(server, 30);
		const bring = (till: string, count: number) =>
			shop.push(caller, {
				deviceId: till,
				lastNumber: count,
				cursor,
				mutations: Array.from({ length: count }, (_, i) =>
					message(
						`${till}-${i}`,
						"sale.create",
						saleArgs(`sale-${till}-${i}`, [{ productId: "milk" }]),
						{ number: i + 1 },
					),
				),
			});
		const first = bring("till-1", 400);
		// The first read is in progress, and the second one waits.
		for (let turns = 0; turns < 3; turns += 1) await nextTurn();
		const [one, other] = await Promise.all([first, bring("till-2", 20)]);
		expect(one).toMatchObject({ changes: [], cursor, hasMore: true });
		for (const { results } of [one, other])
			expect(results.every(({ status }) => status === "applied")).toBe(true);
		const sales = other.changes?.filter(({ entity }) => entity === "sale");
		expect(sales?.length).toBeGreaterThan(0);
		const page = await shop.pull(caller, { cursor, limit: 5_000 });
		expect(page.hasMore).toBe(false);
		expect(page.changes.filter(({ entity }) => entity === "sale")).toHaveLength(
			420,
		);
	});
});
