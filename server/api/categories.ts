import {
	category,
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "../../sync/entities/category.ts";
import { newId } from "../../sync/ids.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import type { Deps, Routes } from "../routes.ts";
import { toName } from "./name.ts";
import { selectWires } from "./rows.ts";

/** Business API, "Other paths": categories. */
export function categoryRoutes({ shop, gate }: Deps): Routes {
	async function read(businessId: string, id: string) {
		const [found] = await shop.store.read((tx) =>
			selectWires(tx, category, businessId, "AND id = ?", id),
		);
		if (!found) throw new HttpError(404, "Category not found");
		return found;
	}

	return {
		"/api/categories": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
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

			async POST(request, response) {
				const caller = await gate.caller(request);
				const { name, sortOrder } = await readJson(request);
				const id = newId(shop.env);
				await shop.mutate(caller, categoryCreate, {
					id,
					name: toName(name),
					sortOrder: (sortOrder ?? undefined) as number | undefined,
				});
				response.status(201).json(await read(caller.businessId, id));
			},
		},

		"/api/categories/:id": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
				response.json(await read(businessId, request.params.id as string));
			},

			async PATCH(request, response) {
				const caller = await gate.caller(request);
				const body = await readJson(request);
				const id = request.params.id as string;
				await read(caller.businessId, id);
				const set: { name?: string; sortOrder?: number } = {};
				if (Object.hasOwn(body, "name")) set.name = toName(body.name);
				if (Object.hasOwn(body, "sortOrder"))
					set.sortOrder = body.sortOrder as number;
				await shop.mutate(caller, categoryUpdate, { id, set });
				response.json(await read(caller.businessId, id));
			},

			async DELETE(request, response) {
				const caller = await gate.caller(request);
				const id = request.params.id as string;
				await read(caller.businessId, id);
				await shop.mutate(caller, categoryDelete, { id });
				response.json({ ok: true });
			},
		},
	};
}
