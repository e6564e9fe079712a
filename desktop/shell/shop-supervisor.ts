import { randomBytes } from "node:crypto";
import type { UtilityProcess } from "electron";
import type { Logger } from "pino";
import type { ShopCommand, ShopReport } from "../shop/shop-process.ts";

/** How long the shop may take to end; its server gives requests in flight ten seconds. */
const stopMs = 12_000;
/** Waits before restarts; the last one repeats. */
const retryMs = [0, 1_000, 3_000, 10_000, 30_000];
/** A shop that ran this long didn't fail at its start. */
const healthyMs = 60_000;

/** The shop's address, and the secret that it requires. */
export interface ShopAddress {
	/** `http://127.0.0.1:49152` */
	origin: string;
	secret: string;
}

export interface ShopSupervisor {
	/** Undefined while no shop is running: another program may have its port and must not get the secret. */
	address(): ShopAddress | undefined;
	stop(): Promise<void>;
}

interface ShopSupervisorOptions {
	/** Starts the process, which waits for commands. */
	fork(): UtilityProcess;
	readToken(): string | undefined;
	/** The last port: the window's storage belongs to that address. */
	readPort(): number | undefined;
	onToken(token: string): void;
	onStarted(door: ShopAddress): void;
	/** Called if a restart fails, with a message for a person. */
	onTrouble(reason: string): void;
	log: Logger;
	delaysMs?: readonly number[];
}

/** Keeps a shop running: restarts a crashed one with a new secret, for as long as it takes. */
export function superviseShop({
	fork,
	readToken,
	readPort,
	onToken,
	onStarted,
	onTrouble,
	log,
	delaysMs = retryMs,
}: ShopSupervisorOptions): ShopSupervisor {
	let child: UtilityProcess | undefined;
	let door: ShopAddress | undefined;
	let failures = 0;
	let isStopping = false;
	let again: NodeJS.Timeout | undefined;
	start();

	function start(): void {
		const secret = randomBytes(32).toString("base64url");
		const started = fork();
		let healthy: NodeJS.Timeout | undefined;
		let problem: string | undefined;
		child = started;
		started.once("spawn", () =>
			give(started, {
				kind: "start",
				secret,
				token: readToken(),
				port: readPort(),
			}),
		);
		started.on("message", (message) => {
			const report = message as ShopReport;
			if (report.kind === "token") onToken(report.token);
			else if (report.kind === "failed") {
				problem = report.message;
				started.kill();
			} else {
				// By number: another program might answer first under the name `localhost`.
				const origin = `http://127.0.0.1:${new URL(report.url).port}`;
				door = { origin, secret };
				healthy = setTimeout(() => {
					failures = 0;
				}, healthyMs);
				onStarted(door);
			}
		});
		started.once("exit", (code) => {
			clearTimeout(healthy);
			const wasOpen = door !== undefined;
			door = undefined;
			child = undefined;
			if (isStopping) return;
			const reason = problem ?? `It ended with status ${code}.`;
			log.error({ reason, failures }, "The shop's process has ended");
			const delay = delaysMs[Math.min(failures, delaysMs.length - 1)];
			failures += 1;
			// The page works without it for a moment; the shop is back before anyone notices.
			if (!wasOpen || failures > 1) onTrouble(reason);
			again = setTimeout(start, delay);
		});
	}

	return {
		address: () => door,
		async stop() {
			isStopping = true;
			clearTimeout(again);
			const ending = child;
			if (!ending) return;
			const { promise, resolve } = Promise.withResolvers<void>();
			ending.once("exit", () => resolve());
			give(ending, { kind: "stop" });
			const timer = setTimeout(() => {
				log.error("The shop's process doesn't exit; killing it");
				ending.kill();
			}, stopMs);
			await promise;
			clearTimeout(timer);
		},
	};
}

function give(child: UtilityProcess, order: ShopCommand): void {
	child.postMessage(order);
}
