import { Settings } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const settingsPage: Page = {
	path: "/settings",
	title: "app.settings",
	Icon: Settings,
	View: lazy(() => import("./settings-page.tsx")),
};
