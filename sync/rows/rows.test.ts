import { describe, expect, test } from "vitest";
import { category } from "../entities/category.ts";
import type { RowOf } from "../entities/entity.ts";
import { product, productCreate } from "../entities/product.ts";
import { sale } from "../entities/sale.ts";
import { fromFeed } from "../feed/feed-row.ts";
import { SumOverflow } from "../protocol/errors.ts";
import type { Connection } from "../store/store.ts";
import { openTestShop } from "../testing/shop.ts";
import {
	addToRow,
	eraseRow,
	insertRow,
	present,
	readRow,
	selectRows,
	toWire,
	updateRow,
	writeRow,
} from "./rows.ts";

const at = "2026-11-20T09:00:00.000Z";
const later = "2026-11-20T09:30:00.000Z";

function saleRow(id: string, lines: readonly string[]): RowOf<typeof sale> {
	return {
		id,
		total: 1,
		cost: 2,
		paid: 3,
		paymentMethod: "CASH",
		notes: null,
		businessId: "shop-1",
		receiptNumber: null,
		businessDay: "2026-11-20",
		userId: null,
		deviceId: null,
		createdAt: at,
		items: lines.map((name, i) => ({
			id: `${lines.length - i}`,
			saleId: id,
			name,
			quantity: 1,
			price: 2,
			cost: 3,
			productId: null,
		})),
	};
}

async function open() {
	const server = await openTestShop();
	const other = await openTestShop({ file: server.file, businessId: "b" });
	const write = <T>(fn: (tx: Connection) => Promise<T>) =>
		server.store.write(fn);
	return { server, other, write, rows: server.rows };
}

const linesOf = ({ items }: RowOf<typeof sale>) =>
	items.map(({ name }) => name);

describe("a row", () => {
	test("a row is inserted once, and a second insert changes nothing, not even lines", async () => {
		const { write, rows } = await open();
		const insert = (id: string, lines: string[], deleted = false) =>
			write((tx) =>
				insertRow(tx, sale, "shop-1", {
					row: saleRow(id, lines),
					version: 7,
					deleted,
				}),
			);
		expect(await insert("s", ["one", "two"])).toBe(true);
		expect(await insert("s", ["three", "four", "five"])).toBe(false);
		expect(await insert("gone", [], true)).toBe(true);
		expect(await insert("gone", ["six"])).toBe(false);
		expect(
			await rows("SELECT sale_id, name, position FROM sale_items ORDER BY id"),
		).toEqual([
			{ sale_id: "s", name: "two", position: 1 },
			{ sale_id: "s", name: "one", position: 0 },
		]);
		expect(
			await rows("SELECT id, version, deleted FROM sales ORDER BY id"),
		).toEqual([
			{ id: "gone", version: 7, deleted: 1 },
			{ id: "s", version: 7, deleted: 0 },
		]);
	});

	test("a row is replaced with its lines, and no other row changes", async () => {
		const { write } = await open();
		const put = (
			businessId: string,
			id: string,
			lines: string[],
			version: number,
		) =>
			write((tx) =>
				writeRow(tx, sale, businessId, {
					row: { ...saleRow(id, lines), total: version },
					version,
					deleted: false,
				}),
			);
		await put("shop-1", "s", ["one", "two", "three"], 4);
		await put("shop-1", "t", ["four"], 5);
		await put("b", "s", ["five"], 6);
		await put("shop-1", "s", ["six", "seven"], 7);
		const all = await write(async (tx) => [
			...(await selectRows(tx, sale, "shop-1", "ORDER BY id")),
			...(await selectRows(tx, sale, "b", "ORDER BY id")),
		]);
		expect(
			all.map(({ row, version, deleted }) => ({
				...{ id: row.id, total: row.total, version, deleted },
				lines: linesOf(row),
			})),
		).toEqual([
			{
				id: "s",
				total: 7,
				version: 7,
				deleted: false,
				lines: ["six", "seven"],
			},
			{ id: "t", total: 5, version: 5, deleted: false, lines: ["four"] },
			{ id: "s", total: 6, version: 6, deleted: false, lines: ["five"] },
		]);
	});

	test("a row is erased with its lines, and no other row changes", async () => {
		const { write, rows } = await open();
		await write(async (tx) => {
			for (const businessId of ["shop-1", "b"])
				for (const id of ["s", "t"])
					await insertRow(tx, sale, businessId, {
						row: { ...saleRow(id, ["one"]), businessId },
						version: 2,
						deleted: false,
					});
			await eraseRow(tx, sale, "shop-1", "s");
		});
		const left = [
			{ business_id: "b", id: "s" },
			{ business_id: "b", id: "t" },
			{ business_id: "shop-1", id: "t" },
		];
		expect(
			await rows("SELECT business_id, id FROM sales ORDER BY business_id, id"),
		).toEqual(left);
		expect(
			await rows(
				"SELECT business_id, sale_id AS id FROM sale_items ORDER BY business_id, sale_id",
			),
		).toEqual(left);
	});

	test("a row is read as it was written, with exactly its schema's fields", async () => {
		const { write } = await open();
		const row = saleRow("s", ["one", "two"]);
		const stored = { row, version: 7, deleted: false };
		const read = await write(async (tx) => {
			await insertRow(tx, sale, "shop-1", stored);
			return readRow(tx, sale, "shop-1", "s");
		});
		expect(read).toStrictEqual(stored);
	});

	test("an update sets the named columns of one row", async () => {
		const { server, other, write, rows } = await open();
		for (const { shop, caller } of [server, other])
			for (const id of ["milk", "bread"])
				await shop.mutate(caller, productCreate, {
					...{ id, name: id, buyingPrice: 1, sellingPrice: 2 },
				});
		const all = () =>
			rows(
				"SELECT business_id, id, name, is_active, version FROM products ORDER BY business_id, id",
			);
		const before = await all();
		await write((tx) =>
			updateRow(tx, product, "shop-1", "milk", {
				is_active: false as never,
				name: "Cream",
			}),
		);
		expect(await all()).toEqual([
			...before.slice(0, 3),
			{ ...before[3], is_active: 0, name: "Cream" },
		]);
	});
});

describe("rows with lines", () => {
	test.each([1, 2, 99, 100, 101, 200, 250])(
		"%i rows are read together, each with its own lines in order",
		async (count) => {
			const { write } = await open();
			const ids = Array.from({ length: count }, (_, i) => `s${i}`);
			const names = (id: string) =>
				["c", "a", "b"].slice(0, 1 + (ids.indexOf(id) % 3)).map((x) => id + x);
			const read = await write(async (tx) => {
				for (const id of ids)
					await insertRow(tx, sale, "shop-1", {
						row: saleRow(id, names(id)),
						version: 2,
						deleted: false,
					});
				await insertRow(tx, sale, "b", {
					row: saleRow("s0", ["another shop's"]),
					version: 2,
					deleted: false,
				});
				return selectRows(tx, sale, "shop-1", "AND version > ?", 1);
			});
			expect(read).toHaveLength(count);
			for (const { row } of read) {
				expect(linesOf(row)).toEqual(names(row.id));
				for (const { saleId } of row.items) expect(saleId).toBe(row.id);
			}
		},
	);
});

describe("additions to a field", () => {
	const start = async (quantity: number) => {
		const { server, other, write, rows } = await open();
		for (const { shop, caller } of [server, other])
			await shop.mutate(caller, productCreate, {
				...{ id: "milk", name: "Milk", buyingPrice: 1, sellingPrice: 2 },
			});
		await write((tx) => tx.run("UPDATE products SET quantity = ?", quantity));
		const add = (delta: number, more: { at?: string; version?: number } = {}) =>
			write((tx) =>
				addToRow(tx, product, "shop-1", "milk", {
					...{ field: "quantity", delta, at: later },
					...more,
				}),
			);
		const quantities = () =>
			rows(
				"SELECT business_id, quantity, version, updated_at FROM products ORDER BY business_id DESC",
			);
		return { add, write, quantities };
	};

	test("an addition returns the row with the sum and the later moment, and keeps its version", async () => {
		const { add, quantities } = await start(5);
		const row = await add(3);
		expect(row).toMatchObject({
			...{ id: "milk", name: "Milk", quantity: 8, isActive: true },
			...{ isService: false, updatedAt: later, createdAt: at },
		});
		const other = {
			...{ business_id: "b", quantity: 5, version: 2, updated_at: at },
		};
		expect(await quantities()).toEqual([
			{ business_id: "shop-1", quantity: 8, version: 2, updated_at: later },
			other,
		]);
		await add(-1, { at });
		expect(await quantities()).toEqual([
			{ business_id: "shop-1", quantity: 7, version: 2, updated_at: later },
			other,
		]);
	});

	const max = Number.MAX_SAFE_INTEGER;
	test.each([
		[max - 3, 3, 1],
		[3, max - 3, 1],
		[-max + 3, -3, -1],
		[-3, -max + 3, -1],
	])(
		"a field of %d accepts an addition of %d and no more",
		async (quantity, delta, step) => {
			const { add, quantities } = await start(quantity);
			await expect(add(delta + step)).rejects.toThrow(SumOverflow);
			expect((await quantities())[0]?.quantity).toBe(quantity);
			expect((await add(delta))?.quantity).toBe(quantity + delta);
		},
	);

	test("an addition skips missing rows and tombstones", async () => {
		const { add, write, quantities } = await start(1);
		const addTo = (businessId: string, id: string) =>
			write((tx) =>
				addToRow(tx, product, businessId, id, {
					...{ field: "quantity", delta: 1, at: later, version: 1 },
				}),
			);
		expect(await addTo("shop-1", "bread")).toBeUndefined();
		expect(await addTo("c", "milk")).toBeUndefined();
		await write((tx) =>
			tx.run("UPDATE products SET deleted = 1 WHERE business_id = 'shop-1'"),
		);
		expect(await add(1)).toBeUndefined();
		expect((await quantities()).map(({ quantity }) => quantity)).toEqual([
			1, 1,
		]);
	});
});

describe("the wire form of a row", () => {
	test("a row's wire form is read back as the row", async () => {
		const row = saleRow("s", ["one", "two"]);
		const wire = toWire(sale, row);
		expect(wire).toMatchObject({ profit: -0.000001, change: 0.000002 });
		expect(fromFeed(sale, wire)).toEqual(row);
	});

	test("a product's wire form has its category unless that was deleted", async () => {
		const { server, other, write } = await open();
		const { shop, caller } = server;
		for (const [id, categoryId] of [
			["bag", null],
			["milk", "dairy"],
			["salt", "gone"],
			["soap", "other's"],
		] as const)
			await shop.mutate(caller, productCreate, {
				...{ id, name: id, buyingPrice: 1, sellingPrice: 2, categoryId },
			});
		const shown = (ids: readonly string[]) =>
			write(async (tx) => {
				const stored = [];
				for (const id of ids)
					stored.push(await readRow(tx, product, "shop-1", id));
				const rows = stored.map((one) => one?.row as object);
				const wires = await present(tx, product, "shop-1", rows as never);
				return wires.map((wire) => wire.category);
			});
		const make = (businessId: string, id: string, deleted = false) =>
			write((tx) =>
				insertRow(tx, category, businessId, {
					row: {
						...{ id, businessId, name: id, sortOrder: 3 },
						...{ createdAt: at, updatedAt: at },
					},
					version: 2,
					deleted,
				}),
			);
		await make("shop-1", "dairy");
		await make("shop-1", "gone", true);
		await make(other.caller.businessId, "other's");
		const dairy = { id: "dairy", name: "dairy", sortOrder: 3 };
		expect(await shown(["bag", "milk", "salt", "soap"])).toEqual([
			null,
			dairy,
			null,
			null,
		]);
		expect(await shown(["bag"])).toEqual([null]);
		expect(await shown([])).toEqual([]);
	});
});
