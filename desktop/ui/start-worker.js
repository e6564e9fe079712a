// Starts the shop's worker while the page itself still loads: on the way to the first sale the worker's way is the longer one.
const { place, session } = document.documentElement.dataset;
// A desktop till's window has its shop in another process, and a page without a session has none yet.
if (place !== "till" && session !== "none") {
	const worker = new Worker("__WORKER__", { type: "module", name: "shop" });
	// One that can't be loaded is loaded again by the page, which says so.
	worker.onerror = (event) => {
		if (!(event instanceof ErrorEvent)) delete globalThis.shopWorker;
	};
	globalThis.shopWorker = worker;
}
