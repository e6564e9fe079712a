import { once } from "node:events";
import { lstatSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect, createServer } from "node:net";
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import { SettingsError } from "../environment.ts";

/** While connections come in this time, more of those may wait that were made before the file was removed. */
const queuedMs = 50;

/** A file at which a proxy on this machine reaches the server. */
export interface ProxySocket {
	/**
	 * Takes no further connection and loses none that was made, which a TCP port can't do: closing one resets connections
	 * that wait to be accepted, and a proxy may not send their requests again.
	 *
	 * @returns a promise of the end of all connections, once there are no new ones
	 */
	leave(): Promise<{ ended: Promise<unknown> }>;
}

/** @throws SettingsError if another server uses the file, or it can't be made */
export async function openProxySocket(
	path: string,
	server: Server,
): Promise<ProxySocket> {
	let accepted = 0;
	const door = createServer(
		{ allowHalfOpen: true, noDelay: true },
		(connection) => {
			accepted += 1;
			// A proxy on this machine, like one that comes to the port.
			Object.defineProperty(connection, "remoteAddress", {
				value: "127.0.0.1",
			});
			server.emit("connection", connection);
		},
	);
	try {
		await removeStale(path);
		// The proxy is another user; every user may come to the port, too.
		door.listen({ path, readableAll: true, writableAll: true });
		await once(door, "listening");
	} catch (error) {
		throw new SettingsError(`SOCKET: ${(error as Error).message}`);
	}
	return {
		async leave() {
			rmSync(path, { force: true });
			let before: number;
			do {
				before = accepted;
				await sleep(queuedMs);
				// A busy process looks at its connections only now.
				await nextTurn();
			} while (accepted > before);
			const ended = once(door, "close");
			door.close();
			return { ended };
		},
	};
}

/** Removes the file of a server that was killed. */
async function removeStale(path: string): Promise<void> {
	if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
	const probe = connect(path);
	const isServed = await once(probe, "connect").then(
		() => true,
		() => false,
	);
	probe.destroy();
	if (!isServed) rmSync(path, { force: true });
}
