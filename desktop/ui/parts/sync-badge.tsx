import { Badge, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import { useTill } from "../local/till.ts";
import { useLocal, useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

/** How this till stands to the server, always in sight. */
export function SyncBadge() {
	const { say } = useWords();
	const { sync } = useLocal();
	const { isEnded } = useShop();
	const till = useTill();
	// A till's window is always in step with the till: what matters is how that stands to the shop's server.
	const isTill = till?.mode === "joined";
	const isOnline = isTill ? (till.isOnline ?? undefined) : sync.isOnline;
	const pending = sync.pending + (isTill ? till.pending : 0);
	const attention =
		sync.rejected.length +
		(isTill ? till.rejected.length + Number(till.paused !== null) : 0);
	const color = attention > 0 ? "red" : isOnline && !isEnded ? "leaf" : "gray";
	const standing = isEnded
		? say("sync.paused")
		: isOnline === undefined
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
