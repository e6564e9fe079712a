import { Truck } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

/** Deliveries and suppliers, from the page of products. */
export const deliveriesPage: Page = {
	path: "/deliveries",
	title: "suppliers.deliveries",
	Icon: Truck,
	View: lazy(() => import("./deliveries-page.tsx")),
	hasNoEntry: true,
};
