import { Worker } from "node:worker_threads";
import { HttpError } from "../http/http-error.ts";

/** bcrypt reads no further than this: a longer password would be cut in silence. */
const bytesMax = 72;

/** A quarter of a second for each password. */
const defaultCost = 12;

/** The hash of nothing that anybody knows, compared where there is no account, so that it takes as long. */
const dummyHash =
	"$2b$12$m/WdhtadBioM6Y7Rbl3vp.R3nuEpC4SCF0.hbDlRGdbsA61h73VXm";

/** Of bcrypt's lowest cost: comparing it takes a millisecond. */
const quickHash =
	"$2b$04$MPjzUqP5aL/sPdJP8e5IbuGT95njR5OrMoRkugHL6AeYv8E8FQ9wa";

/** In the form in which it is hashed and compared, whichever way a keyboard puts its letters together. */
function normalPassword(password: string): string {
	return password.normalize("NFC");
}

export function isTooLong(password: string): boolean {
	return Buffer.byteLength(normalPassword(password)) > bytesMax;
}

/** False for what is no text, and for NUL: bcrypt goes around a password with it between, and takes `x\0x` for `x`. */
export function isText(password: string): boolean {
	return password.isWellFormed() && !password.includes("\0");
}

export interface Passwords {
	/** bcrypt, at the cost that it was opened with. */
	hash(password: string): Promise<string>;
	/** One comparison, also where there is no hash, and of what is no password: then it fails after the same time. */
	matches(password: string, hash: string | null | undefined): Promise<boolean>;
	/** Waits until all packages are loaded: `npm ci` removes them under a server that runs. */
	start(): Promise<void>;
	close(): Promise<void>;
}

/** A password to hash, or to compare with a hash. */
export type Job = { id: number; password: string; hash?: string | undefined };
export type Done = { id: number } & (
	| { result: string | boolean }
	| { error: Error }
);

/** What waits for the thread: who signs in, and new passwords, so that a flood of registrations keeps nobody out. */
const lanes = {
	compare: { max: 64, refusal: "Too many sign-ins at once, try again soon" },
	hash: { max: 32, refusal: "Too many new passwords at once, try again soon" },
};
type Lane = keyof typeof lanes;

interface Waiting extends PromiseWithResolvers<string | boolean> {
	job: Job;
}

/**
 * Hashes in a thread of its own: a quarter of a second of arithmetic must not hold up a sale. It begins with the first
 * password, as most commands have none, or with `start`. The two lanes take turns.
 *
 * @param cost bcrypt's: each one more takes twice as long
 */
export function openPasswords({ cost = defaultCost } = {}): Passwords {
	const dummy = dummyHash.replace(
		`$${defaultCost}$`,
		`$${String(cost).padStart(2, "0")}$`,
	);
	const waiting: Record<Lane, Waiting[]> = { compare: [], hash: [] };
	let running: (Waiting & { lane: Lane }) | undefined;
	let turn: Lane = "compare";
	let last = 0;
	let worker: Worker | undefined;

	function start(): Worker {
		const started = new Worker(
			new URL("./password-worker.ts", import.meta.url),
			{ workerData: { cost } },
		);
		started.on("message", ({ id, ...done }: Done) => {
			if (running?.job.id !== id) return;
			const { resolve, reject } = running;
			running = undefined;
			next();
			if ("error" in done) reject(done.error);
			else resolve(done.result);
		});
		started.on("error", fail);
		started.on("exit", () => {
			// Another may have taken its place already.
			if (worker === started) fail(new Error("The password thread has ended"));
		});
		return started;
	}

	function fail(error: unknown): void {
		const failed = [...waiting.compare, ...waiting.hash];
		if (running) failed.push(running);
		running = undefined;
		waiting.compare = [];
		waiting.hash = [];
		for (const { reject } of failed) reject(error);
	}

	function next(): void {
		if (running) return;
		const lane =
			waiting[turn].length > 0 ? turn : turn === "hash" ? "compare" : "hash";
		const found = waiting[lane].shift();
		if (!found) {
			// Only work keeps the process alive.
			worker?.unref();
			return;
		}
		running = { ...found, lane };
		turn = lane === "hash" ? "compare" : "hash";
		// A thread that has ended has no id any more; the next sign-in must not wait for it.
		if (worker === undefined || worker.threadId === -1) worker = start();
		worker.ref();
		worker.postMessage(found.job);
	}

	function send(
		lane: Lane,
		password: string,
		hash?: string,
	): Promise<string | boolean> {
		const { max, refusal } = lanes[lane];
		const before = waiting[lane].length + (running?.lane === lane ? 1 : 0);
		if (before >= max) return Promise.reject(new HttpError(503, refusal));
		last += 1;
		const job = { id: last, password: normalPassword(password), hash };
		const one = { job, ...Promise.withResolvers<string | boolean>() };
		waiting[lane].push(one);
		next();
		return one.promise;
	}

	return {
		hash: async (password) => String(await send("hash", password)),
		async matches(password, hash) {
			const isHash = hash?.length === dummy.length;
			const isFit = isText(password) && !isTooLong(password);
			const same = await send(
				"compare",
				isFit ? password : "",
				isHash ? hash : dummy,
			);
			return same === true && isHash && isFit;
		},
		async start() {
			await send("compare", "", quickHash);
		},
		async close() {
			await worker?.terminate();
		},
	};
}
