import { expect, test } from "vitest";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import {
	madeAt,
	message,
	openTestShop,
	saleArgs,
	type TestShop,
	testDir,
	testEnv,
} from "../testing/shop.ts";
import { verifyLog } from "./verify-log.ts";

/** A deterministic source of randomness. */
function steadyEnv() {
	let taken = 0;
	return {
		...testEnv(),
		randomBytes: (count: number) =>
			Uint8Array.from({ length: count }, () => (taken++ * 7) % 256),
	};
}

const numbered = (number: number, name: string, args: object, more = {}) =>
	message(`m-${number}`, name, args, { number, ...more });

/**
 * A shop's day, yielding the answer of each step.
 *
 * @param tag distinguishes it from other shops' days
 */
async function* liveThrough({ shop, caller, env }: TestShop, tag: string) {
	const product = (id: string) => ({
		id,
		name: `${id} ${tag}`,
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
	const push = (deviceId: string, lastNumber: number, mutations: unknown[]) =>
		shop.push(caller, {
			deviceId,
			lastNumber,
			mutations,
			limit: 4,
			cursor: "",
		});
	const sell = (number: number, id: string, more = {}) =>
		numbered(
			number,
			"sale.create",
			{ ...saleArgs(id, [{ productId: "milk" }]), notes: tag },
			more,
		);
	yield shop.mutate(caller, productCreate, product("milk"));
	yield push("till-1", 3, [
		numbered(1, "product.create", product("bread")),
		sell(2, "s-2"),
		sell(3, "s-3"),
	]);
	yield push("till-2", 2, [
		message("n-1", "sale.void", {
			id: "v-1",
			saleId: "s-2",
			reason: "Mistake",
		}),
		message("n-2", "category.delete", { id: `none ${tag}` }),
	]);
	yield shop.mutate(caller, saleCreate, saleArgs("s-4"));
	env.pass(70_000);
	// A repeat, and a new mutation with an impossible moment.
	yield push("till-1", 5, [
		sell(3, "s-3"),
		sell(4, "s-5", { at: "2025-06-01T08:00:00.000Z" }),
		numbered(5, "sale.refund", {
			id: "r-1",
			saleId: "s-3",
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		}),
	]);
	yield push("till-1", 2, [sell(2, "s-9")]);
	yield push("till-3", 1, [sell(1, "s-10")]);
	yield shop.digest(caller);
	yield shop.head(caller.businessId);
	for (const limit of [2, 5, 9])
		for (let cursor: string | undefined = ""; cursor !== undefined; ) {
			const page = await shop.pull(caller, { cursor, limit });
			yield page;
			cursor = page.hasMore ? page.cursor : undefined;
		}
}

/** All rows of the shop in its database. */
async function rowsOf({ store, rows, caller: { businessId } }: TestShop) {
	const tables = await rows(
		"SELECT name FROM sqlite_schema AS tables WHERE name NOT IN ('shops', 'stock_ledger') AND EXISTS (SELECT 1 FROM pragma_table_info(tables.name) AS columns WHERE columns.name = 'business_id')",
	);
	const held: Record<string, string[]> = {};
	for (const { name } of tables) {
		const found = await rows(
			`SELECT * FROM ${name} WHERE business_id = ?`,
			businessId,
		);
		held[name as string] = found.map((row) => JSON.stringify(row)).sort();
	}
	const log = await store.read((tx) => verifyLog(tx, businessId));
	return { held, log };
}

test("a shop's answers and rows do not depend on the other shops in its database [INV-6]", async () => {
	const days: string[] = [];
	for (const neighbours of [[], ["shop-0", "shop-2"]]) {
		const file = `${testDir()}/server.db`;
		const open = (businessId: string) =>
			openTestShop({ file, businessId, env: steadyEnv(), kind: "sqlite" });
		const theirs = [];
		for (const businessId of neighbours)
			theirs.push(liveThrough(await open(businessId), businessId));
		const own = await open("shop-1");
		// Receipt prefixes follow from it.
		await own.store.write((tx) =>
			tx.run("UPDATE meta SET value = 'epoch' WHERE key = 'epoch'"),
		);
		// They are a step ahead, and one of them began even earlier.
		await theirs[0]?.next();
		await theirs[0]?.next();
		const answers: unknown[] = [];
		for await (const answer of liveThrough(own, "own")) {
			for (const their of theirs) await their.next();
			answers.push(answer);
		}
		const held = await rowsOf(own);
		expect(held.log).toEqual({ checked: 8, unlinked: 0 });
		const text = JSON.stringify({ answers, held }, null, 1);
		days.push(text);
		expect(text).toContain(madeAt);
		expect(text).not.toContain("shop-0");
	}
	expect(days[1]).toBe(days[0]);
});
