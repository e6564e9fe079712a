import { setTimeout as sleep } from "node:timers/promises";
import {
	connectPostgres,
	type PostgresConnection,
} from "./postgres-connection.ts";

const channel = "counterfoil";
const reconnectMs = 1_000;

/**
 * Notes to the other processes on the same database, over a connection of their own. They are sent after the commit that
 * they are about and not within it: there they would make the commits of all shops wait for each other.
 */
export function openAnnouncer(url: string) {
	const listeners: ((note: string | undefined) => void)[] = [];
	const closing = new AbortController();
	/** Said before there was a connection. */
	let early: string[] | undefined = [];
	let connection: PostgresConnection | undefined;
	let running: Promise<void> | undefined;

	function tell(note: string | undefined): void {
		for (const listener of listeners) listener(note);
	}

	function send(note: string): void {
		// Where it does not arrive, others hear of it when they next ask.
		connection?.get("SELECT pg_notify(?, ?)", channel, note).catch(() => {});
	}

	/** Holds a connection for as long as the store is open. What was said while there was none is lost. */
	async function run(): Promise<void> {
		for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
			try {
				await listenOnce(isFirst);
			} catch {
				// The database is away, which whoever reads or writes is told.
			}
			connection = undefined;
			await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(
				() => {},
			);
		}
	}

	async function listenOnce(isFirst: boolean): Promise<void> {
		const opened = await connectPostgres(url);
		const lost = new Promise<void>((resolve) => opened.onLost(resolve));
		opened.onNotification((note, isOwn) => {
			if (!isOwn) tell(note);
		});
		// A note is no promise, so that it waits for no disk.
		opened.send("SET synchronous_commit = off");
		await opened.exec(`LISTEN ${channel}`);
		connection = opened;
		for (const note of early ?? []) send(note);
		early = undefined;
		if (!isFirst) tell(undefined);
		const end = () => void opened.end();
		if (closing.signal.aborted) end();
		closing.signal.addEventListener("abort", end, { once: true });
		await lost;
		closing.signal.removeEventListener("abort", end);
	}

	return {
		announce(note: string): void {
			running ??= run();
			if (early) early.push(note);
			else send(note);
		},
		listen(listener: (note: string | undefined) => void): void {
			listeners.push(listener);
			running ??= run();
		},
		async close(): Promise<void> {
			closing.abort();
			await running;
		},
	};
}
