import { Worker } from "node:worker_threads";
import { HttpError } from "../http/http-error.ts";

/** bcrypt silently ignores bytes beyond this. */
const bytesMax = 72;

/** The bcrypt cost; a hash takes a quarter of a second. */
const defaultCost = 12;

/** A hash of an unknown password, compared when there is no account so that the time is the same. */
const dummyHash =
	"$2b$12$m/WdhtadBioM6Y7Rbl3vp.R3nuEpC4SCF0.hbDlRGdbsA61h73VXm";

/** A hash of bcrypt's lowest cost, which takes a millisecond to compare. */
const quickHash =
	"$2b$04$MPjzUqP5aL/sPdJP8e5IbuGT95njR5OrMoRkugHL6AeYv8E8FQ9wa";

/** Normalizes Unicode, because keyboards compose the same letters differently. */
function normalPassword(password: string): string {
	return password.normalize("NFC");
}

export function isTooLong(password: string): boolean {
	return Buffer.byteLength(normalPassword(password)) > bytesMax;
}

/** False for ill-formed text and for NUL: bcrypt repeats a password with NULs between, and so takes `x\0x` for `x`. */
export function isText(password: string): boolean {
	return password.isWellFormed() && !password.includes("\0");
}

export interface Passwords {
	/** Hashes a password with bcrypt. */
	hash(password: string): Promise<string>;
	/** Compares a password. Without a hash, or for an invalid password, it returns false after the same time. */
	matches(password: string, hash: string | null | undefined): Promise<boolean>;
	/** Resolves when the thread's packages are loaded, because `npm ci` removes them under a running server. */
	start(): Promise<void>;
	close(): Promise<void>;
}

/** A password to hash, or to compare with `hash`. */
export type Job = { id: number; password: string; hash?: string | undefined };
type Done = { id: number } & ({ result: string | boolean } | { error: Error });

/** Separate queues for sign-ins and new passwords, so that a flood of registrations doesn't block sign-ins. */
const lanes = {
	compare: { max: 64, refusal: "Too many sign-ins at once, try again soon" },
	hash: { max: 32, refusal: "Too many new passwords at once, try again soon" },
};
type Lane = keyof typeof lanes;

interface QueuedJob extends PromiseWithResolvers<string | boolean> {
	job: Job;
}

/**
 * Hashes passwords in a worker thread, so that a hash of a quarter of a second doesn't block sales. The thread starts with
 * the first password, since most commands need none, or with `start`. The two queues take turns.
 *
 * @param cost bcrypt's cost; each step doubles the time
 */
export function openPasswords({ cost = defaultCost } = {}): Passwords {
	const dummy = dummyHash.replace(
		`$${defaultCost}$`,
		`$${String(cost).padStart(2, "0")}$`,
	);
	const waiting: Record<Lane, QueuedJob[]> = { compare: [], hash: [] };
	let running: (QueuedJob & { lane: Lane }) | undefined;
	let turn: Lane = "compare";
	let last = 0;
	let worker: Worker | undefined;

	function start(): Worker {
		const started = new Worker(
			new URL("./password-worker.js", import.meta.url),
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
			// A new thread may have replaced it already.
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
			// The thread keeps the process alive only while it has jobs.
			worker?.unref();
			return;
		}
		running = { ...found, lane };
		turn = lane === "hash" ? "compare" : "hash";
		// A thread that has ended has the id -1; a new sign-in must not wait for it.
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
		if (before >= max)
			return Promise.reject(new HttpError(503, refusal, { code: "too_busy" }));
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
