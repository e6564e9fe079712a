import * as z from "zod";
import {
	category,
	categoryCreate,
	categoryDelete,
	categoryRow,
	categoryUpdate,
} from "../../sync/entities/category.ts";
import { newId } from "../../sync/ids.ts";
import { selectWires } from "../../sync/rows.ts";
import type { Caller } from "../../sync/shop.ts";
import { HttpError } from "../errors.ts";
import { orAbsent, requiredField } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

const { name, sortOrder } = categoryRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	sortOrder: orAbsent(sortOrder),
});
const updateBody = createBody.extend({ sortOrder }).partial();

/** Business API, "Other paths": categories. */
export function categoryRoutes({ shop }: Deps): Routes {
	async function read({ businessId }: Caller, id: string) {
		const [found] = await shop.store.read((tx) =>
			selectWires(tx, category, businessId, "AND id = ?", id),
		);
		if (!found) throw new HttpError(404, "Category not found");
		return found;
	}

	return {
		"/api/categories": {
			GET: operation({
				summary: "All categories in their order",
				access: "member",
				answers: { 200: z.array(categoryRow) },
				async handle({ caller: { businessId }, response }) {
					const rows = await shop.store.read((tx) =>
						selectWires(
							tx,
							category,
							businessId,
							"ORDER BY sort_order, name, id",
						),
					);
					response.json(rows);
				},
			}),

			POST: operation({
				summary: "Add a category",
				access: "member",
				roles: categoryCreate.roles,
				body: createBody,
				answers: { 201: categoryRow },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, categoryCreate, { id, ...body });
					response.status(201).json(await read(caller, id));
				},
			}),
		},

		"/api/categories/:id": {
			GET: operation({
				summary: "A category",
				access: "member",
				answers: { 200: categoryRow },
				async handle({ caller, id, response }) {
					response.json(await read(caller, id));
				},
			}),

			PATCH: operation({
				summary: "Change the fields that are sent",
				access: "member",
				roles: categoryUpdate.roles,
				body: updateBody,
				answers: { 200: categoryRow },
				async handle({ caller, id, body: set, response }) {
					await read(caller, id);
					await shop.mutate(caller, categoryUpdate, { id, set });
					response.json(await read(caller, id));
				},
			}),

			DELETE: operation({
				summary: "Remove a category; its products are left without one",
				access: "member",
				roles: categoryDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await read(caller, id);
					await shop.mutate(caller, categoryDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
