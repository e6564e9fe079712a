import { Badge, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import { useShop } from "../session.tsx";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Shows this till's sync state on every page. */
export function SyncBadge() {
	const { say } = useWords();
	const { isEnded } = useShop();
	const { isOnline, pending, rejected, paused } = usePageStatus();
	// An ended session shows as "Signed out"; the notice above each page says what to do.
	const attention = rejected.length + Number(paused !== null && !isEnded);
	const color = attention > 0 ? "red" : isOnline && !isEnded ? "leaf" : "gray";
	const standing = isEnded
		? say("sync.paused")
		: isOnline === null
			? say("sync.connecting")
			: say(isOnline ? "sync.online" : "sync.offline");
	const more =
		attention > 0
			? say("sync.attention", { count: attention })
			: pending > 0
				? say("sync.waiting", { count: pending })
				: "";
	return (
		<UnstyledButton component={Link} href="/sync" className="touch sync">
			<Badge
				size="lg"
				variant={(isOnline && !isEnded) || attention > 0 ? "filled" : "outline"}
				color={color}
				tt="none"
				role="status"
				aria-label={[standing, more].filter(Boolean).join(", ")}
			>
				<span className="only-wide">{more || standing}</span>
				<span className="only-narrow">{attention || pending || "●"}</span>
			</Badge>
		</UnstyledButton>
	);
}
