import { backoffMs, leaveAloneMs } from "../../../sync/backoff.ts";
import { ApiError, ask } from "../api.ts";
import { openStream, readHead } from "./exchange.ts";

const idleMs = 10_000;
const healthMs = 5_000;
/** A till that someone looks at tries more often than one that stands by itself. */
const longestMs = 30_000;
const env = {
	randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
};

export interface Connection {
	/** Tries now, whatever came before: someone asked for it. */
	now(): Promise<void>;
	/** Tries as soon as the server wants it: after failures it waits longer each time, and as long as it was asked to. */
	soon(): void;
	close(): void;
}

/**
 * Keeps in step with the server from now on, as a desktop till does. Once the session has ended it asks nothing until it
 * is told to.
 *
 * @param businessId whose stream is listened to
 * @param isSeen whether what the server has up to a cursor is here
 * @param hasPending whether something waits to be sent
 * @param onStanding told after each attempt whether the server answers
 */
export function keepConnected({
	businessId,
	exchange,
	isSeen,
	hasPending,
	onStanding,
}: {
	businessId: string;
	exchange(): Promise<void>;
	isSeen(cursor: string): boolean;
	hasPending(): boolean;
	onStanding(isOnline: boolean): Promise<void>;
}): Connection {
	let isOnline: boolean | undefined;
	let isPaused = false;
	let isClosed = false;
	let isDue = false;
	let failures = 0;
	let lostStreams = 0;
	let trying: Promise<void> | undefined;
	let events: EventSource | undefined;
	let next: ReturnType<typeof setTimeout> | undefined;
	let relisten: ReturnType<typeof setTimeout> | undefined;

	function now(): Promise<void> {
		trying ??= attempt().finally(() => {
			trying = undefined;
			if (isDue) soon();
		});
		return trying;
	}

	function soon(): void {
		if (isClosed || isPaused || failures > 0) return;
		isDue = trying !== undefined;
		if (!isDue) void now();
	}

	async function attempt(): Promise<void> {
		clearTimeout(next);
		isDue = false;
		let askedMs = 0;
		try {
			if (isOnline === false) await assertThere();
			await exchange();
			failures = 0;
			isPaused = false;
			isOnline = true;
		} catch (error) {
			// What a page was doing when it was left is done again by the next one.
			if (isClosed) return;
			if (!(error instanceof ApiError)) console.error(error);
			const known =
				error instanceof ApiError ? error : new ApiError(0, String(error));
			const { status, waitMs, isSessions } = known;
			failures += 1;
			askedMs = leaveAloneMs(waitMs, env);
			isPaused = isSessions;
			// One that refuses is there; a proxy in its place is not it.
			isOnline = status >= 400 && status < 500;
		}
		if (isClosed) return;
		if (isPaused) stopListening();
		else if (failures === 0) listen();
		if (!isPaused) plan(askedMs);
		await onStanding(isOnline);
	}

	function plan(askedMs: number): void {
		const ms =
			failures === 0
				? idleMs
				: Math.max(askedMs, Math.min(backoffMs(failures, env), longestMs));
		next = setTimeout(() => {
			if (failures > 0 || hasPending()) void now();
			else plan(0);
		}, ms);
	}

	/** The server says when there is something to take. */
	function listen(): void {
		if (events) return;
		clearTimeout(relisten);
		const opened = openStream(businessId);
		events = opened;
		opened.addEventListener("head", ({ data }) => {
			lostStreams = 0;
			const cursor = readHead(data as string, businessId);
			if (cursor === undefined || !isSeen(cursor)) soon();
		});
		// The browser would open it again by itself, and at once.
		opened.addEventListener("error", () => {
			stopListening();
			lostStreams += 1;
			relisten = setTimeout(soon, backoffMs(lostStreams, env));
		});
	}

	function stopListening(): void {
		clearTimeout(relisten);
		events?.close();
		events = undefined;
	}

	/** An attempt that is under way says nothing about the line as it is now. */
	const onNetwork = () => void Promise.resolve(trying).then(now);
	addEventListener("online", onNetwork);
	addEventListener("offline", onNetwork);
	void now();

	return {
		now,
		soon,
		close() {
			isClosed = true;
			clearTimeout(next);
			stopListening();
			removeEventListener("online", onNetwork);
			removeEventListener("offline", onNetwork);
		},
	};
}

/** A server that is away is no thin line. */
async function assertThere(): Promise<void> {
	const health = await ask<{ ok?: boolean }>(
		"GET",
		"/healthz",
		undefined,
		healthMs,
	);
	if (health.ok !== true) throw new ApiError(0, "Something else answers");
}
