import * as z from "zod";
import {
	deliveryCreate,
	deliveryItem,
	deliveryRow,
	deliveryWire,
} from "../../sync/entities/delivery.ts";
import { linesMax } from "../../sync/entities/sale-limits.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { deliveryGet, deliveryList } from "../../sync/queries/delivery.ts";
import { productGet } from "../../sync/queries/product.ts";
import { productCosts } from "../../sync/queries/product-costs.ts";
import { supplierGet } from "../../sync/queries/supplier.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire, orAbsent, orNull } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { inPacks } from "../sales/items-body.ts";
import { tendersBody } from "../sales/tenders-body.ts";

const { id, supplierId, number, isReturn } = deliveryRow.shape;
const { productId, quantity, cost, packId } = deliveryItem.shape;
const { setsCosts } = deliveryCreate.args.shape;

const asked = deliveryList.args.shape;
const listParams = z.object({
	supplierId: asked.supplierId,
	from: asked.from,
	to: asked.to,
});

const itemBody = z.object({
	productId,
	quantity: onWire(quantity),
	cost: onWire(cost),
	packId: orAbsent(packId.unwrap()).describe(
		"A pack of the product: quantity and cost are then of packs",
	),
});

/** Routes of goods that suppliers brought or got back, and of what they cost. */
export function deliveryRoutes({ shop }: Deps): Routes {
	return {
		"/api/deliveries": {
			GET: listOperation(shop, deliveryList, {
				params: listParams,
				toArgs: ({ params }) => params,
			}),

			POST: operation({
				summary:
					"Record goods that a supplier brought, or got back: what the tenders leave is owed",
				access: "member",
				roles: deliveryCreate.roles,
				body: z.object({
					id: newRecordId(id),
					supplierId: orAbsent(supplierId.unwrap()),
					number: orNull(number),
					isReturn: isReturn.optional(),
					items: z.array(itemBody).min(1).max(linesMax),
					setsCosts,
					tenders: orAbsent(tendersBody),
				}),
				failures: [404, 409],
				answers: { 201: deliveryWire },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), items, ...made } = body;
					if (made.supplierId !== undefined)
						await shop.ask(caller, supplierGet, { id: made.supplierId });
					const named = [];
					for (const { cost: price, ...item } of items) {
						const { name } = await shop.ask(caller, productGet, {
							id: item.productId,
						});
						named.push({ ...item, name, price, cost: price });
					}
					const lines = await inPacks(shop, caller, named, (i) =>
						String(i + 1),
					);
					await shop.mutate(caller, deliveryCreate, {
						...{ ...made, id },
						items: lines.map(({ price: _, productId, ...line }) => ({
							...{ ...line, productId: productId as string },
						})),
					});
					response
						.status(201)
						.json(await shop.ask(caller, deliveryGet, { id }));
				},
			}),
		},

		"/api/deliveries/:id": {
			GET: queryOperation(shop, deliveryGet, { toArgs: ({ id }) => ({ id }) }),
		},

		"/api/products/:id/costs": {
			GET: queryOperation(shop, productCosts, {
				params: z.object({ day: productCosts.args.shape.day }),
				toArgs: ({ id, params: { day } }) => ({ id, day }),
			}),
		},
	};
}
