import { v7 as newId } from "uuid";
import type { Role } from "../../../sync/entities/entity.ts";
import { type PauseCode, ShopError } from "../../../sync/protocol/errors.ts";
import {
	type ChangeKind,
	openTillApi,
	type TillStatus,
	unknownStatus,
} from "../../../sync/protocol/till-api.ts";
import { isTillsWindow } from "../sent-page.ts";
import { sessionValues } from "../stored-values.ts";
import { build, isOutdated } from "./build.ts";
import type { PageStatus, ShopClient } from "./client.ts";
import { openNews } from "./news.ts";
import {
	connectToTill,
	connectToWorker,
	type ShopConnection,
} from "./shop-connection.ts";
import { choiceOf, openStorageNote } from "./storage-note.ts";
import { openWindowCarts } from "./window-carts.ts";

export interface ShopClientOptions {
	businessId: string;
	/** Who is signed in; read before each call. */
	member(): { userId: string; name: string; role: Role };
	/** The member to whom a PIN has switched this window, if any; read before each mutation. */
	cashier(): string | undefined;
	/** Called when the server refuses the session that this browser syncs with. */
	onPaused(code: PauseCode): void;
}

/** The days of sales that a browser keeps: more is the sooner cleared, and most pages look back on less. */
const windowDays = 90;

/** A shop that a page may use at once. */
interface OpenedShop {
	shop: ShopClient;
	/** Resolves once its state is known. */
	opened: Promise<void>;
}

/** Opens the shop on this device for a page. If it can't be opened, its state says why, and it retries. */
export function openShopClient({
	businessId,
	member,
	cashier,
	onPaused,
}: ShopClientOptions): OpenedShop {
	const onRows = new Set<() => void>();
	const onStanding = new Set<() => void>();
	const onHeld = new Set<() => void>();
	const rowNews = openNews(() => tell(onRows));
	const standingNews = openNews(() => void refresh());
	const marker = openStorageNote(businessId);
	const own: Pick<PageStatus, "isPersisted" | "isOutdated"> = {
		isPersisted: undefined,
		isOutdated: false,
	};
	let standing: PageStatus = {
		...{ ...unknownStatus, ...own },
		...{ lost: 0, problem: undefined },
	};
	let isClosed = false;
	let looking: Promise<void> | undefined;
	let isLookDue = false;
	let isPersistAsked = false;
	/** A pause from before this page's first attempt may be that of a session before this one. */
	let hasTried = false;
	let toldPause: PauseCode | null = null;

	/** The device id that this tab had before a reload. Taken only between two pages of one window, since a duplicated window is another device. */
	const leftKey = `counterfoil-device-${businessId}`;
	function takeDeviceLeft(): string | null {
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

	const connection: ShopConnection = isTillsWindow
		? connectToTill(businessId, onChange)
		: connectToWorker(
				() => ({ businessId, deviceId: null, ...member() }),
				{
					...{ build, left: takeDeviceLeft() },
					windowDays: choiceOf("all", businessId).isSet()
						? undefined
						: windowDays,
				},
				onChange,
				() => void checkBuild().catch(console.debug),
			);
	const calls = openTillApi(connection.call);
	const carts = openWindowCarts(calls, businessId, onHeld);

	function onChange(kind: ChangeKind): void {
		if (kind === "rows") rowNews.changed();
		else if (kind === "carts") tell(onHeld);
		else standingNews.changed();
	}

	/** A sale is shown first, and often is sent meanwhile. */
	function selling(): void {
		rowNews.selling();
		standingNews.selling();
	}

	/** Reads the state; changes during one read are seen by the next. */
	function refresh(): Promise<void> {
		isLookDue = true;
		looking ??= readStatus().finally(() => {
			looking = undefined;
		});
		return looking;
	}

	/** Pages get connection events in every browser; workers and the till's process don't. */
	const onLine = () => void calls.tryNow().catch(console.debug);
	addEventListener("online", onLine);
	addEventListener("offline", onLine);

	async function readStatus(): Promise<void> {
		while (isLookDue && !isClosed) {
			isLookDue = false;
			try {
				const { problem } = standing;
				const seen = await calls.standing();
				if (isClosed) return;
				standing = toPage(seen);
				// The shop can't be opened; queries sent meanwhile got no answer.
				if (problem) tell(onRows);
				const { paused: now } = standing;
				// A till's window has its own session, and a new one updates no program.
				const isSessions = !isTillsWindow && now !== "outdated";
				if (hasTried && isSessions && now && now !== toldPause) onPaused(now);
				if (hasTried) toldPause = now;
			} catch (error) {
				if (!(error instanceof ShopError)) throw error;
				standing = { ...standing, problem: error };
			}
			tell(onStanding);
		}
	}

	/** Reads the state after an action, so that its result shows at once. */
	async function refreshAfter(done: Promise<void>): Promise<void> {
		await done;
		await refresh();
	}

	function toPage(seen: TillStatus): PageStatus {
		return { ...seen, ...own, lost: marker.keep(seen), problem: undefined };
	}

	/** If another tab has another build, one of the two is older than the server's. */
	async function checkBuild(): Promise<void> {
		if (own.isOutdated || !(await isOutdated())) return;
		own.isOutdated = true;
		await refresh();
		addEventListener("visibilitychange", onVisibility);
		await reloadHidden();
	}
	const onVisibility = () => void reloadHidden().catch(console.debug);

	/** Reloads a hidden page: nobody is using it and its cart is saved. Only if the server has the new page. */
	async function reloadHidden(): Promise<void> {
		const isSafe = standing.storage !== "memory" || standing.pending === 0;
		if (document.hidden && isSafe && !isClosed && (await isOutdated()))
			location.reload();
	}

	/** Asks the browser once to keep its files; otherwise it may clear them when the disk is full. */
	async function persist(): Promise<void> {
		isPersistAsked = true;
		// Some browsers ask the user first, which takes time.
		own.isPersisted = await navigator.storage.persist();
		await refresh();
	}

	async function open(): Promise<void> {
		own.isPersisted = await isPersisted();
		await refresh();
	}

	const shop: ShopClient = {
		businessId,
		ask: async (query, args) => (await calls.ask(query, args)) as never,
		async mutate(name, args, { id = newId(), cartId } = {}) {
			const by = cashier();
			const isSale = name === "sale.create";
			if (isSale) selling();
			const done = await calls.mutate({
				...{ id, name, args },
				...(by !== undefined && { by }),
				...(cartId !== undefined && carts.isKept() && { cartId }),
			});
			if (cartId !== undefined) carts.letGo();
			if (isSale) selling();
			const isFirst = own.isPersisted === false && !isPersistAsked;
			if (isFirst && isSale) void persist();
			return done as never;
		},
		stateOf: calls.stateOf,
		madeOn: calls.madeOn,
		staff: calls.staff,
		refreshStaff: calls.refreshStaff,
		checkPin: calls.checkPin,
		approve: calls.approve,
		standing: () => standing,
		onRows: (listener) => listen(onRows, listener),
		onStanding: (listener) => listen(onStanding, listener),
		tryNow: () =>
			refreshAfter(
				calls.tryNow().finally(() => {
					hasTried = true;
				}),
			),
		retry: (id) => refreshAfter(calls.retry(id)),
		discard: (id) => refreshAfter(calls.discard(id)),
		restore: (id) => refreshAfter(calls.restore(id)),
		forgetLost() {
			marker.forgetLost();
			return refresh();
		},
		pack: connection.pack,
		carts,
		now: () => Date.now() + standing.clockOffsetMs,
		close(isSignedOut = false) {
			isClosed = true;
			rowNews.stop();
			standingNews.stop();
			leave();
			removeEventListener("pagehide", leave);
			removeEventListener("online", onLine);
			removeEventListener("offline", onLine);
			removeEventListener("visibilitychange", onVisibility);
			carts.close();
			const remove = isSignedOut && !choiceOf("till", businessId).isSet();
			void connection.close(remove).then((isRemoved) => {
				if (isRemoved) marker.forget();
			});
		},
	};
	return { shop, opened: open() };
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
