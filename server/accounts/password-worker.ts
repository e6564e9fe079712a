import { parentPort, workerData } from "node:worker_threads";
import bcrypt from "bcryptjs";
import type { Done, Job } from "./passwords.ts";

const { cost } = workerData as { cost: number };

parentPort?.on("message", ({ id, password, hash }: Job) => {
	parentPort?.postMessage({ id, ...work(password, hash) } satisfies Done);
});

/** An invalid stored hash fails only its own sign-in, not the thread that all others need. */
function work(password: string, hash: string | undefined) {
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
