import { ReceiptText } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const salesPage: Page = {
	path: "/sales",
	title: "app.sales",
	Icon: ReceiptText,
	View: lazy(() => import("./sales-page.tsx")),
};
