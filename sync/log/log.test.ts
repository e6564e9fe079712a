import { describe, expect, test } from "vitest";
import {
	addMilk,
	madeAt,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";

describe("a push", () => {
	test("a push applies each mutation once and marks a repeat as duplicate [PUSH-3]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const item = message(
			"m1",
			"sale.create",
			saleArgs("s1", [{ productId: "milk" }]),
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

	test("a push recognizes a repeat with its keys in another order [MUT-3]", async () => {
		const server = await openTestShop();
		await pushOne(
			server,
			message("m1", "category.create", { id: "c", name: "C" }),
		);
		const again = message("m1", "category.create", { name: "C", id: "c" });
		expect(await pushOne(server, again)).toMatchObject({ duplicate: true });
	});

	test("a push refuses other content under a used id and changes nothing [PUSH-4]", async () => {
		const server = await openTestShop();
		await pushOne(server, message("m1", "sale.create", saleArgs("s1")));
		for (const other of [
			message("m1", "sale.create", saleArgs("s1", [{ price: 51 }])),
			message("m1", "category.create", { id: "c", name: "C" }),
		])
			expect(await pushOne(server, other)).toMatchObject({
				status: "rejected",
				error: { code: "id_reused", field: "id" },
			});
		expect(await server.rows("SELECT id FROM mutations")).toHaveLength(1);
	});

	test("a push repeats an earlier rejection for ever [PUSH-3] [PUSH-7]", async () => {
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

	test("a push defers a newer till's mutation, and applies it after an update [PUSH-8] [VER-2]", async () => {
		const server = await openTestShop();
		for (const item of [
			message("m1", "loyalty.redeem", { points: 5 }),
			message(
				"m2",
				"category.create",
				{ id: "c", name: "C", tint: 1 },
				{ argsVersion: 3 },
			),
		])
			expect(await pushOne(server, item)).toMatchObject({
				status: "deferred",
				error: { code: "unknown_mutation" },
			});
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});

	test("a push applies the rest of a batch after a bad mutation, with results in order [MUT-1] [PUSH-5]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				5,
				null,
				[],
				message(7, "sale.create", saleArgs("s0")),
				message("", "sale.create", saleArgs("s0")),
				message("x".repeat(65), "sale.create", saleArgs("s0")),
				message("a\0b", "sale.create", saleArgs("s0")),
				message("\ud800", "sale.create", saleArgs("s0")),
				message("m1", "sale.create", saleArgs("s1", [{ productId: "milk" }])),
				message("m2", "sale.create", saleArgs("s2", [{ quantity: "1" }])),
				message("m3", "sale.create", saleArgs("s3", [{ productId: "milk" }])),
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

	test("a push reports what is wrong with a malformed item, under its id if it has one [MUT-2] [PUSH-9]", async () => {
		const server = await openTestShop();
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				5,
				null,
				[{ id: "m1" }],
				message(7, "sale.create", saleArgs("s0")),
				message("x".repeat(65), "sale.create", saleArgs("s0")),
			],
		});
		const refused = (id: unknown, text: string) => ({
			id,
			status: "rejected",
			error: { code: "invalid_args", message: text, field: "id" },
		});
		const noObject = "A mutation must be an object";
		const noId = "A mutation's id must be a text of 1 to 64 characters";
		expect(results).toEqual([
			refused(null, noObject),
			refused(null, noObject),
			refused(null, noObject),
			refused(null, noId),
			refused("x".repeat(64), noId),
		]);
	});

	test("a push rejects a name that is not a text instead of deferring it", async () => {
		const server = await openTestShop();
		expect(await pushOne(server, message("m1", 17, {}))).toMatchObject({
			id: "m1",
			status: "rejected",
			error: { code: "invalid_args", field: "name" },
		});
	});

	test("a push truncates the error about a field name of many letters", async () => {
		const server = await openTestShop();
		const args = { id: "c", name: "C", ["k".repeat(2_000)]: 1 };
		const result = await pushOne(
			server,
			message("m1", "category.create", args),
		);
		expect(result?.error).toEqual({
			code: "invalid_args",
			message: "k".repeat(500),
			field: "k".repeat(500),
		});
	});

	test("a push names the arguments as the field if they are not an object", async () => {
		const server = await openTestShop();
		expect(
			await pushOne(server, message("m1", "category.create", 5)),
		).toMatchObject({ error: { code: "invalid_args", field: "args" } });
	});

	test("a push tells a reused id from a repeat by the name too", async () => {
		const server = await openTestShop();
		await addMilk(server);
		await pushOne(server, message("m1", "product.delete", { id: "milk" }));
		expect(
			await pushOne(server, message("m1", "category.delete", { id: "milk" })),
		).toEqual({
			id: "m1",
			status: "rejected",
			error: {
				code: "id_reused",
				message: "Another mutation has this id",
				field: "id",
			},
		});
	});

	test("a push repeats a rejection with its id and whole error", async () => {
		const server = await openTestShop();
		const item = message("m1", "category.delete", { id: "none" });
		const first = await pushOne(server, item);
		expect(first).toMatchObject({ id: "m1", status: "rejected" });
		expect(await pushOne(server, item)).toEqual({ ...first, duplicate: true });
	});

	test("a push for a missing business is refused and leaves nothing", async () => {
		const server = await openTestShop();
		const caller = { ...server.caller, businessId: "nobody" };
		const mutations = [
			message("m1", "category.create", { id: "c", name: "C" }),
		];
		await expect(server.shop.push(caller, { mutations })).rejects.toMatchObject(
			{ code: "not_found" },
		);
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});

	test("a push logs when a mutation was made and received, by whom and on which device [LOG-1]", async () => {
		const server = await openTestShop();
		await server.shop.push(server.caller, {
			mutations: [message("m1", "sale.create", saleArgs("s1"))],
			deviceId: "till-1",
		});
		expect(
			await server.rows(
				"SELECT at, received_at, user_id, device_id, args_version, status, error, version FROM mutations",
			),
		).toEqual([
			{
				at: madeAt,
				received_at: "2026-11-20T09:00:00.000Z",
				user_id: "user-1",
				device_id: "till-1",
				args_version: 1,
				status: "applied",
				error: null,
				version: 2,
			},
		]);
		expect(await server.rows("SELECT user_id, device_id FROM sales")).toEqual([
			{ user_id: "user-1", device_id: "till-1" },
		]);
	});

	test("a push keeps the stock of its other mutations when one fails after a write [PUSH-10]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const most = 2 ** 53 - 2;
		await server.store.write((tx) =>
			tx.run("UPDATE products SET quantity = ?", most),
		);
		const sale = (n: number) =>
			message(
				`m${n}`,
				"sale.create",
				saleArgs(`s${n}`, [{ productId: "milk" }]),
			);
		// It writes the name and the buffered sum of the earlier sales before its own sum overflows.
		const tooMuch = message("m2", "product.update", {
			id: "milk",
			set: { name: "Cream", quantity: 5 },
			seenQuantity: 0,
		});
		const { results } = await server.shop.push(server.caller, {
			mutations: [sale(1), sale(4), tooMuch, sale(3)],
		});
		expect(results.map(({ status, version }) => [status, version])).toEqual([
			["applied", 3],
			["applied", 4],
			["rejected", undefined],
			["applied", 5],
		]);
		expect(
			await server.rows("SELECT name, quantity, version FROM products"),
		).toEqual([{ name: "Milk", quantity: most - 3_000_000, version: 2 }]);
	});

	test("a push leaves nothing of a mutation that fails after a write [PUSH-10]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		await server.store.write((tx) =>
			tx.run("UPDATE products SET quantity = ?", 2 ** 53 - 2),
		);
		// It writes the name before the stock turns out to be too large to count.
		const set = { name: "Cream", quantity: 5 };
		const result = await pushOne(
			server,
			message("m1", "product.update", { id: "milk", set, seenQuantity: 0 }),
		);
		expect(result).toMatchObject({
			status: "rejected",
			error: { field: "quantity" },
		});
		expect(await server.rows("SELECT name, quantity FROM products")).toEqual([
			{ name: "Milk", quantity: 2 ** 53 - 2 },
		]);
		expect(
			await server.rows("SELECT 1 FROM stock_movements WHERE delta = 5000000"),
		).toEqual([]);
		expect(
			await server.rows("SELECT status FROM mutations WHERE id = 'm1'"),
		).toEqual([{ status: "rejected" }]);
	});

	test("a push defers and reports a mutation that hits a bug [PUSH-11]", async () => {
		const server = await openTestShop();
		await server.store.write((tx) => tx.run("DROP TABLE reviews"));
		const item = message("m1", "review.create", {
			id: "r",
			rating: 5,
			text: "Good",
		});
		expect(await pushOne(server, item)).toMatchObject({
			status: "deferred",
			error: {
				code: "internal",
				message: expect.stringContaining("reviews"),
			},
		});
		expect(server.faults).toHaveLength(1);
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});

	test("a push of more than 1,000 mutations is refused whole [PUSH-2]", async () => {
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

	test("a push rejects arguments that are nested too deeply [MUT-3]", async () => {
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

	test("a push assigns versions without gaps [LOG-2]", async () => {
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

	test("a push rejects a mutation that the role does not allow [PERM-1]", async () => {
		const server = await openTestShop();
		server.caller.role = "CASHIER";
		const { results } = await server.shop.push(server.caller, {
			mutations: [
				message("m1", "business.update", { set: { name: "Mine" } }),
				message("m2", "product.delete", { id: "milk" }),
				message("m3", "sale.create", saleArgs("s1")),
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
	test("a mutation's moment is never after the server's now, and a clock far ahead raises an inbox item [CLOCK-3]", async () => {
		const server = await openTestShop();
		const ahead = {
			...message("m1", "sale.create", saleArgs("s1")),
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
		{ aheadMs: 0, causes: [] },
		{ aheadMs: 5 * 60_000, causes: [] },
		{ aheadMs: 5 * 60_000 + 1, causes: ["clock"] },
	])(
		"a mutation's moment may be five minutes ahead without an inbox item: $aheadMs ms [CLOCK-3]",
		async ({ aheadMs, causes }) => {
			const server = await openTestShop();
			const at = new Date(server.env.now() + aheadMs).toISOString();
			const item = { ...message("m1", "sale.create", saleArgs("s1")), at };
			expect(await pushOne(server, item)).toMatchObject({ status: "applied" });
			expect(await server.rows("SELECT created_at FROM sales")).toEqual([
				{ created_at: "2026-11-20T09:00:00.000Z" },
			]);
			const items = await server.rows("SELECT cause FROM inbox_items");
			expect(items.map(({ cause }) => cause)).toEqual(causes);
		},
	);

	test.each([
		undefined,
		17,
		"yesterday",
		"2026-11-20",
		"2026-11-20T08:00:00Z",
		"2026-11-20T08:00:00.000+03:00",
		"2026-13-40T08:00:00.000Z",
		"+010000-01-01T00:00:00.000Z",
	])(
		"a mutation's moment must be ISO 8601 in UTC with milliseconds, not %j [CLOCK-1]",
		async (moment) => {
			const server = await openTestShop();
			const item = {
				...message("m1", "sale.create", saleArgs("s1")),
				at: moment,
			};
			expect(await pushOne(server, item)).toMatchObject({
				status: "rejected",
				error: { code: "invalid_args", field: "at" },
			});
		},
	);
});
