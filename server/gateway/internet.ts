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
	/** Aborts when the internet is found to be gone. */
	offline(): AbortSignal;
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
	let gone = new AbortController();
	let checking: Promise<boolean> | undefined;
	let timer: NodeJS.Timeout | undefined;
	let isClosed = false;

	function schedule(): void {
		if (isClosed || hosts.length === 0) return;
		clearTimeout(timer);
		timer = setTimeout(
			() => void check(),
			gone.signal.aborted ? offlineCheckMs : onlineCheckMs,
		).unref();
	}

	async function probe(): Promise<boolean> {
		// One that is reached is enough, so the first is asked alone where all is well.
		const [first, ...others] = hosts.slice(0, hostsMax);
		const isThere =
			(first !== undefined && (await isReached(first))) ||
			(await Promise.all(others.map(isReached))).includes(true);
		if (isThere && gone.signal.aborted) gone = new AbortController();
		if (!isThere) gone.abort();
		return !isThere;
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
			return gone.signal.aborted;
		},
		check,
		offline: () => gone.signal,
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
