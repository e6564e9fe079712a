import { Link } from "wouter";
import { useShop } from "../session.tsx";
import { usePageStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** Shows this till's sync state on every page: a quiet dot while all is sent, a stub of carbon paper while offline. */
export function SyncBadge() {
	const { say } = useWords();
	const { isEnded } = useShop();
	const { isOnline, pending, rejected, paused } = usePageStatus();
	// An ended session shows as "Signed out"; the notice above each page says what to do.
	const attention = rejected.length + Number(paused !== null && !isEnded);
	const isSending = isOnline === true && !isEnded;
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
	const look =
		attention > 0 ? "attention" : isOnline === false ? "offline" : "quiet";
	const count = attention || pending;
	return (
		<Link href="/sync" className={`standing standing-${look}`}>
			<span
				role="status"
				aria-label={[standing, more].filter(Boolean).join(", ")}
				title={more || standing}
			>
				{count > 0 ? (
					<b>{count}</b>
				) : (
					isSending && <span className="dot" aria-hidden />
				)}
				{(look !== "attention" || count === 0) && standing}
			</span>
		</Link>
	);
}
