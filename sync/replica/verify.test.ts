import { expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { saleCreate } from "../entities/sale.ts";
import type { Change, PullResponse } from "../protocol/protocol.ts";
import {
	addBusiness,
	openTestShop,
	saleArgs,
	twoTills,
} from "../testing/shop.ts";
import { findDifferences } from "./verify.ts";

test("a comparison lists each different row with its fields and side [DIGEST-4]", async () => {
	const { server, a } = await twoTills();
	const gone = await a.sell({ milk: 1 });
	const altered = await a.sell({ bread: 1 });
	await a.till.sync();
	const unsent = "unsent";
	await a.till.mutate(a.caller, saleCreate, saleArgs(unsent));
	await a.store.write(async (tx) => {
		await tx.run("UPDATE stored_sales SET deleted = 1 WHERE id = ?", gone);
		await tx.run(
			"UPDATE stored_sales SET paid = paid + 1 WHERE id = ?",
			altered,
		);
		await tx.run(
			"UPDATE products SET name = 'Cream', sku = '1' WHERE id = 'milk'",
		);
	});
	const progress: number[] = [];
	const found = await findDifferences(
		a.store,
		"shop-1",
		a.line,
		(rows) => progress.push(rows),
		2,
	);
	const order = (one: { entity: string; id: string }) =>
		`${one.entity} ${one.id}`;
	found.sort((x, y) => (order(x) < order(y) ? -1 : 1));
	expect(found).toEqual(
		[
			{
				entity: "product",
				id: "milk",
				where: "both",
				fields: ["name", "sku"],
			},
			{
				entity: "sale",
				id: altered,
				where: "both",
				fields: ["paid", "change"],
			},
			{ entity: "sale", id: gone, where: "server", fields: [] },
			{ entity: "sale", id: unsent, where: "here", fields: [] },
		].sort((x, y) => (order(x) < order(y) ? -1 : 1)),
	);
	const { changes } = await server.shop.pull(server.caller, { limit: 1_000 });
	expect(progress.at(-1)).toBe(changes.length);
	expect(progress.length).toBeGreaterThan(3);
});

test("a comparison names an optional field that only the server's row has [DIGEST-4]", async () => {
	const { server, a } = await twoTills();
	const sold = { ...saleArgs("s"), rounding: 1 };
	await server.shop.mutate(server.caller, saleCreate, sold);
	await a.till.sync();
	await a.store.write((tx) =>
		tx.run("UPDATE stored_sales SET rounding = NULL"),
	);
	expect(await findDifferences(a.store, "shop-1", a.line)).toEqual([
		{ entity: "sale", id: "s", where: "both", fields: ["rounding"] },
	]);
});

test("a comparison with another shop, or with a server that is restored meanwhile, is refused", async () => {
	const { a } = await twoTills();
	await expect(
		findDifferences(a.store, "shop-2", a.line),
	).rejects.toMatchObject({
		code: expect.stringMatching(/forbidden|wrong_business/),
	});
	const restored = {
		pull: async (cursor: string, limit: number) => ({
			...(await a.line.pull(cursor, limit)),
			reset: true as const,
		}),
	};
	await expect(
		findDifferences(a.store, "shop-1", restored),
	).rejects.toMatchObject({ code: "unreachable" });
});

/** Pages of a feed as they may come during changes. */
function feedOf(...pages: Partial<Change>[][]) {
	let at = 0;
	return {
		pull: async (): Promise<PullResponse> => {
			const page = pages[at] ?? [];
			at += 1;
			return {
				changes: page.map((one) => ({
					...{ entity: "category", id: "c", version: 1 },
					...{ deleted: false, row: null },
					...one,
				})),
				...{ cursor: `e.${at}`, hasMore: at < pages.length },
				...{ businessId: "shop-1", epoch: "e", serverNow: "", backedUpTo: 0 },
			};
		},
	};
}

test("a comparison uses the last state of a row that comes twice", async () => {
	const server = await openTestShop();
	await server.shop.mutate(server.caller, categoryCreate, {
		id: "c",
		name: "Own",
	});
	const { changes } = await server.shop.pull(server.caller, {});
	const same = changes.find(({ entity }) => entity === "category");
	const business = changes.find(({ entity }) => entity === "business");
	const other = { row: { ...same?.row, name: "Theirs" } };
	const gone = { deleted: true, row: null };
	const find = (...pages: Partial<Change>[][]) =>
		findDifferences(
			server.store,
			"shop-1",
			feedOf([business as Change], ...pages),
		);
	const here = { entity: "category", id: "c", where: "here", fields: [] };
	const both = { ...here, where: "both", fields: ["name"] };
	expect(await find([same as Change])).toEqual([]);
	expect(await find([other], [same as Change])).toEqual([]);
	expect(await find([same as Change], [other])).toEqual([both]);
	expect(await find([other, same as Change])).toEqual([]);
	expect(await find([same as Change], [gone])).toEqual([here]);
	expect(await find([other], [gone])).toEqual([here]);
	expect(await find([gone], [same as Change])).toEqual([]);
	const unknown = { entity: "shelf", id: "1" };
	expect(await find([same as Change, unknown])).toEqual([
		{ ...unknown, where: "server", fields: [] },
	]);
	await server.store.write((tx) => tx.run("UPDATE categories SET deleted = 1"));
	expect(await find([gone])).toEqual([]);
	expect(await find([other])).toEqual([{ ...here, where: "server" }]);
});

test("a comparison reads all rows of both sides with any page length", async () => {
	const { server, a } = await twoTills();
	for (let i = 0; i < 5; i += 1) await a.sell({ milk: 1 });
	await a.till.sync();
	await server.store.write((tx) => addBusiness(tx, "shop-2"));
	await a.store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await tx.run(
			"INSERT INTO categories SELECT 'shop-2', id, name, sort_order, created_at, updated_at, edits, version, deleted FROM categories",
		);
	});
	const own = ["x-1", "x-2", "x-3", "x-4"];
	for (const id of own)
		await a.till.mutate(a.caller, categoryCreate, { id, name: id });
	for (const pageRows of [1, 2, 3, 4, 1_000]) {
		const found = await findDifferences(
			a.store,
			"shop-1",
			a.line,
			() => {},
			pageRows,
		);
		expect(found.map(({ id, where }) => [id, where])).toEqual(
			own.map((id) => [id, "here"]),
		);
	}
});
