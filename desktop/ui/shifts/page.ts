import { Banknote } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const shiftsPage: Page = {
	path: "/shifts",
	title: "shifts.title",
	Icon: Banknote,
	View: lazy(() => import("./shifts-page.tsx")),
};
