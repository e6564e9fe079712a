/** Preloaded into a measured server: writes its event-loop delay and memory each second. */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_GAUGE_FILE;
if (file === undefined) throw new Error("LOOP_GAUGE_FILE is not set");
// The server's workers preload it too.
if (isMainThread) {
	const delay = monitorEventLoopDelay({ resolution: 10 });
	delay.enable();
	const timer = setInterval(() => {
		const { heapUsed, external, rss } = process.memoryUsage();
		const [p99, max] = [delay.percentile(99) / 1e6, delay.max / 1e6];
		const at = Date.now();
		appendFileSync(
			file,
			`${JSON.stringify({ at, p99, max, rss, heapUsed, external })}\n`,
		);
		delay.reset();
	}, 1_000);
	timer.unref();
}
