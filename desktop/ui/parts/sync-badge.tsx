import { Badge } from "@mantine/core";
import { Link } from "wouter";
import { useLocal } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** How this till stands to the server, always in sight. */
export function SyncBadge() {
	const { say } = useWords();
	const { isOnline, pending, rejected } = useLocal().sync;
	const color = rejected.length > 0 ? "red" : isOnline ? "leaf" : "gray";
	const standing =
		isOnline === undefined
			? say("sync.connecting")
			: say(isOnline ? "sync.online" : "sync.offline");
	const more =
		rejected.length > 0
			? say("sync.attention", { count: rejected.length })
			: pending > 0
				? say("sync.waiting", { count: pending })
				: "";
	return (
		<Badge
			component={Link}
			href="/sync"
			size="lg"
			variant={isOnline || rejected.length > 0 ? "filled" : "outline"}
			color={color}
			tt="none"
			flex="none"
			role="status"
			aria-label={[standing, more].filter(Boolean).join(", ")}
		>
			{more || standing}
		</Badge>
	);
}
