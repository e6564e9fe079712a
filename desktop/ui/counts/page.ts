import { ClipboardCheck } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

/** Counts of stock, from the page of products. */
export const countsPage: Page = {
	path: "/counts",
	title: "counts.title",
	Icon: ClipboardCheck,
	View: lazy(() => import("./counts-page.tsx")),
	hasNoEntry: true,
};
