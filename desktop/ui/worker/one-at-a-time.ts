/** Does some work whenever it is asked for, but never beside itself. What fails is done again the next time. */
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
