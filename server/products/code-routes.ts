import * as z from "zod";
import {
	codeCreate,
	codeDelete,
	productCodeRow,
} from "../../sync/entities/product-code.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { packGet } from "../../sync/queries/pack.ts";
import { productGet } from "../../sync/queries/product.ts";
import { codeGet, codeList } from "../../sync/queries/product-code.ts";
import { productByCode } from "../../sync/queries/product-search.ts";
import type { Deps } from "../deps.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

/** Routes of products' further codes, and of finding a product by any of its codes. */
export function codeRoutes({ shop }: Deps): Routes {
	return {
		"/api/products/by-code": {
			GET: queryOperation(shop, productByCode, {
				params: productByCode.args,
				toArgs: ({ params }) => params,
			}),
		},

		"/api/products/:id/codes": {
			GET: listOperation(shop, codeList, {
				summary: "List a product's further codes",
				toArgs: ({ id }) => ({ productId: id }),
			}),

			POST: operation({
				summary: "Give a product a further code",
				access: "member",
				roles: codeCreate.roles,
				body: productCodeRow.pick({ code: true, packId: true }),
				failures: [409],
				answers: { 201: productCodeRow },
				async handle({ caller, id: productId, body, response }) {
					await shop.ask(caller, productGet, { id: productId });
					const { packId } = body;
					const pack =
						packId && (await shop.ask(caller, packGet, { id: packId }));
					// A till would take the code for one of the product's unit.
					if (pack && pack.productId !== productId)
						throw new ShopError(
							"invalid_args",
							"packId: Must be a pack of the product",
							"packId",
						);
					const id = newId(shop.env);
					await shop.mutate(caller, codeCreate, { id, productId, ...body });
					response.status(201).json(await shop.ask(caller, codeGet, { id }));
				},
			}),
		},

		"/api/product-codes": {
			GET: listOperation(shop, codeList, {
				summary: "List the further codes of all products",
			}),
		},

		"/api/product-codes/:id": {
			GET: queryOperation(shop, codeGet, {
				toArgs: ({ id }) => ({ id }),
			}),

			DELETE: operation({
				summary: "Take a further code from its product",
				access: "member",
				roles: codeDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await shop.ask(caller, codeGet, { id });
					await shop.mutate(caller, codeDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
