import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Answer, WorkerRequest } from "./mutant-messages.ts";

/** A child process that tries mutants. */
export interface Worker {
	ask(asked: WorkerRequest): void;
	listen(onAnswer: (answer: Answer) => void, onExit: () => void): void;
	end(): void;
	/** Processor time used so far; undefined if the system doesn't report it. */
	usedMs(): number | undefined;
}

/** Linux's clock ticks. */
const tickMs = 10;
const program = new URL("./mutant-worker.ts", import.meta.url);

export async function openWorker(): Promise<Worker> {
	const child: ChildProcess = fork(program, {
		execArgv: ["--disable-warning=ExperimentalWarning"],
		stdio: [
			"ignore",
			"ignore",
			process.env.MUTANTS_DEBUG ? "inherit" : "ignore",
			"ipc",
		],
	});
	let onAnswer: (answer: Answer) => void = () => {};
	let onExit = () => {};
	const ready = Promise.withResolvers<void>();
	child.on("message", (answer: Answer) => {
		if (answer.kind === "ready") ready.resolve();
		else onAnswer(answer);
	});
	child.on("exit", () => {
		ready.reject(new Error("A worker did not start"));
		onExit();
	});
	await ready.promise;
	return {
		ask: (asked) => void child.send(asked),
		listen(answered, exited) {
			onAnswer = answered;
			onExit = exited;
		},
		usedMs() {
			try {
				const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
				const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
				return (Number(fields[11]) + Number(fields[12])) * tickMs;
			} catch {
				return undefined;
			}
		},
		end() {
			onExit = () => {};
			child.kill("SIGKILL");
		},
	};
}
