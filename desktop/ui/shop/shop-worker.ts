declare global {
	/** What start-worker.js has started for the first shop. */
	var shopWorker: Worker | undefined;
}

/** Returns the worker that was started with the page, or else a new one. */
export function takeWorker(): Worker {
	const started = globalThis.shopWorker;
	globalThis.shopWorker = undefined;
	return (
		started ??
		new Worker(new URL("../worker/worker.ts", import.meta.url), {
			type: "module",
			name: "shop",
		})
	);
}
