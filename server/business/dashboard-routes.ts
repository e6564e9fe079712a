import { dashboardGet } from "../../sync/queries/dashboard.ts";
import { answering } from "../http/queries.ts";
import type { Deps, Routes } from "../http/routes.ts";

/** How the business does, in figures. */
export function dashboardRoutes({ shop }: Deps): Routes {
	return { "/api/dashboard": { GET: answering(shop, dashboardGet) } };
}
