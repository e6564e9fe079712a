import { Sparkles } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const aiPage: Page = {
	path: "/ai",
	title: "app.ai",
	Icon: Sparkles,
	View: lazy(() => import("./ai-page.tsx")),
	isOwners: true,
};
