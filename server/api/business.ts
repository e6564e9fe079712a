import * as z from "zod";
import {
	business,
	businessRow,
	businessUpdate,
	businessUpdateArgs,
} from "../../sync/entities/business.ts";
import { selectWires } from "../../sync/rows.ts";
import type { Caller } from "../../sync/shop.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

const updateBody = z.object(businessUpdateArgs.shape.set.shape);

/** Business API, "Other paths": the caller's business. Reading is for a session alone, changing for its owner. */
export function businessRoutes({ shop }: Deps): Routes {
	async function read({ businessId }: Caller) {
		const [row] = await shop.store.read((tx) =>
			selectWires(tx, business, businessId, ""),
		);
		return row;
	}

	return {
		"/api/business": {
			GET: operation({
				summary: "The caller's business",
				access: "memberSession",
				answers: { 200: businessRow },
				async handle({ caller, response }) {
					response.json(await read(caller));
				},
			}),

			PATCH: operation({
				summary: "Change the fields that are sent, for the owner",
				access: "member",
				roles: businessUpdate.roles,
				body: updateBody,
				answers: { 200: businessRow },
				async handle({ caller, body: set, response }) {
					await shop.mutate(caller, businessUpdate, { set });
					response.json(await read(caller));
				},
			}),
		},
	};
}
