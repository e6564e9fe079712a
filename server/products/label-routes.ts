import * as z from "zod";
import { labelRow, labelSet } from "../../sync/entities/label.ts";
import { labelGet, labelList } from "../../sync/queries/label.ts";
import { packGet } from "../../sync/queries/pack.ts";
import { productSome } from "../../sync/queries/product-search.ts";
import type { Deps } from "../deps.ts";
import { onWire } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const { id, name, price, code } = labelRow.shape;
const body = z.object({
	/** The product's, or its pack's. */
	id,
	name,
	price: onWire(price),
	code: code.optional(),
});

/** Routes of what stands on products' labels. */
export function labelRoutes({ shop }: Deps): Routes {
	return {
		"/api/labels": {
			GET: listOperation(shop, labelList),

			POST: operation({
				summary: "Say what was printed on the label of a product or its pack",
				access: "member",
				roles: labelSet.roles,
				body,
				failures: [404],
				answers: { 201: labelRow },
				async handle({ caller, body, response }) {
					const { id } = body;
					const ids = { ids: [id] };
					const { products } = await shop.ask(caller, productSome, ids);
					if (products.length === 0) await shop.ask(caller, packGet, { id });
					await shop.mutate(caller, labelSet, body);
					response.status(201).json(await shop.ask(caller, labelGet, { id }));
				},
			}),
		},

		"/api/labels/:id": {
			GET: queryOperation(shop, labelGet, { toArgs: ({ id }) => ({ id }) }),
		},
	};
}
