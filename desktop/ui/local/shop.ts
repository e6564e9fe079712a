import type { Business } from "../../../sync/entities/business.ts";
import { parseCursor } from "../../../sync/protocol.ts";
import { type Carts, openCarts } from "./carts.ts";
import { type Catalogue, toCatalogue } from "./catalogue.ts";
import { keepConnected } from "./connection.ts";
import {
	type LocalDatabase,
	type OutboxEntry,
	only,
	openLocal,
} from "./database.ts";
import { openExchange } from "./exchange.ts";
import { openGoods } from "./goods.ts";
import { append, offerAnew, readDevice } from "./outbox.ts";
import { openTurns } from "./turns.ts";
import { withUnseen } from "./unseen.ts";

/** How this browser stands to the server. */
export interface SyncState {
	/** Undefined until it was first tried. */
	isOnline: boolean | undefined;
	pending: number;
	rejected: OutboxEntry[];
	lastSyncAt: string | undefined;
	deviceId: string | undefined;
	prefix: string | undefined;
	clockOffsetMs: number;
}

/** All that the pages show of the local shop; a new object at each change. */
export interface LocalState {
	isLoaded: boolean;
	catalogue: Catalogue;
	business: Business | undefined;
	sync: SyncState;
}

/** The shop as this browser holds it: what it sells, what it has sold, and the way to the server. */
export interface LocalShop {
	state(): LocalState;
	subscribe(listener: () => void): () => void;
	/** Makes a mutation: written down here when this resolves, and the cart that it came of removed; sent when the server can be reached. */
	mutate(
		name: string,
		argsOf: (receiptNumber: () => string, at: string) => unknown,
		cartId?: string,
	): Promise<OutboxEntry>;
	/** Where a mutation of this browser's stands. */
	entryOf(id: string): Promise<OutboxEntry | undefined>;
	/** Tries to reach the server now. */
	sync(): Promise<void>;
	/** Offers a refused mutation again, as a new one with the same content. */
	retry(entry: OutboxEntry): Promise<void>;
	discard(entry: OutboxEntry): Promise<void>;
	/** The time by the server's clock, as far as this browser knows it. */
	now(): number;
	readonly database: LocalDatabase;
	readonly carts: Carts;
	close(): void;
}

export async function openLocalShop(businessId: string): Promise<LocalShop> {
	const database = await openLocal(businessId);
	const listeners = new Set<() => void>();
	await readDevice(database);
	const goods = await openGoods(database, businessId, () => void refresh());
	const carts = openCarts(database, businessId);
	const turns = openTurns(`counterfoil-${businessId}`);
	const exchange = openExchange(database, goods);
	const outboxChannel = new BroadcastChannel(
		`counterfoil-outbox-${businessId}`,
	);
	let isOnline: boolean | undefined;
	let state: LocalState;
	let isClosed = false;
	await refresh();

	/** Makes the state anew and tells of it. */
	async function refresh(changed = { catalogue: true }): Promise<void> {
		if (isClosed) return;
		const tx = database.transaction(["device", "outbox"]);
		const [device, entries] = await Promise.all([
			tx.objectStore("device").get(only),
			tx.objectStore("outbox").getAll(),
		]);
		const catalogue =
			changed.catalogue || !state ? catalogueOf(entries) : state.catalogue;
		state = {
			isLoaded: goods.cursor !== undefined,
			catalogue,
			business: goods.business,
			sync: {
				isOnline,
				pending: entries.filter((entry) => entry.state === "pending").length,
				rejected: entries.filter((entry) => entry.state === "rejected"),
				lastSyncAt: device?.lastSyncAt,
				deviceId: device?.deviceId,
				prefix: device?.prefix,
				clockOffsetMs: device?.clockOffsetMs ?? 0,
			},
		};
		for (const listener of listeners) listener();
	}

	function catalogueOf(entries: readonly OutboxEntry[]): Catalogue {
		const version = parseCursor(goods.cursor ?? "")?.version ?? 0;
		const { products, categories } = withUnseen(goods, entries, version);
		return toCatalogue(products, categories);
	}

	/** In one of the browser's windows at a time. */
	async function exchangeInTurn(): Promise<void> {
		const isChanged = await turns.inTurn(exchange);
		tellOthers();
		await refresh({ catalogue: isChanged });
	}

	/** What is pending and what was refused is shown in each window. */
	function tellOthers(): void {
		if (!isClosed) outboxChannel.postMessage("changed");
	}

	function close(): void {
		if (isClosed) return;
		isClosed = true;
		removeEventListener("pagehide", close);
		connection.close();
		outboxChannel.close();
		goods.close();
		carts.close();
		turns.close();
		database.close();
	}

	outboxChannel.onmessage = () => void refresh();
	const connection = keepConnected({
		exchange: exchangeInTurn,
		isSeen: (cursor) => cursor === goods.cursor,
		hasPending: () => state.sync.pending > 0,
		onStanding(isReached) {
			const wasOnline = isOnline;
			isOnline = isReached;
			return wasOnline === isReached
				? Promise.resolve()
				: refresh({ catalogue: false });
		},
	});
	addEventListener("pagehide", close);

	return {
		database,
		carts,
		state: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async mutate(name, argsOf, cartId) {
			const entry = await append(database, name, argsOf, cartId);
			if (cartId !== undefined) carts.letGo();
			tellOthers();
			await refresh();
			connection.soon();
			return entry;
		},
		entryOf: (id) => database.getFromIndex("outbox", "id", id),
		sync: connection.now,
		now: () => Date.now() + state.sync.clockOffsetMs,
		async retry(entry) {
			await offerAnew(database, entry);
			tellOthers();
			await refresh();
			await connection.now();
		},
		async discard(entry) {
			await database.delete("outbox", entry.position as number);
			tellOthers();
			await refresh();
		},
		close,
	};
}
