import { NotebookText } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const customersPage: Page = {
	path: "/customers",
	title: "customers.title",
	Icon: NotebookText,
	View: lazy(() => import("./customers-page.tsx")),
};
