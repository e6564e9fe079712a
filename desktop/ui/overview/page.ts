import { LayoutDashboard } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const overviewPage: Page = {
	path: "/dashboard",
	title: "app.dashboard",
	Icon: LayoutDashboard,
	View: lazy(() => import("./overview-page.tsx")),
};
