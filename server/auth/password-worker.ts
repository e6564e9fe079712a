import { parentPort } from "node:worker_threads";
import bcrypt from "bcryptjs";
import type { Done, Job } from "./passwords.ts";

const cost = 12;

parentPort?.on("message", ({ id, password, hash }: Job) => {
	const result =
		hash === undefined
			? bcrypt.hashSync(password, cost)
			: bcrypt.compareSync(password, hash);
	parentPort?.postMessage({ id, result } satisfies Done);
});
