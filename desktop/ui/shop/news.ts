/** While many rows arrive, a page reads them again at most this often. */
const gatherMs = 150;
/** So long a sale has the page to itself, until it is shown. */
const aloneMs = 80;
/** After a sale the next one may follow at once, and must not wait for what is read again. */
const afterSaleMs = 400;
/** What a page shows is no older than this and one sale, however quickly somebody sells. */
const latestMs = 1_000;

/** Tells a page that the shop's rows or its state have changed, when that keeps nobody waiting. */
interface News {
	changed(): void;
	/** A sale begins, or ends. */
	selling(): void;
	stop(): void;
}

/** @param tell called once for all changes since it was last called */
export function openNews(tell: () => void): News {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let changedAt = 0;
	let toldAt = Number.NEGATIVE_INFINITY;
	let soldAt = Number.NEGATIVE_INFINITY;

	function look(): void {
		const dueAt = Math.max(
			toldAt + gatherMs,
			soldAt + aloneMs,
			Math.min(soldAt + afterSaleMs, changedAt + latestMs),
		);
		const waitMs = dueAt - performance.now();
		if (waitMs > 0) {
			timer = setTimeout(look, waitMs);
			return;
		}
		timer = undefined;
		toldAt = performance.now();
		tell();
	}

	return {
		changed() {
			if (timer !== undefined) return;
			changedAt = performance.now();
			look();
		},
		selling() {
			soldAt = performance.now();
		},
		stop: () => clearTimeout(timer),
	};
}
