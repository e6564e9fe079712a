import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { entities } from "../entities/index.ts";
import { findDifferences } from "../replica/verify.ts";
import { nameNumber, shopNumber } from "../rows/names.ts";
import { storageOf } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { assertBlocksRight } from "../testing/blocks.ts";
import { plainEntities, plainRecords } from "../testing/examples.ts";
import { oneIn, sampled } from "../testing/lane.ts";
import {
	message,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { readBlocks, settleBlocks } from "./digest-blocks.ts";
import { readDigest } from "./feed.ts";

/** More than a page of the digest (200) and two chunks of lines (100 each). */
const rowsPerEntity = 240;
/** The first changed row: in the first chunk of lines, in the second, and on the second page. */
const starts = [0, 100, 200];

/** Columns that the digest leaves out, because two stores in sync may differ in them. */
const uncounted: Record<string, string[]> = {
	"every table": ["business_id", "version"],
	// The link belongs to the server's log; a till has only its own part of it.
	businesses: ["id", "head", "link", "backed_up_to", "edits", "deleted"],
	categories: ["edits"],
	...Object.fromEntries(
		plainEntities.map(({ table, columns, editable }) => [
			table,
			[...(editable ? ["edits"] : []), ...(columns ? ["search_name"] : [])],
		]),
	),
	// The search name is computed from the name.
	products: ["edits", "search_name"],
};

/** Columns of views that no store holds: what no route writes, and numbers of texts that are counted. */
const unstored: Record<string, string[]> = {
	sales: ["tax", "tax_rate", "made_ms", "day_number", "method", "shift"],
};

/** A server with more rows of every entity than a page or chunk, and a till in sync with it. */
async function openLargeShop() {
	const server = await openTestShop({ kind: "sqlite" });
	const count = Array.from({ length: rowsPerEntity }, (_, i) =>
		String(i).padStart(3, "0"),
	);
	let pushes = 0;
	const push = async (items: [name: string, args: object][]) => {
		const mutations = items.map(([name, args], i) =>
			message(`${name} ${pushes} ${i}`, name, args),
		);
		pushes += 1;
		const { results } = await server.shop.push(server.caller, { mutations });
		expect(results.filter(({ status }) => status !== "applied")).toEqual([]);
	};
	await push(
		count.map((n) => ["category.create", { id: `c${n}`, name: `C ${n}` }]),
	);
	await push(
		count.map((n) => [
			"product.create",
			{
				id: `p${n}`,
				name: `P ${n}`,
				buyingPrice: 1,
				sellingPrice: 2,
				quantity: 1,
				categoryId: `c${n}`,
			},
		]),
	);
	const lines = [1, 2, 3].map((n) => ({ id: `l${n}` }));
	await push(
		count.map((n) => [
			"sale.create",
			// More than is in stock, so that each sale raises an inbox item too.
			saleArgs(
				`s${n}`,
				lines.map(({ id }) => ({
					id: `${n}-${id}`,
					quantity: 5,
					productId: `p${n}`,
					...{ taxClass: "B", taxRate: 16 },
					...{ packId: `k${n}`, packName: "Pair", packSize: 2, unit: `u${n}` },
				})),
			),
		]),
	);
	await push(
		count.map((n) => [
			"sale.refund",
			{
				id: `r${n}`,
				saleId: `s${n}`,
				reason: "Sour",
				items: lines.map(({ id }) => ({
					id: `${n}-${id}`,
					itemId: `${n}-${id}`,
					quantity: 1,
				})),
			},
		]),
	);
	await push(
		count.map((n) => ["review.create", { id: `v${n}`, rating: 1, text: n }]),
	);
	await push(
		count.map((n) => [
			"payment.collect",
			{
				...{ id: `k${n}`, customerId: n, reason: n },
				tenders: [{ method: "MPESA", amount: 1, code: n }],
			},
		]),
	);
	await push(
		count.map((n) => ["shift.open", { id: `h${n}`, openingFloat: 1 }]),
	);
	await push(
		count.map((n) => [
			"shift.close",
			{
				...{ id: `z${n}`, shiftId: `h${n}`, reason: n },
				counted: [{ method: "CASH", amount: 1 }],
				pieces: [{ value: 1, count: 1 }],
			},
		]),
	);
	const paidAt = "2026-09-11T07:15:00.000Z";
	await push(
		count.map((n) => [
			"statement.import",
			{
				...{
					method: "MPESA",
					lines: [{ code: n, amount: 1, payer: n, paidAt }],
				},
			},
		]),
	);
	await push(
		count.map((n) => [
			"count.open",
			{ id: `n${n}`, name: n, categoryId: `c${n}` },
		]),
	);
	await push(
		count.map((n) => [
			"count.look",
			{ id: `l${n}`, countId: `n${n}`, productId: `p${n}`, shelf: n },
		]),
	);
	await push(count.map((n) => ["count.enter", { id: `l${n}`, counted: 1 }]));
	await push(count.map((n) => ["count.close", { id: `n${n}` }]));
	for (const { mutation, args } of plainRecords)
		await push(
			count.map((n) => [mutation.name, { ...args, id: `${args.id}${n}` }]),
		);
	const till = await openTestTill(server);
	await till.till.sync();
	return { server, till };
}

/** What facts change of a product: it is compared with them, and the sums of blocks leave it out. */
const movedColumns = ["quantity", "updated_at"];

function digestOf({ store, caller }: TestTill | TestShop): Promise<string> {
	return store.read((tx) => readDigest(tx, caller.businessId));
}

/** Every table of an entity or of its lines, with its columns. */
async function tablesOf(tx: Connection) {
	const tables = await tx.all(
		`SELECT name, (SELECT group_concat(name) FROM pragma_table_info(m.name)) AS columns
     FROM sqlite_schema AS m WHERE sql IS NOT NULL AND type IN ('table', 'view') AND name NOT IN ('stored_sales', 'stock_ledger')`,
	);
	return new Map(
		tables.map(({ name, columns }) => [
			name as string,
			(columns as string).split(","),
		]),
	);
}

function countedColumns(table: string, columns: readonly string[]): string[] {
	const left = [
		...(uncounted["every table"] ?? []),
		...(uncounted[table] ?? []),
		...(unstored[table] ?? []),
	];
	return columns.filter((column) => !left.includes(column));
}

/** SQL for a different value, as close as possible to the column's current one. */
function nextValue(schema: z.ZodObject, column: string): string {
	const field = column.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
	let type = schema.shape[field] as z.ZodType | undefined;
	let isNullable = false;
	while (type instanceof z.ZodNullable || type instanceof z.ZodOptional) {
		isNullable = true;
		type = type.unwrap() as z.ZodType;
	}
	if (column === "deleted" || type instanceof z.ZodBoolean)
		return `1 - coalesce(${column}, 0)`;
	if (type instanceof z.ZodArray) return "'[]'";
	if (column === "position") return "position + 100";
	if (type instanceof z.ZodEnum) {
		const [one, other] = type.options;
		return `CASE ${column} WHEN '${one}' THEN '${other}' ELSE '${one}' END`;
	}
	const isText =
		type instanceof z.ZodString || type instanceof z.ZodStringFormat;
	const next = isText ? `${column} || ' '` : `${column} + 1`;
	return isNullable
		? `CASE WHEN ${column} IS NULL THEN ${isText ? "''" : "0"} ELSE ${next} END`
		: next;
}

interface Changed {
	entity: string;
	/** The id of the row, or of the row that the line belongs to. */
	id: string;
	column: string;
	field: string | undefined;
}

/** Changes one column of the nth row, or of its first line. */
async function change(
	tx: Connection,
	entity: Entity,
	table: string,
	column: string,
	n: number,
): Promise<Changed> {
	await tx.run("PRAGMA defer_foreign_keys = ON");
	const [row] = await tx.all(
		`SELECT id FROM ${entity.table} ORDER BY id LIMIT 1 OFFSET ?`,
		n,
	);
	const { lines } = entity;
	const isLine = table === lines?.table;
	const schema = isLine ? lines.row : entity.row;
	const key = isLine ? lines.parent : "id";
	const first = isLine
		? `AND id = (SELECT min(id) FROM ${table} WHERE ${key} = '${row?.id}')`
		: "";
	const value =
		isLine && column === key
			? `(SELECT max(id) FROM ${entity.table})`
			: nextValue(schema, column);
	if (entity.storage)
		await changeStored(tx, { table, column, value, saleId: row?.id as string });
	else {
		const count = await tx.run(
			`UPDATE ${table} SET ${column} = ${value} WHERE ${key} = ? ${first}`,
			row?.id as string,
		);
		expect(count, `${table}.${column}`).toBe(1);
	}
	if (column === "id" && !isLine && lines && !entity.storage)
		await tx.run(
			`UPDATE ${lines.table} SET ${lines.parent} = ${lines.parent} || ' ' WHERE ${lines.parent} = ?`,
			row?.id as string,
		);
	const field = column.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
	return {
		entity: entity.name,
		id: row?.id as string,
		column,
		field: isLine ? lines.field : field,
	};
}

interface StoredChange {
	table: string;
	column: string;
	/** SQL on the view. */
	value: string;
	saleId: string;
}

/** Changes one column of a sale or of its first line, as their views show it. */
async function changeStored(
	tx: Connection,
	{ table, column, value, saleId }: StoredChange,
): Promise<void> {
	const isLine = table === "sale_items";
	const [found] = await tx.all(
		`SELECT business_id, id, ${value} AS next FROM ${table} WHERE ${isLine ? "sale_id" : "id"} = ? ORDER BY id LIMIT 1`,
		saleId,
	);
	const { business_id: businessId, next = null } = found ?? {};
	const shop = await shopNumber(tx, businessId as string);
	const numbered: Record<string, string> = {
		...{ name: "label", product_id: "product" },
		...{ user_id: "member", device_id: "device", payment_method: "method" },
		shift_id: "shift",
		...{
			tax_class: "class",
			pack_id: "pack",
			pack_name: "label",
			unit: "unit",
		},
	};
	const stored = column.replace(/^tax_rate$|^pack_size$/, (name) =>
		name.slice(name.indexOf("_") + 1),
	);
	const counted: Record<string, string> = {
		business_day: "day_number",
		created_at: "made_ms",
	};
	const [assigned, to] =
		column === "sale_id"
			? [
					`position = 100 + (SELECT count(*) FROM stored_lines WHERE position > 99),
           sale = (SELECT n FROM stored_sales WHERE id = ?)`,
					next,
				]
			: counted[column]
				? [`${counted[column]} = ${counted[column]} + ?`, 1]
				: numbered[column]
					? [
							`${numbered[column]} = ?`,
							await nameNumber(tx, shop, next as string),
						]
					: [`${stored} = ?`, next];
	const line = "sale = (SELECT n FROM stored_sales WHERE id = ?) AND id = ?";
	const count = await tx.run(
		/^(tax|pack|unit)/.test(column)
			? `UPDATE ${column.startsWith("tax") ? "line_taxes" : "line_units"} SET ${assigned} WHERE (sale, position) = (SELECT sale, position FROM stored_lines WHERE ${line})`
			: isLine
				? `UPDATE stored_lines SET ${assigned} WHERE ${line}`
				: `UPDATE stored_sales SET ${assigned} WHERE id = ?`,
		...(isLine ? [to, saleId, found?.id as string] : [to, saleId]),
	);
	expect(count, column).toBe(1);
}

describe("the digest", () => {
	test("the digest changes with any column of any row or line, and comparing two stores names each difference [DIGEST-2]", {
		timeout: 300_000,
	}, async () => {
		const { server, till } = await openLargeShop();
		expect(await digestOf(till)).toBe(await digestOf(server));
		const seen = new Set([await digestOf(till)]);
		const tables = await till.store.read(tablesOf);
		const changes: Changed[] = [];
		const unseen: string[] = [];
		/** Changes after which the kept sums were wrong. */
		const unkept: string[] = [];
		seen.add(await till.till.digest());
		for (const entity of entities)
			for (const table of [entity.table, entity.lines?.table]) {
				if (table === undefined) continue;
				const isAlone = entity.table === "businesses";
				const columns = countedColumns(table, tables.get(table) ?? []);
				for (const start of isAlone ? [0] : sampled(starts, 3))
					for (const [i, column] of sampled([...columns.entries()], 10)) {
						const n = isAlone
							? 0
							: start + i + (table === entity.table ? 0 : 13);
						changes.push(
							await till.store.write((tx) =>
								change(tx, entity, table, column, n),
							),
						);
						const digest = await digestOf(till);
						if (seen.has(digest)) unseen.push(`${table}.${column} of row ${n}`);
						seen.add(digest);
						const blocks = await till.store.read((tx) =>
							readBlocks(tx, till.caller.businessId),
						);
						const isMoved =
							table === "products" && movedColumns.includes(column);
						if (seen.has(blocks.digest) !== isMoved)
							unkept.push(`${table}.${column} of row ${n}`);
						seen.add(blocks.digest);
						await settleBlocks(till.store, till.caller.businessId);
					}
			}
		expect({ unseen, unkept }).toEqual({ unseen: [], unkept: [] });
		await assertBlocksRight(till.store, till.caller.businessId);

		const { differences: found } = await findDifferences(
			till.store,
			till.caller.businessId,
			till.line,
		);
		const missed = changes.filter(
			({ entity, id, column, field }) =>
				!found.some(
					(one) =>
						one.entity === entity &&
						one.id === id &&
						(column === "deleted" || (column === "id" && field === "id")
							? one.where === "server"
							: one.where === "both" && one.fields.includes(field ?? "")),
				),
		);
		expect(missed).toEqual([]);
		const changedRows = new Set([
			...changes.map(({ entity, id }) => `${entity} ${id}`),
			// Their lines had moved to these parents.
			"sale s239",
			"refund r239",
		]);
		const others = found.filter(
			({ entity, id, where, fields }) =>
				where !== "here" &&
				!changedRows.has(`${entity} ${id}`) &&
				// The products of changed lines.
				!(entity === "product" && fields.join() === "quantity"),
		);
		expect(others).toEqual([]);
		const renamed = changes.filter(
			({ column, field }) => column === "id" && field === "id",
		);
		expect(
			found
				.filter(({ where }) => where === "here")
				.map(({ id }) => id)
				.sort(),
		).toEqual(renamed.map(({ id }) => `${id} `).sort());
	});

	test("the digest covers every table that syncs [DIGEST-2]", async () => {
		const { till } = await openLargeShop();
		const tables = await till.store.read(tablesOf);
		const synced = [...tables]
			.filter(
				([, columns]) =>
					columns.includes("version") && columns.includes("deleted"),
			)
			.map(([name]) => name);
		expect(synced.sort()).toEqual(entities.map(({ table }) => table).sort());
		for (const { table, lines, storage } of entities) {
			const [row] = await till.rows(`SELECT count(*) AS count FROM ${table}`);
			expect({ table, isMany: Number(row?.count) >= rowsPerEntity }).toEqual({
				table,
				isMany: table !== "businesses",
			});
			const referring = await till.rows(
				`SELECT m.name FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' AND f."table" = ? AND f."from" <> 'business_id'`,
				table,
			);
			expect(referring.map(({ name }) => name)).toEqual(
				lines && !storage ? [lines.table] : [],
			);
		}
	});

	oneIn(3)(
		"the digest leaves out what stores in sync may differ in",
		async () => {
			const { till } = await openLargeShop();
			const before = await digestOf(till);
			for (const entity of entities) {
				const { table } = storageOf(entity);
				const own = uncounted[entity.table] ?? [];
				const columns = ["version", ...own].filter(
					(column) => !["id", "deleted"].includes(column),
				);
				for (const column of columns) {
					const isText = ["edits", "search_name", "link"].includes(column);
					await till.store.write((tx) =>
						tx.run(
							`UPDATE ${table} SET ${column} = ${column} ${isText ? "|| ' '" : "+ 1"}`,
						),
					);
					expect({ table, column, digest: await digestOf(till) }).toEqual({
						table,
						column,
						digest: before,
					});
				}
			}
		},
	);

	test("the digest is equal for a store with a tombstone and one that never had the row [DIGEST-1]", async () => {
		const { server, till } = await openLargeShop();
		await server.shop.push(server.caller, {
			mutations: [message("gone", "category.delete", { id: "c005" })],
		});
		await till.till.sync();
		const withTombstone = await digestOf(till);
		expect(withTombstone).toBe(await digestOf(server));
		await till.store.write((tx) =>
			tx.run("UPDATE categories SET name = 'Else' WHERE id = 'c005'"),
		);
		expect(await digestOf(till)).toBe(withTombstone);
		await till.store.write((tx) =>
			tx.run("DELETE FROM categories WHERE id = 'c005'"),
		);
		expect(await digestOf(till)).toBe(withTombstone);
		expect(
			await findDifferences(till.store, till.caller.businessId, till.line),
		).toEqual({ inStep: true, differences: [] });
	});
});
