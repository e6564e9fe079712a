import { setTimeout as sleep } from "node:timers/promises";
import { makeSale, type Sale } from "./bench-sales.ts";

/**
 * One of those that `npm run bench -- peers` measures side by side. Each is a program of its own that is started three
 * times: `server DATA_DIR`, `push ADDRESS NOTES_DIR COUNT` and `pull ADDRESS NOTES_DIR COUNT [WAIT_MS]`. The two clients share a
 * folder for what the second must know of the first, such as an address or an account.
 */
interface Contender {
	/** @returns the address to listen at, with its port */
	serve(dataDir: string): Promise<string>;
	/** Makes a client that holds the sales, and has not met the server yet. */
	preparePush(client: Client, sales: Sale[]): Promise<Push>;
	/** Makes a client that holds nothing. */
	preparePull(client: Client): Promise<Pull>;
}

export interface Client {
	url: string;
	notesDir: string;
}

/** Runs until the server has said that it has all. */
type Push = () => Promise<void>;
interface Pull {
	/** Runs until the client holds all that was pushed. */
	run(wanted: number): Promise<void>;
	/** How many sales it holds. */
	count(): number | Promise<number>;
}

export interface Timed {
	/** When the work began, in milliseconds since 1970. */
	startedAt: number;
	ms: number;
	/** What the client holds afterwards. */
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
	// Open sockets and timers of a client that has done its work are no reason to stay.
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

/** @param waitMs how long it is waited for what may never come */
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
