import { Worker } from "node:worker_threads";
import { HttpError } from "../errors.ts";

/** bcrypt reads no further than this: a longer password would be cut in silence. */
const bytesMax = 72;
const waitingMax = 64;

/** The hash of nothing that anybody knows, compared where there is no account, so that it takes as long. */
const dummyHash =
	"$2b$12$m/WdhtadBioM6Y7Rbl3vp.R3nuEpC4SCF0.hbDlRGdbsA61h73VXm";

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
	/** bcrypt at cost 12. */
	hash(password: string): Promise<string>;
	/** One comparison, also where there is no hash, and of what is no password: then it fails after the same time. */
	matches(password: string, hash: string | null | undefined): Promise<boolean>;
	close(): Promise<void>;
}

/** A password to hash, or to compare with a hash. */
export type Job = { id: number; password: string; hash?: string | undefined };
export type Done = { id: number } & (
	| { result: string | boolean }
	| { error: Error }
);

/** Hashes in a thread of its own: a quarter of a second of arithmetic must not hold up a sale. */
export function openPasswords(): Passwords {
	const waiting = new Map<number, PromiseWithResolvers<string | boolean>>();
	let last = 0;
	let worker = start();

	function start(): Worker {
		const started = new Worker(
			new URL("./password-worker.ts", import.meta.url),
		);
		// Only work keeps the process alive.
		started.unref();
		started.on("message", ({ id, ...done }: Done) => {
			const job = waiting.get(id);
			waiting.delete(id);
			if (waiting.size === 0) started.unref();
			if ("error" in done) job?.reject(done.error);
			else job?.resolve(done.result);
		});
		started.on("error", fail);
		started.on("exit", () => fail(new Error("The password thread has ended")));
		return started;
	}

	function fail(error: unknown): void {
		for (const { reject } of waiting.values()) reject(error);
		waiting.clear();
	}

	function send(password: string, hash?: string): Promise<string | boolean> {
		if (waiting.size >= waitingMax)
			return Promise.reject(
				new HttpError(503, "Too many sign-ins at once, try again soon"),
			);
		// A thread that has ended has no id any more; the next sign-in must not wait for it.
		if (worker.threadId === -1) worker = start();
		worker.ref();
		last += 1;
		const job = Promise.withResolvers<string | boolean>();
		waiting.set(last, job);
		worker.postMessage({
			id: last,
			password: normalPassword(password),
			hash,
		} satisfies Job);
		return job.promise;
	}

	return {
		hash: async (password) => String(await send(password)),
		async matches(password, hash) {
			const isHash = hash?.length === dummyHash.length;
			const isFit = isText(password) && !isTooLong(password);
			const same = await send(isFit ? password : "", isHash ? hash : dummyHash);
			return same === true && isHash && isFit;
		},
		async close() {
			await worker.terminate();
		},
	};
}
