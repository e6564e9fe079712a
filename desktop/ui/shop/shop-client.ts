import { v7 as newId } from "uuid";
import type { Role } from "../../../sync/entity.ts";
import { type PauseCode, ShopError } from "../../../sync/errors.ts";
import {
	type ChangeKind,
	nothingKnown,
	openCalls,
	type Standing,
} from "../../../sync/till/calls.ts";
import { sessionValues } from "../kept-values.ts";
import { build, isOutdated } from "./build.ts";
import type { PageStanding, ShopClient } from "./client.ts";
import { openMarker, tillMarkOf } from "./marker.ts";
import { isTillsWindow } from "./till.ts";
import { openWindowWay, openWorkerWay, type Way } from "./way.ts";
import { openWindowCarts } from "./window-carts.ts";

export interface ShopClientOptions {
	businessId: string;
	/** Who is signed in, asked each time. */
	member(): { userId: string; name: string; role: Role };
	/** Told where the server refuses the session with which this browser syncs. */
	onPaused(code: PauseCode): void;
}

/** Opens the shop on this device for a page. What keeps it from being opened is in its standing, and tried again. */
export async function openShopClient({
	businessId,
	member,
	onPaused,
}: ShopClientOptions): Promise<ShopClient> {
	const onRows = new Set<() => void>();
	const onStanding = new Set<() => void>();
	const onHeld = new Set<() => void>();
	const marker = openMarker(businessId);
	const own: Pick<PageStanding, "isPersisted" | "isOutdated"> = {
		isPersisted: undefined,
		isOutdated: false,
	};
	let standing: PageStanding = toPage(nothingKnown);
	let isClosed = false;
	let looking: Promise<void> | undefined;
	let isLookDue = false;

	/** Which device this tab was, named between two pages of one window alone: a copy of a window is another device. */
	const leftKey = `counterfoil-device-${businessId}`;
	function takeLeft(): string | null {
		const left = sessionValues.read(leftKey);
		sessionValues.remove(leftKey);
		return left;
	}
	function leave(): void {
		const { deviceId, keeps } = standing;
		if (deviceId !== null && keeps === "unsent")
			sessionValues.write(leftKey, deviceId);
	}
	addEventListener("pagehide", leave);

	const way: Way = isTillsWindow
		? openWindowWay(businessId, onChange)
		: openWorkerWay(
				() => ({ businessId, deviceId: null, ...member() }),
				{ build, left: takeLeft() },
				onChange,
				() => void lookForBuild().catch(console.debug),
			);
	const calls = openCalls(way.call);
	const carts = openWindowCarts(calls, businessId, onHeld);

	function onChange(kind: ChangeKind): void {
		if (kind === "standing") void look();
		else tell(kind === "rows" ? onRows : onHeld);
	}

	/** One look at a time; what changes during one is seen by the next. */
	function look(): Promise<void> {
		isLookDue = true;
		looking ??= lookOn().finally(() => {
			looking = undefined;
		});
		return looking;
	}

	/** A page hears of the line in every browser, a worker or a till's process does not. */
	const onLine = () => void calls.tryNow().catch(console.debug);
	addEventListener("online", onLine);
	addEventListener("offline", onLine);

	async function lookOn(): Promise<void> {
		while (isLookDue && !isClosed) {
			isLookDue = false;
			try {
				const { paused } = standing;
				const seen = await calls.standing();
				if (isClosed) return;
				standing = toPage(seen);
				marker.keep(standing);
				// A till's window has a session of its own.
				if (!isTillsWindow && standing.paused && standing.paused !== paused)
					onPaused(standing.paused);
			} catch (error) {
				if (!(error instanceof ShopError)) throw error;
				standing = { ...standing, problem: error };
			}
			tell(onStanding);
		}
	}

	/** Whoever did something sees at once what came of it. */
	async function thenLook(done: Promise<void>): Promise<void> {
		await done;
		await look();
	}

	function toPage(seen: Standing): PageStanding {
		const isLasting = seen.keeps !== "nothing";
		const lost = marker.lostOf(seen);
		return { ...seen, ...own, isLasting, lost, problem: undefined };
	}

	/** Where another tab's program is another one, one of the two is older than the server's. */
	async function lookForBuild(): Promise<void> {
		if (own.isOutdated || !(await isOutdated())) return;
		own.isOutdated = true;
		await look();
		// Nobody is in the middle of anything there, and what is in the cart is kept.
		if (document.hidden) location.reload();
		else addEventListener("visibilitychange", () => location.reload());
	}

	/** Without it a browser may clear what it holds when its disk is full. One that asks a person first is not waited for. */
	async function persist(): Promise<void> {
		own.isPersisted = await navigator.storage?.persist?.();
		await look();
	}

	await look();
	own.isPersisted = await navigator.storage?.persisted?.();
	if (own.isPersisted !== undefined) await look();

	return {
		businessId,
		ask: async (query, args) => (await calls.ask(query, args)) as never,
		async mutate(name, args, { id = newId(), cartId } = {}) {
			const done = await calls.mutate({
				...{ id, name, args },
				...(cartId !== undefined && { cartId }),
			});
			if (cartId !== undefined) carts.letGo();
			if (own.isPersisted === false && name === "sale.create") void persist();
			return done as never;
		},
		stateOf: calls.stateOf,
		madeOn: calls.madeOn,
		standing: () => standing,
		onRows: (listener) => listen(onRows, listener),
		onStanding: (listener) => listen(onStanding, listener),
		tryNow: () => thenLook(calls.tryNow()),
		retry: (id) => thenLook(calls.retry(id)),
		discard: (id) => thenLook(calls.discard(id)),
		restore: (id) => thenLook(calls.restore(id)),
		carts,
		now: () => Date.now() + standing.clockOffsetMs,
		close(isSignedOut = false) {
			isClosed = true;
			leave();
			removeEventListener("pagehide", leave);
			removeEventListener("online", onLine);
			removeEventListener("offline", onLine);
			carts.close();
			const remove = isSignedOut && !tillMarkOf(businessId).isSet();
			void way.close(remove).then((isRemoved) => {
				if (isRemoved) marker.forget();
			});
		},
	};
}

function tell(listeners: ReadonlySet<() => void>): void {
	for (const listener of listeners) listener();
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
