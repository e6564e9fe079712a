import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** What a thread may take. */
interface Bounds {
	timeMs: number;
	heapMb: number;
	/** What the process may grow by meanwhile: a thread's limit is not for what it unpacks. */
	growthBytes: number;
}

const checkMs = 100;

/**
 * Runs a program in a thread with bounds, since a file can take any time and memory.
 *
 * The program gets an empty message for each of its messages but the last, in a later turn of the event loop. It must
 * wait for that before it sends more: Node.js takes all messages that have arrived in one turn, however long that is.
 *
 * @param onMessage gets the thread's messages, until it returns true
 * @returns why it ended: done, beyond its bounds, or broken
 */
export async function runBounded<Message>(
	program: URL,
	workerData: object,
	{ timeMs, heapMb, growthBytes }: Bounds,
	onMessage: (message: Message) => boolean,
): Promise<"done" | "beyond" | "broken"> {
	const worker = new Worker(program, {
		workerData,
		resourceLimits: { maxOldGenerationSizeMb: heapMb },
		// What a broken file makes a reader say is of no use to an operator.
		...{ stdout: true, stderr: true },
	});
	const ends = performance.now() + timeMs;
	const before = process.memoryUsage.rss();
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise((resolve) => {
			timer = setInterval(() => {
				const growth = process.memoryUsage.rss() - before;
				if (growth > growthBytes || performance.now() > ends) resolve("beyond");
			}, checkMs);
			worker.on("message", async (message: Message) => {
				if (onMessage(message)) return resolve("done");
				await nextTurn();
				worker.postMessage("");
			});
			worker.once("error", ({ code }: NodeJS.ErrnoException) =>
				resolve(code === "ERR_WORKER_OUT_OF_MEMORY" ? "beyond" : "broken"),
			);
			worker.once("exit", () => resolve("broken"));
		});
	} finally {
		clearInterval(timer);
		await worker.terminate();
	}
}
