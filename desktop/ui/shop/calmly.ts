/** The frame that shows what came of a tap is drawn by then. */
const soonMs = 50;

/**
 * Tells a moment after a change, once for all changes until then: what they are looked up for waits for what is being drawn.
 *
 * @param everyMs the least time between two
 */
export function calmly(tell: () => void, everyMs: number): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let toldAt = Number.NEGATIVE_INFINITY;
	return () => {
		if (timer !== undefined) return;
		const waitMs = Math.max(soonMs, toldAt + everyMs - performance.now());
		timer = setTimeout(() => {
			timer = undefined;
			toldAt = performance.now();
			tell();
		}, waitMs);
	};
}
