import { once } from "node:events";
import { connect } from "node:net";

/**
 * Whether the internet can be reached at all, so that one provider's failure is not taken for everyone's, and everyone's
 * is not walked through one by one.
 */
export interface Internet {
	readonly isOffline: boolean;
	/** Something failed as if the internet were gone: finds out. @returns whether it is */
	check(): Promise<boolean>;
	/** Calls back when the internet is found to be gone, unless taken back. */
	onOffline(listener: () => void): () => void;
	close(): void;
}

/** How often it is looked after: seldom while it is there, often while it is awaited. */
const onlineCheckMs = 15_000;
const offlineCheckMs = 2_000;
const probeMs = 2_500;
const hostsMax = 4;

/** What a host says that is there and wants nothing of us. */
const answered = new Set(["ECONNREFUSED", "ECONNRESET"]);

/** @param addresses of the providers that are not on this machine; without any there is nothing to find out */
export function openInternet(
	addresses: readonly string[],
	isReached: (host: URL) => Promise<boolean> = connects,
): Internet {
	const urls = addresses.map((address) => new URL(address));
	const hosts = [...new Map(urls.map((url) => [url.host, url])).values()];
	let isOffline = false;
	const listeners = new Set<() => void>();
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
		// One that is reached is enough, so the first is asked alone where all is well.
		const [first, ...others] = hosts.slice(0, hostsMax);
		const isThere =
			(first !== undefined && (await isReached(first))) ||
			(await Promise.all(others.map(isReached))).includes(true);
		isOffline = !isThere;
		if (isOffline) for (const listener of [...listeners]) listener();
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
		onOffline(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
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

/** Where a name has several addresses, each failed. */
function errorCode(error: unknown): string {
	const { code = "", errors } = error as NodeJS.ErrnoException & {
		errors?: NodeJS.ErrnoException[];
	};
	return errors?.find((it) => answered.has(it.code ?? ""))?.code ?? code;
}
