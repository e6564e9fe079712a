import * as z from "zod";
import {
	categoryCreate,
	categoryDelete,
	categoryRow,
	categoryUpdate,
} from "../../sync/entities/category.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { categoryGet, categoryList } from "../../sync/queries/category.ts";
import type { Deps } from "../deps.ts";
import { orAbsent, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const { name, sortOrder, taxClass } = categoryRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	sortOrder: orAbsent(sortOrder),
	taxClass,
});
const updateBody = createBody.extend({ sortOrder }).partial();

export function categoryRoutes({ shop }: Deps): Routes {
	return {
		"/api/categories": {
			GET: listOperation(shop, categoryList),

			POST: operation({
				summary: "Add a category",
				access: "member",
				roles: categoryCreate.roles,
				body: createBody,
				answers: { 201: categoryRow },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, categoryCreate, { id, ...body });
					response
						.status(201)
						.json(await shop.ask(caller, categoryGet, { id }));
				},
			}),
		},

		"/api/categories/:id": {
			GET: queryOperation(shop, categoryGet, { toArgs: ({ id }) => ({ id }) }),

			PATCH: operation({
				summary: "Change a category's fields; omitted fields stay as they are",
				access: "member",
				roles: categoryUpdate.roles,
				body: updateBody,
				answers: { 200: categoryRow },
				async handle({ caller, id, body: set, response }) {
					await shop.ask(caller, categoryGet, { id });
					await shop.mutate(caller, categoryUpdate, { id, set });
					response.json(await shop.ask(caller, categoryGet, { id }));
				},
			}),

			DELETE: operation({
				summary: "Delete a category; its products stay, without a category",
				access: "member",
				roles: categoryDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await shop.ask(caller, categoryGet, { id });
					await shop.mutate(caller, categoryDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
