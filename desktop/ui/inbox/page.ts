import { Inbox } from "lucide-react";
import { lazy } from "react";
import type { Page } from "../pages.ts";
import { useInboxCount } from "./use-inbox-count.ts";

export const inboxPage: Page = {
	path: "/inbox",
	title: "app.inbox",
	Icon: Inbox,
	View: lazy(() => import("./inbox-page.tsx")),
	useCount: useInboxCount,
};
