import type * as z from "zod";
import { openSharedRuns } from "../../sync/shared-run.ts";
import { settleTallies } from "../../sync/tallies.ts";
import { dashboard, readDashboard } from "../dashboard/dashboard.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

/** Business API, "Other paths": how the business does. */
export function dashboardRoutes({ shop }: Deps): Routes {
	/** Sales that are not in the sums yet are added up for each, so whoever asks at the same time shares one. */
	const shared = openSharedRuns<z.input<typeof dashboard>>();

	return {
		"/api/dashboard": {
			GET: operation({
				summary:
					"How the business does: today, yesterday, the last 7 and 30 days",
				access: "member",
				answers: { 200: dashboard },
				async handle({ caller: { businessId }, response }) {
					const answer = await shared(businessId, async () => {
						const today = await settleTallies(shop, businessId);
						return shop.store.read((tx) =>
							readDashboard(tx, businessId, today),
						);
					});
					response.json(answer);
				},
			}),
		},
	};
}
