import {
	type ProductCode,
	productCode,
	productCodeRow,
} from "../entities/product-code.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const byProduct = orderOf<ProductCode>(productCode, {
	columns: { product_id: "string", id: "string" },
	keyOf: ({ productId, id }) => [productId, id],
});

export const codeList = defineList({
	name: "code.list",
	summary: "Further codes of all products, or of one",
	args: { productId: anyId.optional() },
	row: productCodeRow,
	placeOf: byProduct.placeOf,
	async read(context, { productId }, page) {
		const of =
			productId === undefined
				? {}
				: { where: "AND product_id = ?", params: [productId] };
		return { rows: await byProduct.read(context, { ...page, ...of }) };
	},
});

export const codeGet = recordQuery(productCode, productCodeRow, {
	summary: "A further code of a product",
	missing: "Code not found",
});
