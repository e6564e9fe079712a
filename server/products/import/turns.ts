let last: Promise<unknown> = Promise.resolve();

/** Does one import's work at a time: each takes a share of the server, and together they would take all of it. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
	const result = last.then(work);
	// Whoever asked for an import hears of its failure.
	last = result.catch(() => {});
	return result;
}
