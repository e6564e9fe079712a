import { Inbox } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";

export const inboxPage: Page = {
	path: "/inbox",
	title: "app.inbox",
	Icon: Inbox,
	View: lazy(() => import("./inbox-page.tsx")),
};
