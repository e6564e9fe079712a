import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/*
 * A shop that sells continuously in a worker thread, so that only the server can make it wait. It answers each message with
 * the longest wait of a sale since the previous message, in milliseconds.
 */
const { url, token } = workerData as { url: string; token: string };
const pauseMs = 5;
let longest = 0;
let begun: number | undefined;

parentPort?.on("message", () => {
	// Count the wait so far of a sale in flight.
	const underWay = begun === undefined ? 0 : performance.now() - begun;
	parentPort?.postMessage(Math.max(longest, underWay));
	longest = 0;
});

for (;;) {
	begun = performance.now();
	while (!(await isSold()));
	longest = Math.max(longest, performance.now() - begun);
	begun = undefined;
	await sleep(pauseMs);
}

/** @returns false if the sale must be sent again, while the cashier keeps waiting */
async function isSold(): Promise<boolean> {
	try {
		const response = await fetch(new URL("/api/sales", url), {
			method: "POST",
			headers: {
				authorization: `Bearer ${token}`,
				"content-type": "application/json",
			},
			body: JSON.stringify({
				items: [{ name: "Milk", quantity: 1, price: 50, cost: 40 }],
			}),
		});
		await response.arrayBuffer();
		return response.status === 201;
	} catch (error) {
		// A server that was blocked for long closes connections that it believes idle.
		if (error instanceof TypeError) return false;
		throw error;
	}
}
