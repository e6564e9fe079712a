import { Package } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const productsPage: Page = {
	path: "/products",
	title: "app.products",
	Icon: Package,
	View: lazy(() => import("./products-page.tsx")),
};
