import * as z from "zod";
import {
	countClose,
	countEnter,
	countLookAt,
	countLookRow,
	countOpen,
} from "../../sync/entities/count.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newId } from "../../sync/protocol/ids.ts";
import {
	countDifference,
	countGet,
	countList,
} from "../../sync/queries/count.ts";
import { countLast, lastCounted } from "../../sync/queries/last-counted.ts";
import type { Shop } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire, orNull, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const opening = countOpen.args.shape;
const looking = countLookAt.args.shape;
const entering = countEnter.args.shape;

/** Routes of counts of stock. What they look at is the server's book. */
export function countRoutes({ shop }: Deps): Routes {
	return {
		"/api/counts": {
			GET: listOperation(shop, countList),

			POST: operation({
				summary: "Begin to count a shelf or a category",
				access: "member",
				roles: countOpen.roles,
				body: z.object({
					id: newRecordId(opening.id),
					name: requiredField("name required").pipe(opening.name),
					categoryId: orNull(opening.id),
				}),
				failures: [409],
				answers: { 201: countGet.answer },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), ...count } = body;
					await shop.mutate(caller, countOpen, { id, ...count });
					response.status(201).json(await shop.ask(caller, countGet, { id }));
				},
			}),
		},

		"/api/counts/:id": {
			GET: queryOperation(shop, countGet, { toArgs: ({ id }) => ({ id }) }),
		},

		"/api/counts/:id/differences": {
			GET: queryOperation(shop, countDifference, {
				toArgs: ({ id }) => ({ id }),
			}),
		},

		"/api/products/:id/last-count": {
			GET: operation({
				summary: "When a product was last counted",
				access: "member",
				answers: { 200: lastCounted },
				async handle({ caller, id, response }) {
					const args = { productIds: [id] };
					const { products } = await shop.ask(caller, countLast, args);
					const [last] = products;
					if (!last) throw new ShopError("not_found", "Product not found");
					response.json(last);
				},
			}),
		},

		...lookRoutes(shop),

		"/api/counts/:id/close": {
			POST: operation({
				summary:
					"Correct the stock by what was counted; again, by what came after the closing",
				access: "member",
				roles: countClose.roles,
				answers: { 201: countDifference.answer },
				async handle({ caller, id, response }) {
					await shop.ask(caller, countGet, { id });
					await shop.mutate(caller, countClose, { id });
					const closed = await shop.ask(caller, countDifference, { id });
					response.status(201).json(closed);
				},
			}),
		},
	};
}

/** Routes of what is looked at and found. */
function lookRoutes(shop: Shop): Routes {
	return {
		"/api/counts/:id/looks": {
			POST: operation({
				summary:
					"Look at a product on its shelf: what the book knows now is what its number is compared with",
				access: "member",
				roles: countLookAt.roles,
				body: z.object({
					id: newRecordId(looking.id),
					productId: requiredField("productId required").pipe(
						looking.productId,
					),
					shelf: orNull(countLookRow.shape.shelf.unwrap()),
				}),
				failures: [409],
				answers: { 201: countGet.answer },
				async handle({ caller, id: countId, body, response }) {
					await shop.ask(caller, countGet, { id: countId });
					const { id = newId(shop.env), ...look } = body;
					await shop.mutate(caller, countLookAt, { id, countId, ...look });
					const args = { id: countId };
					response.status(201).json(await shop.ask(caller, countGet, args));
				},
			}),
		},

		"/api/counts/:id/entries": {
			POST: operation({
				summary: "Say what was found at a look",
				access: "member",
				roles: countEnter.roles,
				body: z.object({
					lookId: requiredField("lookId required").pipe(entering.id),
					counted: onWire(entering.counted),
				}),
				failures: [409],
				answers: { 201: countGet.answer },
				async handle({ caller, id, body: { lookId, counted }, response }) {
					const { looks } = await shop.ask(caller, countGet, { id });
					if (!looks.some((look) => look.id === lookId))
						throw new ShopError("not_found", "Look not found", "lookId");
					await shop.mutate(caller, countEnter, { id: lookId, counted });
					response.status(201).json(await shop.ask(caller, countGet, { id }));
				},
			}),
		},
	};
}
