let last: Promise<unknown> = Promise.resolve();

/** Runs one import at a time: together, several would take all of the server. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
	const result = last.then(work);
	// The caller gets the failure; the next import must still run.
	last = result.catch(() => {});
	return result;
}
