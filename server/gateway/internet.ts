import { once } from "node:events";
import { connect } from "node:net";
import { openRoster } from "./roster.ts";

/**
 * Knows whether the internet can be reached, so that one provider's outage isn't taken for the internet's, and an offline
 * server doesn't try each provider in turn.
 */
export interface Internet {
	readonly isOffline: boolean;
	/** Checks now, after a failure that looks like a lost connection. @returns whether the server is offline */
	check(): Promise<boolean>;
	/** Calls back when the internet goes offline. @returns a function that removes the listener */
	onOffline(listener: () => void): () => void;
	close(): void;
}

/** Checks are rare while online and frequent while offline. */
const onlineCheckMs = 15_000;
const offlineCheckMs = 2_000;
const probeMs = 2_500;
const hostsMax = 4;

/** Errors that prove a host can be reached. */
const answered = new Set(["ECONNREFUSED", "ECONNRESET"]);

/** @param addresses of the remote providers; without any, nothing is checked */
export function openInternet(
	addresses: readonly string[],
	isReached: (host: URL) => Promise<boolean> = connects,
): Internet {
	const urls = addresses.map((address) => new URL(address));
	const hosts = [...new Map(urls.map((url) => [url.host, url])).values()];
	let isOffline = false;
	const listeners = openRoster<() => void>();
	let checking: Promise<boolean> | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;

	function schedule(): void {
		if (isClosed || hosts.length === 0) return;
		clearTimeout(timer);
		timer = setTimeout(
			() => void check(),
			isOffline ? offlineCheckMs : onlineCheckMs,
		).unref();
	}

	async function probe(): Promise<boolean> {
		// One reachable host is enough, so while online only the first is tried.
		const [first, ...others] = hosts.slice(0, hostsMax);
		const isThere =
			(first !== undefined && (await isReached(first))) ||
			(await Promise.all(others.map(isReached))).includes(true);
		isOffline = !isThere;
		if (isOffline) for (const listener of listeners.all()) listener();
		return isOffline;
	}

	function check(): Promise<boolean> {
		if (isClosed || hosts.length === 0) return Promise.resolve(false);
		checking ??= probe().finally(() => {
			checking = undefined;
			schedule();
		});
		return checking;
	}

	void check();
	return {
		get isOffline() {
			return isOffline;
		},
		check,
		onOffline: listeners.add,
		close() {
			isClosed = true;
			clearTimeout(timer);
		},
	};
}

async function connects({ hostname, port, protocol }: URL): Promise<boolean> {
	const socket = connect({
		host: hostname.replace(/^\[|\]$/g, ""),
		port: Number(port) || (protocol === "https:" ? 443 : 80),
		signal: AbortSignal.timeout(probeMs),
	});
	socket.unref();
	try {
		await once(socket, "connect");
		return true;
	} catch (error) {
		return answered.has(errorCode(error));
	} finally {
		socket.destroy();
	}
}

/** Reads the error's code; a name with several addresses fails with one error for each. */
function errorCode(error: unknown): string {
	const { code = "", errors } = error as NodeJS.ErrnoException & {
		errors?: NodeJS.ErrnoException[];
	};
	return errors?.find((it) => answered.has(it.code ?? ""))?.code ?? code;
}
