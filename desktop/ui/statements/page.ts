import { Smartphone } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const statementsPage: Page = {
	path: "/statements",
	title: "statements.title",
	Icon: Smartphone,
	View: lazy(() => import("./statements-page.tsx")),
	hasNoEntry: true,
};
