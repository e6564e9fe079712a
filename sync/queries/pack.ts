import { type Pack, pack, packRow } from "../entities/pack-row.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const byProduct = orderOf<Pack>(pack, {
	columns: { product_id: "string", id: "string" },
	keyOf: ({ productId, id }) => [productId, id],
});

export const packList = defineList({
	name: "pack.list",
	summary: "The packs of all products, or of one",
	args: { productId: anyId.optional() },
	row: packRow,
	placeOf: byProduct.placeOf,
	async read(context, { productId }, page) {
		const of =
			productId === undefined
				? {}
				: { where: "AND product_id = ?", params: [productId] };
		return { rows: await byProduct.read(context, { ...page, ...of }) };
	},
});

export const packGet = recordQuery(pack, packRow, {
	summary: "A pack of a product",
	missing: "Pack not found",
});
