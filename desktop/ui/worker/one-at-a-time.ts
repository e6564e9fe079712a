/** Returns a function that runs some work on request, never twice at once. Failed work runs again at the next request. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	return () => {
		running ??= work()
			.catch(console.error)
			.finally(() => {
				running = undefined;
			});
		return running;
	};
}
