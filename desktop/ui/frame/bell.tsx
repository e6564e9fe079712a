import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Bell as BellIcon } from "lucide-react";
import { lazy, Suspense } from "react";
import { ask } from "../api.ts";
import { IconButton } from "../components/button.tsx";
import {
	type Notification,
	notificationsKey,
} from "../notifications/notification.ts";
import { useWords } from "../words/index.ts";

const NotificationsSheet = lazy(
	() => import("../notifications/notifications-sheet.tsx"),
);

/** Opens this user's notifications, and shows the number of unread ones. */
export function Bell() {
	const { say } = useWords();
	const { data } = useQuery({
		queryKey: notificationsKey,
		queryFn: () =>
			ask<{ notifications: Notification[] }>("GET", "/api/notifications"),
		refetchInterval: 60_000,
	});
	const all = data?.notifications ?? [];
	const unread = all.filter(({ read }) => !read).length;
	const [isOpen, { open, close }] = useDisclosure();
	return (
		<>
			<IconButton
				label={
					unread > 0 ? say("bell.unread", { count: unread }) : say("bell.title")
				}
				className="bell"
				aria-haspopup="dialog"
				onClick={open}
			>
				<BellIcon size={20} aria-hidden />
				{unread > 0 && <span className="rail-count">{unread}</span>}
			</IconButton>
			{isOpen && (
				<Suspense>
					<NotificationsSheet notifications={all} onClose={close} />
				</Suspense>
			)}
		</>
	);
}
