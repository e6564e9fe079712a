import { business } from "../../sync/entities/business.ts";
import type { Deps, Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

/** Business API, "Other paths": the caller's business, for a session alone. */
export function businessRoutes({ shop, gate }: Deps): Routes {
	return {
		"/api/business": {
			async GET(request, response) {
				const { businessId } = await gate.sessionCaller(request);
				const [row] = await shop.store.read((tx) =>
					selectWires(tx, business, businessId, ""),
				);
				response.json(row);
			},
		},
	};
}
