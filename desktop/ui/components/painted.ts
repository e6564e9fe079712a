/** A hidden window paints nothing. */
const longestMs = 100;

/** Resolves once what was just drawn has been painted: what nobody waits for is done then. */
export function painted(): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, longestMs);
		requestAnimationFrame(() => {
			clearTimeout(timer);
			setTimeout(resolve);
		});
	});
}
