import { describe, expect, test } from "vitest";
import * as z from "zod";
import { entities } from "../entities/index.ts";
import { saleCreate } from "../entities/sale.ts";
import { saleItemRow } from "../entities/sale-item.ts";
import { stockMovementRow } from "../entities/stock-movement.ts";
import { openTestShop, twoTills } from "../testing/shop.ts";
import { selectRows } from "./rows.ts";
import { encoderOf, readerOf } from "./wire.ts";

test("every row is encoded as zod encodes it", async () => {
	const { server } = await twoTills();
	const { shop, caller, store } = server;
	await shop.mutate(caller, saleCreate, {
		id: "sale",
		items: [
			{
				id: "1",
				name: "Milk",
				quantity: 0.333333,
				price: 99.95,
				cost: 50,
				productId: "milk",
			},
			{ id: "2", name: "Bag", quantity: 1, price: 0, cost: 0 },
		],
		paid: 100,
	});
	let seen = 0;
	for (const entity of entities) {
		const rows = await store.read((tx) =>
			selectRows(tx, entity, caller.businessId, ""),
		);
		for (const { row } of rows) {
			const wire = z.encode(entity.row, row as never);
			expect(JSON.stringify(encoderOf(entity.row)(row))).toBe(
				JSON.stringify(wire),
			);
			seen += 1;
		}
	}
	expect(seen).toBeGreaterThan(5);
});

test.each<[z.ZodType, unknown]>([
	[z.string().max(1), "ab"],
	[z.iso.date(), "today"],
	[z.enum(["a"]), "b"],
])(
	"reading a stored row does not check its limits again: %#",
	(schema, value) => {
		expect(encoderOf(schema)(value)).toBe(value);
		expect(readerOf(schema)(value)).toBe(value);
		expect(schema.safeParse(value).success).toBe(false);
	},
);

test("a field of an unknown type is left to zod", () => {
	const date = z.codec(z.iso.datetime(), z.date(), {
		decode: (text) => new Date(text),
		encode: (value) => value.toISOString(),
	});
	const schema = z.object({ at: z.union([date, z.null()]) });
	const wire = { at: "1970-01-01T00:00:00.000Z" };
	expect(encoderOf(schema)({ at: new Date(0) })).toEqual(wire);
	expect(readerOf(schema)(wire)).toEqual({ at: new Date(0) });
});

test("an encoded row has only the row's fields", () => {
	const schema = z.object({ id: z.string(), note: z.string().optional() });
	expect(encoderOf(schema)({ id: "1", more: 1 })).toStrictEqual({
		id: "1",
	});
});

test("a digest is the sum of its rows' hashes with all carries [DIGEST-1]", async () => {
	// Two shops with the same rows, received in different orders.
	const a = await openTestShop({ businessId: "one" });
	const b = await openTestShop({ businessId: "one" });
	for (const [{ shop, caller }, ids] of [
		[a, ["x", "y", "z"]],
		[b, ["z", "x", "y"]],
	] as const)
		for (const id of ids)
			await shop.mutate(caller, saleCreate, {
				id,
				items: [{ id: "1", name: id, quantity: 1, price: 1, cost: 1 }],
				receiptNumber: id,
			});
	const digests = await Promise.all(
		[a, b].map(async ({ shop, caller }) => (await shop.digest(caller)).digest),
	);
	expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
	expect(digests[1]).toBe(digests[0]);
});

const line = {
	id: "1",
	saleId: "sale",
	name: "Milk",
	quantity: 1,
	price: 99.95,
	cost: 50,
	productId: null,
};
const movement = {
	id: "m",
	productId: "milk",
	delta: -1,
	reason: "sale",
	note: null,
	saleId: "sale",
	itemId: "1",
	userId: null,
	createdAt: "2026-11-20T09:00:00.000Z",
};

describe("a row that a server has written", () => {
	test.each<[string, z.ZodType, unknown]>([
		["a line", saleItemRow, line],
		["a movement", stockMovementRow, movement],
		["a field more", saleItemRow, { ...line, isNews: true }],
	])("a server's row is read as zod reads it: %s", (_, schema, row) => {
		expect(readerOf(schema)(row)).toEqual(schema.parse(row));
	});

	test.each<[string, z.ZodType, unknown]>([
		["a number for a name", saleItemRow, { ...line, name: 5 }],
		["text for a number", saleItemRow, { ...line, price: "99.95" }],
		["no finite number", saleItemRow, { ...line, price: Infinity }],
		["a number too large to be exact", saleItemRow, { ...line, price: 1e15 }],
		["a missing field", saleItemRow, { ...line, name: undefined }],
		["an object for an id", saleItemRow, { ...line, productId: {} }],
		["no object", saleItemRow, null],
		["no list", z.array(saleItemRow), { 0: line }],
		["no yes or no", z.object({ is: z.boolean() }), { is: 1 }],
	])("a server's row is refused as zod refuses it: %s", (_, schema, row) => {
		const { error } = schema.safeParse(row);
		expect(error?.issues).toHaveLength(1);
		expect(() => readerOf(schema)(row)).toThrow(error);
	});
});
