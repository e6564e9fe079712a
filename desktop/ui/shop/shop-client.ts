import { v7 as newId } from "uuid";
import type { Role } from "../../../sync/entities/entity.ts";
import { type PauseCode, ShopError } from "../../../sync/protocol/errors.ts";
import {
	type ChangeKind,
	openTillApi,
	type TillStatus,
	unknownStatus,
} from "../../../sync/protocol/till-api.ts";
import { sessionValues } from "../kept-values.ts";
import { build, isOutdated } from "./build.ts";
import type { PageStanding, ShopClient } from "./client.ts";
import { openMarker, tillMarkOf } from "./marker.ts";
import { isTillsWindow } from "./till.ts";
import { openWindowWay, openWorkerWay, type Way } from "./way.ts";
import { openWindowCarts } from "./window-carts.ts";

export interface ShopClientOptions {
	businessId: string;
	/** Who is signed in; read before each call. */
	member(): { userId: string; name: string; role: Role };
	/** Called when the server refuses the session that this browser syncs with. */
	onPaused(code: PauseCode): void;
}

/** Opens the shop on this device for a page. If it can't be opened, its state says why, and it retries. */
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
	let standing: PageStanding = {
		...{ ...unknownStatus, ...own },
		...{ lost: 0, problem: undefined },
	};
	let isClosed = false;
	let looking: Promise<void> | undefined;
	let isLookDue = false;
	let isPersistAsked = false;

	/** The device id that this tab had before a reload. Taken only between two pages of one window, since a duplicated window is another device. */
	const leftKey = `counterfoil-device-${businessId}`;
	function takeLeft(): string | null {
		const left = sessionValues.read(leftKey);
		sessionValues.remove(leftKey);
		return left;
	}
	function leave(): void {
		const { deviceId, storage } = standing;
		if (deviceId !== null && storage === "outbox")
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
	const calls = openTillApi(way.call);
	const carts = openWindowCarts(calls, businessId, onHeld);

	function onChange(kind: ChangeKind): void {
		if (kind === "standing") void look();
		else tell(kind === "rows" ? onRows : onHeld);
	}

	/** Reads the state; changes during one read are seen by the next. */
	function look(): Promise<void> {
		isLookDue = true;
		looking ??= lookOn().finally(() => {
			looking = undefined;
		});
		return looking;
	}

	/** Pages get connection events in every browser; workers and the till's process don't. */
	const onLine = () => void calls.tryNow().catch(console.debug);
	addEventListener("online", onLine);
	addEventListener("offline", onLine);

	async function lookOn(): Promise<void> {
		while (isLookDue && !isClosed) {
			isLookDue = false;
			try {
				const { paused, problem } = standing;
				const seen = await calls.standing();
				if (isClosed) return;
				standing = toPage(seen);
				// The shop can't be opened; queries sent meanwhile got no answer.
				if (problem) tell(onRows);
				// A till's window has its own session.
				if (!isTillsWindow && standing.paused && standing.paused !== paused)
					onPaused(standing.paused);
			} catch (error) {
				if (!(error instanceof ShopError)) throw error;
				standing = { ...standing, problem: error };
			}
			tell(onStanding);
		}
	}

	/** Reads the state after an action, so that its result shows at once. */
	async function thenLook(done: Promise<void>): Promise<void> {
		await done;
		await look();
	}

	function toPage(seen: TillStatus): PageStanding {
		return { ...seen, ...own, lost: marker.keep(seen), problem: undefined };
	}

	/** If another tab has another build, one of the two is older than the server's. */
	async function lookForBuild(): Promise<void> {
		if (own.isOutdated || !(await isOutdated())) return;
		own.isOutdated = true;
		await look();
		addEventListener("visibilitychange", onVisibility);
		await reloadUnseen();
	}
	const onVisibility = () => void reloadUnseen().catch(console.debug);

	/** Reloads a hidden page: nobody is using it and its cart is saved. Only if the server has the new page. */
	async function reloadUnseen(): Promise<void> {
		const isSafe = standing.storage !== "memory" || standing.pending === 0;
		if (document.hidden && isSafe && !isClosed && (await isOutdated()))
			location.reload();
	}

	/** Asks the browser once to keep its files; otherwise it may clear them when the disk is full. */
	async function persist(): Promise<void> {
		isPersistAsked = true;
		// Some browsers ask the user first, which takes time.
		own.isPersisted = await navigator.storage.persist();
		await look();
	}

	await look();
	own.isPersisted = await isPersisted();
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
			const isFirst = own.isPersisted === false && !isPersistAsked;
			if (isFirst && name === "sale.create") void persist();
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
		forgetLost() {
			marker.forgetLost();
			return look();
		},
		pack: way.pack,
		carts,
		now: () => Date.now() + standing.clockOffsetMs,
		close(isSignedOut = false) {
			isClosed = true;
			leave();
			removeEventListener("pagehide", leave);
			removeEventListener("online", onLine);
			removeEventListener("offline", onLine);
			removeEventListener("visibilitychange", onVisibility);
			carts.close();
			const remove = isSignedOut && !tillMarkOf(businessId).isSet();
			void way.close(remove).then((isRemoved) => {
				if (isRemoved) marker.forget();
			});
		},
	};
}

/** @returns undefined if the browser doesn't say */
async function isPersisted(): Promise<boolean | undefined> {
	try {
		return await navigator.storage.persisted();
	} catch {
		return undefined;
	}
}

function tell(listeners: ReadonlySet<() => void>): void {
	for (const listener of listeners) listener();
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
