import { dashboardGet } from "../../sync/queries/dashboard.ts";
import { answering } from "../http/queries.ts";
import type { Deps, Routes } from "../http/routes.ts";

/** Business API, "Other paths": how the business does. */
export function dashboardRoutes({ shop }: Deps): Routes {
	return { "/api/dashboard": { GET: answering(shop, dashboardGet) } };
}
