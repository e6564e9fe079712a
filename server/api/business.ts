import {
	business,
	businessUpdate,
	businessUpdateArgs,
} from "../../sync/entities/business.ts";
import type { Caller } from "../../sync/shop.ts";
import { readJson } from "../body.ts";
import type { Deps, Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const updatable = Object.keys(businessUpdateArgs.shape.set.shape);

/** Business API, "Other paths": the caller's business. Reading is for a session alone, changing for its owner. */
export function businessRoutes({ shop, gate }: Deps): Routes {
	async function read({ businessId }: Caller) {
		const [row] = await shop.store.read((tx) =>
			selectWires(tx, business, businessId, ""),
		);
		return row;
	}

	return {
		"/api/business": {
			async GET(request, response) {
				response.json(await read(await gate.sessionCaller(request)));
			},

			async PATCH(request, response) {
				const caller = await gate.caller(request);
				const body = await readJson(request);
				const set = Object.fromEntries(
					Object.entries(body).filter(([field]) => updatable.includes(field)),
				);
				await shop.mutate(caller, businessUpdate, { set });
				response.json(await read(caller));
			},
		},
	};
}
