import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { Readable } from "node:stream";
import { reportFailure } from "../exit.ts";
import { openProgram } from "../program.ts";

/*
 * A process that runs one command after another, each with its own environment, input and output. Loading all commands for
 * each takes twenty times as long as running one.
 */

/** A command to run. */
export interface Order {
	args: string[];
	env: NodeJS.ProcessEnv;
	input: string;
}

/** A command's output and exit code. */
export interface Ended {
	status: number | null;
	out: string;
	err: string;
}

type Chunk = string | Uint8Array;
type OnWritten = (error?: Error | null) => void;

/** Captures a stream of this process. @returns a function that returns the text written so far */
function capture(stream: NodeJS.WriteStream): () => string {
	const chunks: Buffer[] = [];
	stream.write = (
		chunk: Chunk,
		...rest: (string | OnWritten | undefined)[]
	) => {
		chunks.push(Buffer.from(chunk as string));
		const onWritten = rest.find((one) => typeof one === "function");
		if (onWritten) process.nextTick(onWritten);
		return true;
	};
	return () => Buffer.concat(chunks).toString();
}

async function run({ args, env, input }: Order): Promise<Ended> {
	for (const name of Object.keys(process.env)) delete process.env[name];
	Object.assign(process.env, env);
	Object.defineProperty(process, "stdin", {
		value: Readable.from([Buffer.from(input)]),
		configurable: true,
	});
	const out = capture(process.stdout);
	const err = capture(process.stderr);
	process.exitCode = 0;
	try {
		await openProgram().parseAsync(args, { from: "user" });
	} catch (error) {
		process.exitCode = reportFailure(error);
	}
	const status = Number(process.exitCode);
	process.exitCode = 0;
	return { status, out: out(), err: err() };
}

// A process can't raise its priority again: the commands after a backup would starve on a busy machine.
Object.assign(os, { setPriority() {} });
syncBuiltinESMExports();

process.on("message", async (order: Order) => {
	process.send?.(await run(order));
});
process.on("disconnect", () => process.exit());
