import { ScanBarcode } from "lucide-react";
import type { Page } from "../pages.ts";
import { Till } from "./till-page.tsx";

/** Opens at once: it is what a shop looks at all day. */
export const tillPage: Page = {
	path: "/",
	title: "app.till",
	Icon: ScanBarcode,
	View: Till,
};
