import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import type { Mutation } from "../entities/entity.ts";
import { mutationsByName } from "../entities/index.ts";
import { ShopError } from "../protocol/errors.ts";
import { openShop } from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";

/** A shop whose disk fails at chosen statements, with a count of its savepoints. */
async function openWatched(beforeRun: (sql: string) => void = () => {}) {
	const server = await openTestShop();
	await addMilk(server);
	let savepoints = 0;
	const watched = (tx: Connection): Connection => ({
		async get(sql, ...params) {
			beforeRun(sql);
			return tx.get(sql, ...params);
		},
		all: (sql, ...params) => tx.all(sql, ...params),
		async run(sql, ...params) {
			beforeRun(sql);
			return tx.run(sql, ...params);
		},
		savepoint(fn) {
			savepoints += 1;
			return tx.savepoint(fn);
		},
	});
	const store: Store = {
		read: (fn) => server.store.read(fn),
		write: (fn, options) =>
			server.store.write((tx) => fn(watched(tx)), options),
		announce: () => {},
		onAnnounced: () => {},
		assertInPlace: () => {},
		close: async () => {},
	};
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const shop = openShop({ store, env: server.env, onFault });
	return { ...server, shop, faults, savepoints: () => savepoints };
}

const sale = (id: string) =>
	message(`m-${id}`, "sale.create", saleArgs(id, [{ productId: "milk" }]));
/** It writes the name before the stock turns out to be too large to count. */
const halfWay = message("half", "product.update", {
	id: "milk",
	set: { name: "Cream", quantity: 2 ** 53 / 1e6 - 1 },
	seenQuantity: -(2 ** 52) / 1e6,
});

test.each([
	["storage_full", [sale("s-1")]],
	["storage_busy", [sale("s-1")]],
	["storage_failed", [halfWay, sale("s-1"), sale("s-2")]],
] as const)(
	"a disk that fails with %s in the middle of a sale refuses the whole batch and rejects no sale",
	async (code, mutations) => {
		let isBroken = true;
		const failure = new ShopError(code, "The disk");
		const server = await openWatched((sql) => {
			if (isBroken && sql.includes("INTO stored_sales")) throw failure;
		});
		const before = await server.rows("SELECT * FROM mutations");
		const push = () =>
			server.shop.push(server.caller, { mutations: [...mutations] });
		await expect(push()).rejects.toBe(failure);
		expect(await server.rows("SELECT * FROM mutations")).toEqual(before);
		expect(server.faults).toEqual([]);
		isBroken = false;
		const { results } = await push();
		expect(results.at(-1)).toMatchObject({ status: "applied" });
	},
);

test("a mutation refused before its first write costs no savepoint", async () => {
	const server = await openWatched();
	const missing = message("m", "category.delete", { id: "none" });
	const { results } = await server.shop.push(server.caller, {
		mutations: [sale("s-1"), missing, sale("s-2")],
	});
	expect(results.map(({ status }) => status)).toEqual([
		...["applied", "rejected", "applied"],
	]);
	expect(server.savepoints()).toBe(0);
});

test("a mutation that hits a bug runs again in a savepoint", async () => {
	const server = await openWatched();
	// PostgreSQL keeps a table that a view reads.
	for (const gone of ["VIEW stock_ledger", "TABLE stock_movements"])
		await server.store.write((tx) => tx.run(`DROP ${gone}`));
	const args = { id: "x", productId: "milk", delta: 1, reason: "received" };
	const { results } = await server.shop.push(server.caller, {
		mutations: [
			message("c", "category.create", { id: "c", name: "C" }),
			// It reads a missing table before its first write.
			message("m", "stock.adjust", args),
		],
	});
	expect(results).toMatchObject([
		{ status: "applied" },
		{ status: "deferred", error: { code: "internal" } },
	]);
	expect(server.savepoints()).toBe(2);
	expect(server.faults).toHaveLength(1);
});

/** Registers a mutation for the duration of a test. */
function defineForTest(
	mutation: Omit<Mutation, "sentence" | "examples">,
): void {
	const { name } = mutation;
	const known = mutationsByName as Map<string, Mutation>;
	known.set(name, { ...mutation, sentence: () => name, examples: [{}] });
	onTestFinished(() => void known.delete(name));
}

test("a thrown value of a bug is reported as text, whether it is an error or not", async () => {
	const server = await openTestShop();
	for (const [name, thrown] of [
		["test.error", new Error("A bug")],
		["test.text", "A text"],
	] as const) {
		defineForTest({
			...{ name, args: z.unknown() },
			apply: () => Promise.reject(thrown),
		});
		expect(await pushOne(server, message("m", name, {}))).toEqual({
			...{ id: "m", status: "deferred" },
			error: {
				code: "internal",
				message: thrown instanceof Error ? thrown.message : thrown,
			},
		});
	}
	expect(server.faults).toEqual([new Error("A bug"), "A text"]);
});

test("the log keeps the version of a mutation's arguments", async () => {
	const server = await openTestShop();
	const args = z.object({ note: z.string().optional() });
	const name = "test.grown";
	defineForTest({ name, args, since: { note: 3 }, apply: async () => {} });
	for (const argsVersion of [1, 2, 3, 4])
		await pushOne(
			server,
			message(`m-${argsVersion}`, name, {}, { argsVersion }),
		);
	await server.shop.mutate(
		server.caller,
		mutationsByName.get(name) as Mutation,
		{ note: "x" },
	);
	expect(
		await server.rows("SELECT args_version FROM mutations ORDER BY version"),
	).toEqual([1, 2, 3, 3].map((version) => ({ args_version: version })));
});
