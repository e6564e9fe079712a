// Plain JavaScript, because a thread that has to strip types takes 16 MB more as long as it lives.
import { parentPort, workerData } from "node:worker_threads";
import bcrypt from "bcryptjs";

/** @import { Job } from "./passwords.ts" */

/** @type {{ cost: number }} */
const { cost } = workerData;

parentPort?.on("message", (/** @type {Job} */ { id, password, hash }) => {
	parentPort?.postMessage({ id, ...work(password, hash) });
});

/**
 * An invalid stored hash fails only its own sign-in, not the thread that all others need.
 *
 * @param {string} password
 * @param {string | undefined} hash
 * @returns {{ result: string | boolean } | { error: Error }}
 */
function work(password, hash) {
	try {
		const result =
			hash === undefined
				? bcrypt.hashSync(password, cost)
				: bcrypt.compareSync(password, hash);
		return { result };
	} catch (cause) {
		// Replace bcrypt's message, which quotes the hash.
		const error = new Error("The stored password can't be compared", { cause });
		return { error };
	}
}
