import { setTimeout as sleep } from "node:timers/promises";
import { readSettings } from "../../../settings.ts";
import { startServer } from "../../../start.ts";

/** Memory of a process started with `--expose-gc`, in bytes. */
export interface Memory {
	heap: number;
	rss: number;
}

const { url } = await startServer(readSettings(process.env));
process.on("message", async () => {
	// Cleanup runs shortly after an answer, and finalizers create more garbage.
	for (let i = 0; i < 3; i += 1) {
		await sleep(50);
		globalThis.gc?.();
	}
	const { heapUsed, external, rss } = process.memoryUsage();
	process.send?.({ heap: heapUsed + external, rss } satisfies Memory);
});
process.send?.({ url });
