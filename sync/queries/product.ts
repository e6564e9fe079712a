import * as z from "zod";
import { searchable } from "../entities/fields.ts";
import { type Product, product, productWire } from "../entities/product.ts";
import type { Value } from "../store/store.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

/** The longest name, 500 characters, of which normalization makes at most 18 each (U+FDFA). */
const searchableMax = 500 * 18;

const byName = orderOf<Product>(product, {
	columns: { search_name: "string", name: "string", id: "string" },
	keyOf: ({ name, id }) => [searchable(name), name, id],
});

const shown = {
	active: "AND is_active = 1",
	inactive: "AND is_active = 0",
	all: "",
};

const show = z.enum(["active", "inactive", "all"]).default("active");

export const productList = defineList({
	name: "product.list",
	summary: "Products by name, of all categories or of one",
	args: {
		/** Part of the name, in any case. */
		search: z.string().min(1).optional(),
		categoryId: anyId.optional(),
		show,
	},
	row: productWire,
	placeOf: byName.placeOf,
	async read(context, { search, categoryId, show }, page) {
		const conditions = [shown[show]];
		const params: Value[] = [];
		if (search !== undefined) {
			const part = searchable(search);
			if (isInNoName(part)) return { rows: [] };
			// LIKE with escaped wildcards works in SQLite and PostgreSQL; `instr` does not.
			conditions.push("AND search_name LIKE ? ESCAPE '!'");
			params.push(`%${part.replace(/[!%_]/g, "!$&")}%`);
		}
		if (categoryId !== undefined) {
			conditions.push("AND category_id = ?");
			params.push(categoryId);
		}
		const where = conditions.join(" ");
		return { rows: await byName.read(context, { ...page, where, params }) };
	},
});

/** SQLite ends a LIKE pattern at a NUL and fails on one that is too long. */
function isInNoName(part: string): boolean {
	return part.includes("\0") || part.length > searchableMax;
}

export const productCount = defineQuery({
	name: "product.count",
	summary: "The number of products",
	args: z.strictObject({ show }),
	answer: z.object({ total: z.int() }),
	async run({ tx, businessId }, { show }) {
		const row = await tx.get(
			`SELECT count(*) AS total FROM products WHERE business_id = ? AND deleted = 0 ${shown[show]}`,
			businessId,
		);
		return { total: Number(row?.total) };
	},
});

export const productGet = recordQuery(product, productWire, {
	summary: "A product",
	missing: "Product not found",
});
