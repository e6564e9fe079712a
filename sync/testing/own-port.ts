import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems hand out. */
const lowest = 20_000;
const count = 12_000;

/** Far from where the other processes of a test run begin. */
let last = process.pid * 101;

/**
 * Returns a free port for a server that is stopped and started again at its address: no other test's server gets it
 * meanwhile.
 */
export async function ownPort(): Promise<number> {
	for (;;) {
		last += 1;
		const port = lowest + (last % count);
		if (await isFree(port)) return port;
	}
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port);
	try {
		await once(server, "listening");
	} catch {
		return false;
	}
	server.close();
	await once(server, "close");
	return true;
}
