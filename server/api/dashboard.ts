import { dashboardGet } from "../../sync/queries/dashboard.ts";
import type { Deps, Routes } from "../routes.ts";
import { answering } from "./queries.ts";

/** Business API, "Other paths": how the business does. */
export function dashboardRoutes({ shop }: Deps): Routes {
	return { "/api/dashboard": { GET: answering(shop, dashboardGet) } };
}
