import { dashboardGet } from "../../sync/queries/dashboard.ts";
import type { Deps } from "../deps.ts";
import type { Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";

/** Routes of the business's key figures. */
export function dashboardRoutes({ shop }: Deps): Routes {
	return { "/api/dashboard": { GET: queryOperation(shop, dashboardGet) } };
}
