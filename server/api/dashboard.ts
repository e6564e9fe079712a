import { settleTallies } from "../../sync/tallies.ts";
import { dashboard, readDashboard } from "../dashboard/dashboard.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

/** Business API, "Other paths": how the business does. */
export function dashboardRoutes({ shop }: Deps): Routes {
	return {
		"/api/dashboard": {
			GET: operation({
				summary:
					"How the business does: today, yesterday, the last 7 and 30 days",
				access: "member",
				answers: { 200: dashboard },
				async handle({ caller: { businessId }, response }) {
					const today = await settleTallies(shop, businessId);
					const answer = await shop.store.read((tx) =>
						readDashboard(tx, businessId, today),
					);
					response.json(answer);
				},
			}),
		},
	};
}
