import { RefreshCw } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const syncPage: Page = {
	path: "/sync",
	title: "app.sync",
	Icon: RefreshCw,
	View: lazy(() => import("./sync-page.tsx")),
};
