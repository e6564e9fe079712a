import { setTimeout as sleep } from "node:timers/promises";
import { makeSale, type Sale } from "./bench-sales.ts";

/**
 * A sync server that `npm run bench -- peers` measures. Its program is started three times: as `server DATA_DIR`,
 * `push ADDRESS NOTES_DIR COUNT` and `pull ADDRESS NOTES_DIR COUNT [WAIT_MS]`. The two clients share the notes folder, for
 * example for an account or a document's address.
 */
interface Contender {
	/** @returns the address that the server listens on, with its port */
	serve(dataDir: string): Promise<string>;
	/** Creates a client that holds the sales and has not connected yet. */
	preparePush(client: Client, sales: Sale[]): Promise<Push>;
	/** Creates an empty client. */
	preparePull(client: Client): Promise<Pull>;
}

export interface Client {
	url: string;
	notesDir: string;
}

/** Resolves when the server has acknowledged all sales. */
type Push = () => Promise<void>;
interface Pull {
	/** Resolves when the client has all pushed sales. */
	run(wanted: number): Promise<void>;
	/** The number of sales the client has. */
	count(): number | Promise<number>;
}

export interface Timed {
	/** The start time in milliseconds since 1970. */
	startedAt: number;
	ms: number;
	/** The number of sales the client has afterwards. */
	count: number;
}

export async function runContender(contender: Contender): Promise<void> {
	const [role, place = "", notesDir = "", count = "0", waitMs] =
		process.argv.slice(2);
	if (role === "server") {
		console.log(`Here: ${await contender.serve(place)}`);
		return;
	}
	const client = { url: place, notesDir };
	const timed =
		role === "push"
			? await timePush(contender, client, Number(count))
			: await timePull(contender, client, Number(count), waitMs);
	console.log(JSON.stringify(timed));
	// Open sockets and timers of a finished client must not keep the process alive.
	process.exit();
}

async function timePush(
	contender: Contender,
	client: Client,
	count: number,
): Promise<Timed> {
	const sales = Array.from({ length: count }, (_, n) => makeSale(n));
	const push = await contender.preparePush(client, sales);
	const startedAt = Date.now();
	const begun = performance.now();
	await push();
	return { startedAt, ms: performance.now() - begun, count };
}

/** @param waitMs how long to wait for sales that may be lost */
async function timePull(
	contender: Contender,
	client: Client,
	wanted: number,
	waitMs: string | undefined,
): Promise<Timed> {
	const pull = await contender.preparePull(client);
	const startedAt = Date.now();
	const begun = performance.now();
	const all = pull.run(wanted);
	if (waitMs === undefined) await all;
	else await Promise.race([all.catch(console.error), sleep(Number(waitMs))]);
	const ms = performance.now() - begun;
	return { startedAt, ms, count: await pull.count() };
}
