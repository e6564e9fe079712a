import { describe, expect, onTestFinished, test } from "vitest";
import { decompress } from "../feed/compressed-rows.ts";
import { openFeedCache } from "../feed/feed-cache.ts";
import { formatCursor, parseCursor } from "../protocol/protocol.ts";
import { openShop } from "../shop.ts";
import {
	addCategories,
	addMilk,
	copyDatabase,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { openTestStore } from "../testing/store.ts";
import { storeKind } from "../testing/store-kind.ts";
import { headCursor, proofAt } from "./chain.ts";
import { writeOutArgs } from "./logged-args.ts";
import { verifyLog } from "./verify-log.ts";

const checkOf = ({ store, caller }: TestShop) =>
	store.read((tx) => verifyLog(tx, caller.businessId));

/** A shop with three sales and one rejected mutation. */
async function openSold(): Promise<TestShop> {
	const server = await openTestShop();
	await addMilk(server);
	for (const id of ["s1", "s2", "s3"])
		await pushOne(server, message(`m-${id}`, "sale.create", saleArgs(id)));
	await pushOne(server, message("bad", "sale.create", {}));
	return server;
}

/** Restores an older file on the same server and makes another sale in place of the lost one. */
async function putBack(server: TestShop, file: string): Promise<TestShop> {
	const store = await openTestStore(file, storeKind);
	onTestFinished(() => store.close());
	const shop = openShop({ store, env: server.env });
	const rows: TestShop["rows"] = (sql, ...params) =>
		store.read((tx) => tx.all(sql, ...params));
	return { ...server, store, shop, file, rows };
}

/** Changes the database by hand. A sale that is its own entry in the log is written out first, where the log is changed. */
async function edit({ store }: TestShop, sql: string): Promise<void> {
	await store.write(async (tx) => {
		if (sql.includes("stored_mutations")) await writeOutArgs(tx, "shop-1");
		await tx.run(sql);
	});
}

describe("the log's hash chain", () => {
	test("the log links every applied mutation to the one before, and no rejected one [LOG-3]", async () => {
		const server = await openSold();
		expect(await checkOf(server)).toEqual({ checked: 4, unlinked: 0 });
		const links = await server.rows(
			"SELECT status, link FROM mutations ORDER BY coalesce(version, 99)",
		);
		expect(links.map(({ status, link }) => [status, link === null])).toEqual([
			...Array(4).fill(["applied", false]),
			["rejected", true],
		]);
		const [{ link } = {}] = await server.rows("SELECT link FROM businesses");
		// The log has the first half of it.
		expect(link).toMatch(/^[\w-]{43}$/);
		expect(links[3]?.link).toBe(String(link).slice(0, 22));
		expect(new Set(links.map(({ link }) => link)).size).toBe(5);
	});

	test.each([
		[
			"a changed amount",
			"UPDATE stored_lines SET price = price + 1 WHERE sale = (SELECT n FROM stored_sales WHERE id = 's2')",
			{ version: 4, id: "m-s2" },
		],
		[
			"a changed receipt number",
			"UPDATE stored_sales SET receipt_number = 'X-000001' WHERE id = 's2'",
			{ version: 4, id: "m-s2" },
		],
		[
			"another device of a sale",
			"UPDATE stored_sales SET device = member WHERE id = 's2'",
			{ version: 4, id: "m-s2" },
		],
		[
			"another id of a sale's mutation",
			"UPDATE stored_sales SET mutation_id = NULL WHERE id = 's2'",
			{ version: 4, id: "s2" },
		],
		[
			"another moment of receipt",
			"UPDATE stored_sales SET received_after = received_after + 1 WHERE id = 's2'",
			{ version: 4, id: "m-s2" },
		],
		[
			"a sale's link",
			"UPDATE stored_sales SET link = 'x' WHERE id = 's2'",
			{ version: 4, id: "m-s2" },
		],
		[
			"a changed maker",
			"UPDATE stored_mutations SET user_id = 'x' WHERE id = 'm-s1'",
			{ version: 3, id: "m-s1" },
		],
		[
			"a changed moment",
			"UPDATE stored_mutations SET at = received_at WHERE id = 'm-s1'",
			{ version: 3, id: "m-s1" },
		],
		[
			"a changed device",
			"UPDATE stored_mutations SET device_id = 'x' WHERE id = 'm-s3'",
			{ version: 5, id: "m-s3" },
		],
		[
			"a deleted mutation",
			"DELETE FROM stored_mutations WHERE id = 'm-s2'",
			{ version: 5, id: "m-s3" },
		],
		[
			"a truncated end",
			"DELETE FROM stored_mutations WHERE id = 'm-s3'",
			{ version: 5, id: null },
		],
		[
			"a deleted link",
			"UPDATE stored_mutations SET link = NULL WHERE id = 'm-s3'",
			{ version: 5, id: "m-s3" },
		],
		[
			"deleted links at the start",
			"UPDATE stored_mutations SET link = NULL WHERE version < 5",
			{ version: 5, id: "m-s3" },
		],
		[
			"a changed newest link",
			"UPDATE businesses SET link = 'x'",
			{ version: 5, id: null },
		],
	])("checking the log reveals %s", async (_what, sql, bad) => {
		const server = await openSold();
		await edit(server, sql);
		expect((await checkOf(server)).bad).toMatchObject(bad);
	});

	test("the chain starts with the first mutation after an upgrade, and resets no till behind it [LOG-4]", async () => {
		const server = await openSold();
		const till = await openTestTill(server);
		await till.till.sync();
		await server.store.write(async (tx) => {
			await writeOutArgs(tx, "shop-1");
			await tx.run("UPDATE stored_mutations SET link = NULL");
			await tx.run("UPDATE businesses SET link = NULL");
		});
		await till.store.write((tx) =>
			tx.run("UPDATE replica SET cursor_proof = ''"),
		);
		expect(await checkOf(server)).toEqual({ checked: 0, unlinked: 4 });
		await pushOne(server, message("m-s4", "sale.create", saleArgs("s4")));
		expect(await checkOf(server)).toEqual({ checked: 1, unlinked: 4 });
		const { cursor } = till.line.pushes.at(-1) ?? {};
		const state = await till.rows("SELECT epoch, cursor_version FROM replica");
		const old = `${state[0]?.epoch}.${state[0]?.cursor_version}`;
		expect(old).not.toBe(cursor);
		const page = await server.shop.pull(server.caller, { cursor: old });
		expect(page).not.toHaveProperty("reset");
		expect(page.changes).not.toEqual([]);
		await till.till.sync();
		expect(await till.till.digest()).toBe(
			(await server.shop.digest(server.caller)).digest,
		);
	});
});

describe("a cursor", () => {
	test("a cursor of a lost history starts again, and one from before the loss goes on [CUR-3]", async () => {
		const before = await openSold();
		const file = await copyDatabase(before.store, before.file);
		const early = await before.shop.head(before.caller.businessId);
		await pushOne(before, message("m-s4", "sale.create", saleArgs("s4")));
		const lost = await before.shop.head(before.caller.businessId);
		const server = await putBack(before, file);
		const beyond = await server.shop.pull(server.caller, { cursor: lost });
		expect(beyond).toMatchObject({ reset: true });
		for (const id of ["s5", "s6"])
			await pushOne(server, message(`m-${id}`, "sale.create", saleArgs(id)));
		const parsed = parseCursor(lost);
		for (const cursor of [
			lost,
			`${parsed?.epoch}.${parsed?.version}`,
			`${parsed?.epoch}.1.${parsed?.proof}.${parsed?.version}`,
			`${parsed?.epoch}.${parsed?.version}.${parsed?.proof}.1`,
		]) {
			const { reset, changes } = await server.shop.pull(server.caller, {
				cursor,
			});
			expect({ cursor, reset, first: changes[0]?.entity }).toEqual({
				cursor,
				reset: true,
				first: "business",
			});
		}
		const page = await server.shop.pull(server.caller, { cursor: early });
		expect(page).not.toHaveProperty("reset");
		expect(page.changes.length).toBeGreaterThan(0);
	});

	test("a till that was reading the feed starts again when its server has lost what moved rows behind its page [CUR-4]", async () => {
		const before = await openSold();
		const { caller } = before;
		const file = await copyDatabase(before.store, before.file);
		await pushOne(
			before,
			message("m-shop", "business.update", { set: { name: "Duka" } }),
		);
		// The shop's own row is now behind the sales.
		const page = await before.shop.pull(caller, { limit: 1 });
		const read = page.changes.map(({ entity }) => entity);
		expect([read.includes("business"), page.hasMore]).toEqual([false, true]);
		const { cursor } = page;
		expect(await before.shop.pull(caller, { cursor })).not.toHaveProperty(
			"reset",
		);
		const server = await putBack(before, file);
		const rest = await server.shop.pull(caller, { cursor });
		expect(rest).toMatchObject({ reset: true });
		expect(rest.changes.map(({ entity }) => entity)).toContain("business");
	});

	test("a cursor carries the first 12 characters of its version's link [CUR-1]", async () => {
		const { shop, caller, rows } = await openSold();
		const [head] = await rows("SELECT head, link FROM businesses");
		const { epoch } = await shop.digest(caller);
		const proof = String(head?.link).slice(0, 12);
		expect(proof).toMatch(/^[\w-]{12}$/);
		expect(await shop.head(caller.businessId)).toBe(
			`${epoch}.${head?.head}.${proof}`,
		);
	});

	test("a cursor inside a page proves the page's end [CUR-4]", async () => {
		const server = await openTestShop();
		await addCategories(server, 6);
		const till = await openTestTill(server, { rowsPerWrite: 2 });
		await till.till.sync();
		const { businessId } = server.caller;
		const end = await server.store.read((tx) =>
			headCursor(tx, businessId, "e"),
		);
		const within = `${end.proof}.${end.version}`;
		const [before, at] = await server.store.read((tx) =>
			Promise.all([2, 3].map((version) => proofAt(tx, businessId, version))),
		);
		const epoch = (await server.shop.digest(server.caller)).epoch;
		for (const [proof, isReset] of [
			[within, undefined],
			[`${end.proof}.${end.version - 1}`, true],
			[end.proof, true],
			[at, undefined],
			[`${at}.3`, undefined],
			// A proof of a lower version than the cursor's.
			[before, true],
			[`${before}.2`, true],
		] as const) {
			const cursor = formatCursor({ epoch, version: 3, proof: proof ?? "" });
			const page = await server.shop.pull(server.caller, { cursor });
			expect([proof, page.reset]).toEqual([proof, isReset]);
		}
	});
});

test.each([1, 1_000])(
	"the feed cache serves nothing of a lost history, with pages of %i rows",
	async (limit) => {
		const before = await openTestShop();
		await addMilk(before);
		await addCategories(before, 12);
		const file = await copyDatabase(before.store, before.file);
		const tail = openFeedCache();
		const { businessId } = before.caller;
		const { epoch } = await before.shop.digest(before.caller);
		const read = (server: TestShop, version: number) =>
			server.store.read(async (tx) => {
				const proof = await proofAt(tx, businessId, version);
				const cursor = { epoch, version, proof };
				return decompress(
					await tail.read(tx, businessId, epoch, cursor, limit),
				);
			});
		for (const version of [8, 12, 14]) await read(before, version);
		await pushOne(
			before,
			message("m-s1", "sale.create", saleArgs("s1", [{ productId: "milk" }])),
		);
		for (const version of [1, 2, 8, 12, 14]) await read(before, version);
		const server = await putBack(before, file);
		for (const id of ["s2", "s3"])
			await pushOne(server, message(`m-${id}`, "sale.create", saleArgs(id)));
		const fresh = openFeedCache();
		for (const version of [1, 2, 8, 12, 14, 15]) {
			const page = await read(server, version);
			const expected = await server.store.read(async (tx) => {
				const proof = await proofAt(tx, businessId, version);
				const cursor = { epoch, version, proof };
				return decompress(
					await fresh.read(tx, businessId, epoch, cursor, limit),
				);
			});
			expect(page).toEqual(expected);
			expect(page.changes.map(({ id }) => id)).not.toContain("s1");
		}
	},
);
