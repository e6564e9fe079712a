import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/*
 * A shop that sells all the time, in a thread of its own, so that nothing but the server makes it wait. It answers each
 * message with the longest wait of a sale since the one before, in milliseconds.
 */
const { url, token } = workerData as { url: string; token: string };
const pauseMs = 5;
let longest = 0;
let begun: number | undefined;

parentPort?.on("message", () => {
	// A sale that is still waiting has waited so long already.
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

/** @returns false where it has to be sent again, as a till does; the cashier waits on */
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
		// A server that could not answer for long closes what it thinks is idle.
		if (error instanceof TypeError) return false;
		throw error;
	}
}
