import { expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import type { Change } from "../protocol/protocol.ts";
import {
	addBusiness,
	message,
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
			"UPDATE stored_sales SET paid = total + 1 WHERE id = ?",
			altered,
		);
		await tx.run(
			"UPDATE products SET name = 'Cream', sku = '1' WHERE id = 'milk'",
		);
	});
	const progress: number[] = [];
	const { inStep, differences: found } = await findDifferences(
		a.store,
		"shop-1",
		a.line,
		(rows) => progress.push(rows),
	);
	expect(inStep).toBe(false);
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
	// The whole shop is one block.
	expect(progress).toEqual([changes.length]);
});

test("a comparison names an optional field that only the server's row has [DIGEST-4]", async () => {
	const { server, a } = await twoTills();
	const sold = { ...saleArgs("s"), rounding: 1 };
	await server.shop.mutate(server.caller, saleCreate, sold);
	await a.till.sync();
	await a.store.write((tx) =>
		tx.run("UPDATE stored_sales SET rounding = NULL"),
	);
	const { differences } = await findDifferences(a.store, "shop-1", a.line);
	expect(differences).toEqual([
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
	await a.store.write((tx) => tx.run("UPDATE products SET name = 'Else'"));
	const restored = {
		blocks: () => a.line.blocks(),
		blockRows: async (block: number) => ({
			...(await a.line.blockRows(block)),
			epoch: "another",
		}),
	};
	await expect(
		findDifferences(a.store, "shop-1", restored),
	).rejects.toMatchObject({ code: "unreachable" });
});

/** A server whose first block differs, and whose head moves a block further with each answer after the first. */
function serverOf(...answers: Partial<Change>[][]) {
	let at = 0;
	const common = { businessId: "shop-1", epoch: "e", feed: 2 };
	return {
		blocks: async () => ({
			...{ ...common, digest: "other", cursor: "e.0", stock: "" },
			blocks: ["", "other"],
		}),
		blockRows: async () => {
			const rows = answers[at] ?? [];
			at += 1;
			return {
				...common,
				changes: rows.map((one) => ({
					...{ entity: "category", id: "c", version: 1 },
					...{ deleted: false, row: null },
					...one,
				})),
				cursor: `e.${256 * (answers.length - 1)}`,
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
	const find = async (...answers: Partial<Change>[][]) => {
		const theirs = serverOf([business as Change], ...answers);
		return (await findDifferences(server.store, "shop-1", theirs)).differences;
	};
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

test("a comparison names rows of this shop that the server has not got yet, and none of another shop's", async () => {
	const { server, a } = await twoTills();
	for (let i = 0; i < 5; i += 1) await a.sell({ milk: 1 });
	await a.till.sync();
	await server.store.write((tx) => addBusiness(tx, "shop-2"));
	await a.store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await tx.run(
			`INSERT INTO categories (business_id, id, name, sort_order, created_at, updated_at, edits, version)
         SELECT 'shop-2', id, name, sort_order, created_at, updated_at, edits, version FROM categories`,
		);
	});
	const own = ["x-1", "x-2", "x-3", "x-4"];
	for (const id of own)
		await a.till.mutate(a.caller, categoryCreate, { id, name: id });
	const { inStep, differences } = await findDifferences(
		a.store,
		"shop-1",
		a.line,
	);
	expect(inStep).toBe(false);
	expect(differences.map(({ id, where }) => [id, where])).toEqual(
		own.map((id) => [id, "here"]),
	);
});

test("a comparison asks only for the blocks that differ [DIGEST-4]", async () => {
	const { server, a } = await twoTills();
	const mutations = Array.from({ length: 1_000 }, (_, i) =>
		message(`m${i}`, "category.create", { id: `c${i}`, name: `C ${i}` }),
	);
	await server.shop.push(server.caller, { mutations });
	await server.shop.push(server.caller, {
		mutations: mutations.map(({ args }, i) =>
			message(`n${i}`, "category.update", {
				id: (args as { id: string }).id,
				set: { sortOrder: i },
			}),
		),
	});
	await a.till.sync();
	const asked: number[] = [];
	const compare = () => {
		asked.length = 0;
		return findDifferences(a.store, "shop-1", {
			blocks: () => a.line.blocks(),
			blockRows: (block) => {
				asked.push(block);
				return a.line.blockRows(block);
			},
		});
	};
	expect(await compare()).toEqual({ inStep: true, differences: [] });
	expect(asked).toEqual([]);
	const change = (sql: string) => a.store.write((tx) => tx.run(sql));
	await change("UPDATE categories SET name = 'Else' WHERE id = 'c600'");
	await change("DELETE FROM categories WHERE id = 'c20'");
	// A row here that its server has under a later version.
	const [{ version } = {}] = await a.rows(
		"SELECT version FROM categories WHERE id = 'c999'",
	);
	await server.shop.push(server.caller, {
		mutations: [
			message("last", "category.update", { id: "c999", set: { name: "Last" } }),
		],
	});
	const { inStep, differences } = await compare();
	expect({ inStep, differences }).toEqual({
		inStep: false,
		differences: expect.arrayContaining([
			{ entity: "category", id: "c600", where: "both", fields: ["name"] },
			{ entity: "category", id: "c20", where: "server", fields: [] },
			{
				...{ entity: "category", id: "c999", where: "both" },
				fields: ["name"],
			},
		]),
	});
	expect(differences).toHaveLength(3);
	expect(Number(version)).toBeGreaterThan(7 * 256);
	// The shop has eight.
	expect(asked).toEqual([4, 7, 8]);
});

test("a row that changes on the server while it is compared is compared as it became", async () => {
	const { server, a } = await twoTills();
	await a.store.write((tx) => tx.run("UPDATE products SET name = 'Else'"));
	const rename = (id: string) =>
		server.shop.mutate(server.caller, productUpdate, {
			id,
			set: { name: "Else" },
		});
	let isChanged = false;
	const { differences } = await findDifferences(a.store, "shop-1", {
		blocks: () => a.line.blocks(),
		async blockRows(block) {
			const answer = await a.line.blockRows(block);
			if (!isChanged) await rename("milk");
			isChanged = true;
			return { ...answer, cursor: await server.shop.head("shop-1") };
		},
	});
	expect(differences.map(({ id, fields }) => ({ id, fields }))).toEqual([
		{ id: "bread", fields: ["name"] },
	]);
});

test("a comparison finds a product whose quantity is not the sum of its ledger, though all else is equal [DIGEST-4]", async () => {
	const { a } = await twoTills();
	await a.store.write((tx) =>
		tx.run("UPDATE products SET quantity = quantity + 1 WHERE id = 'milk'"),
	);
	expect(await findDifferences(a.store, "shop-1", a.line)).toEqual({
		inStep: false,
		differences: [
			{ entity: "product", id: "milk", where: "both", fields: ["quantity"] },
		],
	});
});
