import { describe, expect, test, vi } from "vitest";
import { createBusiness } from "../entities/business.ts";
import { categoryCreate } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { prefixOf } from "../log/prefix.ts";
import type { ProofKey } from "../log/proof.ts";
import { ShopError } from "../protocol/errors.ts";
import { canonicalJson } from "../protocol/json.ts";
import { testBusiness } from "../testing/business.ts";
import {
	addMilk,
	message,
	openTestShop,
	openTestTill,
	saleArgs,
	testEnv,
} from "../testing/shop.ts";

const now = "2026-11-20T09:00:00.000Z";

/** A till that has synced, with a clock an hour behind the server's. */
async function openTill() {
	const server = await openTestShop();
	await addMilk(server);
	const env = testEnv("2026-11-20T08:00:00.000Z");
	let key: ProofKey | undefined;
	const a = await openTestTill(server, {
		env,
		keyring: {
			read: () => key,
			isWanted: () => false,
			write() {},
		},
	});
	await a.till.sync();
	const outbox = () =>
		a.rows(
			`SELECT mutations.id, mutations.name, args_version, at, user_id, device_id, number, proof, state
       FROM outbox JOIN mutations ON mutations.id = mutation_id ORDER BY position`,
		);
	const take = async (item: object, caller = a.caller) => {
		const [result] = await a.till.take(caller, [item as never]);
		return result;
	};
	return {
		...{ server, a, env, outbox, take },
		giveKey(userId: string) {
			key = { userId, deviceId: "d", key: "k" };
		},
	};
}

describe("what a till makes", () => {
	test("a till's mutation is logged with its maker, its device, the server's time and its number [CLOCK-1]", async () => {
		const { a, outbox } = await openTill();
		const { deviceId } = await a.till.status();
		await a.till.mutate(a.caller, categoryCreate, { id: "c", name: "Dairy" });
		expect(await outbox()).toEqual([
			{
				id: expect.any(String),
				name: "category.create",
				args_version: 1,
				at: now,
				user_id: "user-1",
				device_id: deviceId,
				number: 1,
				proof: null,
				state: "pending",
			},
		]);
	});

	test("a till's receipts count upwards after its prefix [RCPT-1]", async () => {
		const { a } = await openTill();
		for (const id of ["s-1", "s-2"])
			await a.till.mutate(a.caller, saleCreate, saleArgs(id));
		const { prefix } = await a.till.status();
		expect(
			await a.rows("SELECT receipt_number, business_day FROM sales"),
		).toEqual([
			{ receipt_number: `${prefix}-000001`, business_day: "2026-11-20" },
			{ receipt_number: `${prefix}-000002`, business_day: "2026-11-20" },
		]);
	});

	test("a till's receipts use the prefix of its id until a server names another", async () => {
		const fresh = await openTestTill(await openTestShop());
		await fresh.store.write((tx) => createBusiness(tx, testBusiness("shop-1")));
		await fresh.till.mutate(fresh.caller, saleCreate, saleArgs("s-1"));
		await fresh.till.mutate(fresh.caller, saleCreate, saleArgs("s-2"));
		const numbers = await fresh.rows(
			"SELECT receipt_number FROM sales ORDER BY receipt_number",
		);
		const { deviceId } = await fresh.till.status();
		const prefix = prefixOf("shop-1", deviceId);
		expect(numbers).toEqual([
			{ receipt_number: `${prefix}-000001` },
			{ receipt_number: `${prefix}-000002` },
		]);
	});

	test("a till's mutation carries a proof only if its maker's session left the key [PERM-6]", async () => {
		const { a, outbox, take, giveKey } = await openTill();
		giveKey("user-1");
		const as = (userId: string) => ({ ...a.caller, userId });
		const add = (id: string, userId: string) =>
			a.till.mutate(as(userId), categoryCreate, { id, name: id });
		await add("c-1", "user-1");
		await add("c-2", "user-2");
		giveKey("user-2");
		await add("c-3", "user-1");
		await a.store.write((tx) =>
			tx.run(
				"INSERT INTO former_members (business_id, user_id, left_at) VALUES ('shop-1', 'user-2', '')",
			),
		);
		const item = message("m-4", categoryCreate.name, { id: "c-4", name: "4" });
		for (const [id, key] of [
			["m-4", "user-2"],
			["m-5", "user-1"],
		] as const) {
			giveKey(key);
			const carried = { ...item, id, by: "user-2", args: { id, name: id } };
			expect(await take(carried)).toMatchObject({ status: "applied" });
		}
		const made = await outbox();
		expect(made.map(({ user_id, proof }) => [user_id, proof !== null])).toEqual(
			[
				["user-1", true],
				["user-2", false],
				["user-1", false],
				["user-2", false],
				["user-2", false],
			],
		);
		expect(made[0]?.proof).toMatch(/^d\.[\w-]{43}$/);
	});

	test("a till's mutation of more than a million bytes is refused [OUT-8]", async () => {
		const { a } = await openTill();
		const long = Array.from({ length: 700 }, () => ({ name: "€".repeat(450) }));
		const args = {
			...saleArgs("s", long),
			...{ receiptNumber: "1", businessDay: "2026-11-20", notes: "" },
		};
		const room = 1_000_000 - Buffer.byteLength(canonicalJson(args));
		// Two bytes per letter, in a field that had none.
		const fill = (bytes: number) => ({
			...args,
			notes: "n".repeat(bytes % 1_000),
			items: args.items.map((item, i) => ({
				...item,
				name:
					item.name + "n".repeat(i < Math.floor(bytes / 1_000) * 20 ? 50 : 0),
			})),
		});
		expect(Buffer.byteLength(canonicalJson(fill(room)))).toBe(1_000_000);
		await expect(
			a.till.mutate(a.caller, saleCreate, fill(room + 1)),
		).rejects.toMatchObject({ code: "too_large" });
		expect(await a.rows("SELECT id FROM sales")).toEqual([]);
		expect(await a.till.status()).toMatchObject({ pending: 0 });
		await a.till.mutate(a.caller, saleCreate, fill(room));
		expect(await a.rows("SELECT id FROM sales")).toEqual([{ id: "s" }]);
	});

	test.each([
		["nothing", undefined],
		["a text", "sale"],
		["no lines", { id: "s" }],
		["malformed lines", { id: "s", items: 5 }],
	])(
		"a sale with %s as arguments is refused as invalid, alone and among others",
		async (_, args) => {
			const { a } = await openTill();
			const made = { mutation: saleCreate, args };
			const dairy = {
				mutation: categoryCreate,
				args: { id: "c", name: "Dairy" },
			};
			const invalid = { code: "invalid_args" };
			await expect(
				a.till.mutate(a.caller, saleCreate, args as never),
			).rejects.toMatchObject(invalid);
			await expect(
				a.till.mutateAll(a.caller, [dairy, made]),
			).rejects.toMatchObject(invalid);
			expect(await a.rows("SELECT id FROM categories")).toEqual([]);
			expect(await a.till.status()).toMatchObject({ pending: 0 });
		},
	);

	test("mutateAll with a mutation that the role does not allow is refused as a whole", async () => {
		const { a } = await openTill();
		const cashier = { ...a.caller, role: "CASHIER" as const };
		const sale = { mutation: saleCreate, args: saleArgs("s") };
		const price = {
			mutation: productUpdate,
			args: { id: "milk", set: { sellingPrice: 1 } },
		};
		await expect(
			a.till.mutateAll(cashier, async () => [sale, price]),
		).rejects.toMatchObject({ code: "forbidden" });
		expect(await a.rows("SELECT id FROM sales")).toEqual([]);
		await a.till.mutateAll(cashier, async () => [sale]);
		expect(await a.rows("SELECT id FROM sales")).toEqual([{ id: "s" }]);
	});
});

describe("earlier mutations that a till takes over", () => {
	const dairy = { id: "c", name: "Dairy" };
	const item = (more: object = {}) =>
		message("m-1", categoryCreate.name, dairy, more);

	test("an earlier mutation keeps its time and has no number, so that the server accepts its date [DEV-2] [OUT-10]", async () => {
		const { take, outbox, a, server } = await openTill();
		const { deviceId } = await a.till.status();
		// The server knows the device, and its count.
		await a.till.mutate(a.caller, categoryCreate, { id: "b", name: "Bread" });
		await a.till.sync();
		const at = "2026-11-18T07:30:00.000Z";
		expect(await take(item({ at, number: 7 }))).toEqual({
			id: "m-1",
			status: "applied",
		});
		expect((await outbox()).at(-1)).toEqual({
			id: "m-1",
			name: "category.create",
			args_version: 1,
			at,
			user_id: "user-1",
			device_id: deviceId,
			number: null,
			proof: null,
			state: "pending",
		});
		await a.till.sync();
		expect(
			await server.rows("SELECT at, device_at FROM mutations WHERE id = 'm-1'"),
		).toEqual([{ at, device_at: null }]);
	});

	test("an earlier mutation stays its maker's, even if this till does not know the member", async () => {
		const { take, outbox } = await openTill();
		await take(item({ by: "asha" }));
		expect((await outbox()).at(-1)).toMatchObject({ user_id: "asha" });
	});

	test("a till's receipts continue after those of earlier sales", async () => {
		const { take, a } = await openTill();
		const { prefix } = await a.till.status();
		const printed = async (id: string, receiptNumber: string) =>
			expect(
				await take(
					message(`m-${id}`, saleCreate.name, {
						...{ ...saleArgs(id), receiptNumber, businessDay: "2026-11-20" },
					}),
				),
			).toMatchObject({ status: "applied" });
		await printed("s-1", `${prefix}-000041`);
		await printed("s-2", `${prefix}-000007`);
		await printed("s-3", `${prefix}2-000090`);
		await printed("s-4", `${prefix}X-000091`);
		await printed("s-5", `${prefix}-9999999999`);
		const { args } = await a.till.mutate(a.caller, saleCreate, saleArgs("s-6"));
		expect(args.receiptNumber).toBe(`${prefix}-000042`);
	});

	test("an earlier mutation is done once under its id, and other content is refused [OUT-10]", async () => {
		const { take, outbox, a } = await openTill();
		await take(item());
		expect(await take(item({ at: now }))).toEqual({
			id: "m-1",
			status: "applied",
			duplicate: true,
		});
		const others = [
			message("m-1", categoryCreate.name, { ...dairy, name: "Other" }),
			message("m-1", "category.delete", dairy),
		];
		for (const other of others)
			expect(await take(other)).toEqual({
				id: "m-1",
				status: "rejected",
				error: { code: "id_reused", message: expect.any(String) },
			});
		expect(await outbox()).toHaveLength(1);
		expect(await a.rows("SELECT name FROM categories")).toEqual([
			{ name: "Dairy" },
		]);
	});

	test("an earlier mutation may have an id that another shop on this machine uses", async () => {
		const { take, a } = await openTill();
		await a.store.write((tx) =>
			tx.run(
				"INSERT INTO stored_mutations (business_id, id, name, args, at, received_at, status) VALUES ('shop-2', 'm-1', 'x', '{}', '', '', 'applied')",
			),
		);
		expect(await take(item())).toEqual({ id: "m-1", status: "applied" });
	});

	const rename = {
		...{ name: productUpdate.name, args: { id: "milk", set: { name: "x" } } },
	};
	const refused = [
		["has invalid arguments", "invalid_args", { ...item(), args: { id: "c" } }],
		["its member may not make", "forbidden", item(rename)],
		[
			"changes a missing record",
			"not_found",
			item({ ...rename, args: { id: "none", set: { name: "x" } } }),
		],
	] as const;

	test.each([
		[
			"is of a later version",
			{ argsVersion: 1_000, args: { ...dairy, shelf: "4" } },
			"unknown_mutation",
		],
		["is unknown", { name: "sale.juggle" }, "unknown_mutation"],
		[
			"its carrier may not make",
			{ ...rename, by: "somebody" },
			"awaits_permission",
		],
	])(
		"an earlier mutation that %s is deferred and leaves no trace",
		async (_, more, code) => {
			const { take, outbox, a } = await openTill();
			const cashier = { ...a.caller, role: "CASHIER" as const };
			const { error, ...result } = (await take(item(more), cashier)) ?? {};
			expect(result).toEqual({ id: "m-1", status: "deferred" });
			expect(error?.code).toBe(code);
			expect(await outbox()).toEqual([]);
		},
	);

	test.each(refused)(
		"an earlier mutation that %s is rejected without a trace before the shop was pulled",
		async (_, code, made) => {
			const { till, rows, caller } = await openTestTill(await openTestShop());
			const by = code === "forbidden" ? "CASHIER" : "OWNER";
			const [result] = await till.take({ ...caller, role: by }, [
				made as never,
			]);
			expect(result).toMatchObject({ status: "rejected", error: { code } });
			expect(await rows("SELECT * FROM outbox")).toEqual([]);
		},
	);

	test.each(refused)(
		"an earlier mutation that %s is left to the server, whose rejection is shown",
		async (_, code, made) => {
			const { a, take } = await openTill();
			if (code === "forbidden") a.caller.role = "CASHIER";
			expect(await take(made)).toEqual({ id: "m-1", status: "applied" });
			expect(await a.till.status()).toMatchObject({ pending: 1 });
			await a.till.sync();
			expect(await a.till.rejected()).toMatchObject([
				{ id: "m-1", error: { code } },
			]);
		},
	);

	test("listeners are notified of a new earlier mutation, and of no repeat", async () => {
		const { a, take } = await openTill();
		let told = 0;
		a.till.onHead("shop-1", () => {
			told += 1;
		});
		await take(item());
		expect(told).toBe(1);
		await take(item());
		await take(item({ id: "m-2", name: "sale.juggle" }));
		expect(told).toBe(1);
	});

	test.each([
		["a full disk", new ShopError("storage_full", "No room")],
		["a bug", new TypeError("A bug")],
	])(
		"taking over a mutation that meets %s fails as a whole",
		async (_, error) => {
			const { a, outbox } = await openTill();
			const write = a.store.write.bind(a.store);
			vi.spyOn(a.store, "write").mockImplementation((fn) =>
				write((tx) =>
					fn({
						get: tx.get.bind(tx),
						all: tx.all.bind(tx),
						run: tx.run.bind(tx),
						savepoint: async () => {
							throw error;
						},
					}),
				),
			);
			await expect(a.till.take(a.caller, [item() as never])).rejects.toBe(
				error,
			);
			vi.restoreAllMocks();
			expect(await outbox()).toEqual([]);
		},
	);

	test("an earlier mutation that can't be done is deferred alone, in order", async () => {
		const { a, outbox } = await openTill();
		const made = [
			item(),
			message("m-2", "sale.juggle", {}),
			message("m-3", categoryCreate.name, { id: "c-3", name: "3" }),
		];
		const results = await a.till.take(a.caller, made as never);
		expect(results.map(({ id, status }) => [id, status])).toEqual([
			["m-1", "applied"],
			["m-2", "deferred"],
			["m-3", "applied"],
		]);
		expect((await outbox()).map(({ id }) => id)).toEqual(["m-1", "m-3"]);
	});
});
