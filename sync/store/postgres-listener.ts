import { setTimeout as sleep } from "node:timers/promises";
import {
	connectPostgres,
	type PostgresConnection,
} from "./postgres-connection.ts";

export const channel = "counterfoil";
const reconnectMs = 1_000;

/** Listens to the channel of announcements over a separate connection, opened for the first listener. */
export function openListener(url: string) {
	const listeners: ((payload: string | undefined) => void)[] = [];
	const closing = new AbortController();
	let running: Promise<void> | undefined;

	function tell(payload: string | undefined): void {
		if (closing.signal.aborted) return;
		for (const listener of listeners) listener(payload);
	}

	async function run(): Promise<void> {
		while (!closing.signal.aborted) {
			const connection = await connectPostgres(url).catch(() => undefined);
			// Readers and writers report that the database is gone.
			if (connection) await hear(connection);
			await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(
				() => {},
			);
		}
	}

	/**
	 * Announcements made without a connection are lost, and the listeners are notified of that, also at the first
	 * connection.
	 */
	async function hear(connection: PostgresConnection): Promise<void> {
		const lost = new Promise<void>((resolve) => connection.onLost(resolve));
		connection.onNotification(tell);
		const end = () => void connection.end();
		if (closing.signal.aborted) end();
		closing.signal.addEventListener("abort", end, { once: true });
		await connection.exec(`LISTEN ${channel}`).then(() => tell(undefined), end);
		await lost;
		closing.signal.removeEventListener("abort", end);
	}

	return {
		listen(listener: (payload: string | undefined) => void): void {
			listeners.push(listener);
			running ??= run();
		},
		async close(): Promise<void> {
			closing.abort();
			await running;
		},
	};
}
