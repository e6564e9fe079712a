import type { Business } from "../../../sync/entities/business.ts";
import { parseCursor } from "../../../sync/protocol.ts";
import type { Carts } from "../shop/carts.ts";
import type { ShopClient } from "../shop/client.ts";
import { openCarts } from "./carts.ts";
import { type Catalogue, toCatalogue } from "./catalogue.ts";
import { clientOf } from "./client.ts";
import { keepConnected } from "./connection.ts";
import { type Device, type OutboxEntry, only } from "./database.ts";
import { openExchange } from "./exchange.ts";
import { openGoods } from "./goods.ts";
import type { Contents } from "./memory-database.ts";
import {
	append,
	newDevice,
	offerAnew,
	readDevice,
	readLive,
} from "./outbox.ts";
import { openStorage } from "./storage.ts";
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
	/** False where the browser's storage failed: what waits to be sent is lost when the page is closed. */
	isLasting: boolean;
	/** Whether the browser has promised to keep what waits to be sent; undefined where it has not said. */
	isPersisted: boolean | undefined;
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
	/** The same shop as pages come to know it. */
	readonly client: ShopClient;
	state(): LocalState;
	subscribe(listener: () => void): () => void;
	/** Makes a mutation: written down here when this resolves, and the cart that it came of removed; sent when the server can be reached. */
	mutate(
		name: string,
		argsOf: (receiptNumber: () => string, at: string) => unknown,
		cartId?: string,
		id?: string,
	): Promise<OutboxEntry>;
	/** Where a mutation of this browser's stands. */
	entryOf(id: string): Promise<OutboxEntry | undefined>;
	/** Tries to reach the server now. */
	sync(): Promise<void>;
	/** Offers a refused mutation again, as a new one with the same content. */
	retry(entry: OutboxEntry): Promise<void>;
	discard(entry: OutboxEntry): Promise<void>;
	/** Takes a discarded mutation back. */
	restore(entry: OutboxEntry): Promise<void>;
	/** The time by the server's clock, as far as this browser knows it. */
	now(): number;
	/** Everything that was made here and is still kept. */
	entries(): Promise<OutboxEntry[]>;
	readonly carts: Carts;
	close(): void;
}

/** @param userId returns the signed-in member */
export async function openLocalShop(
	businessId: string,
	userId: () => string,
): Promise<LocalShop> {
	const listeners = new Set<() => void>();
	let device: Device | undefined;
	let rescue = (): Contents => ({ device: [newDevice()] });
	/** What waits, what was refused and what the feed has not brought yet, by position. */
	let live = new Map<number, OutboxEntry>();
	const storage = await openStorage(businessId, () => rescue());
	await storage.use(readDevice);
	const goods = await openGoods(storage, businessId, () => void refresh());
	const carts = openCarts(storage, businessId);
	const turns = storage.isLasting
		? openTurns(`counterfoil-${businessId}`)
		: undefined;
	const exchange = openExchange(storage, goods, businessId);
	const outboxChannel = new BroadcastChannel(
		`counterfoil-outbox-${businessId}`,
	);
	let isOnline: boolean | undefined;
	let state: LocalState;
	let isClosed = false;
	let reading: Promise<void> = Promise.resolve();
	await refresh();
	storage.onStandIn(() => void refresh());

	/** Reads what is of interest anew, and tells of it. */
	async function refresh(changed = { catalogue: true }): Promise<void> {
		reading = reading.catch(console.error).then(async () => {
			if (isClosed) return;
			const version = versionSeen();
			const read = await storage.use((database) => readLive(database, version));
			device = read.device;
			live = new Map(read.entries.map((entry) => [positionOf(entry), entry]));
			show(changed.catalogue);
		});
		await reading;
	}

	/** Takes note of one entry that was made, here or in another window: a day's sales are not read again for each. */
	async function note(position: number): Promise<void> {
		reading = reading.catch(console.error).then(async () => {
			if (isClosed) return;
			const entry = await storage.use((database) =>
				database.get("outbox", position),
			);
			device = await storage.use((database) => database.get("device", only));
			if (entry) live.set(position, entry);
			show(true);
		});
		await reading;
	}

	function show(isCatalogueChanged: boolean): void {
		const entries = [...live.values()];
		const catalogue =
			isCatalogueChanged || !state ? catalogueOf(entries) : state.catalogue;
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
				isLasting: storage.isLasting,
				isPersisted: storage.isPersisted,
			},
		};
		for (const listener of listeners) listener();
	}

	/** How far the feed has come here. */
	function versionSeen(): number {
		return parseCursor(goods.cursor ?? "")?.version ?? 0;
	}

	function catalogueOf(entries: readonly OutboxEntry[]): Catalogue {
		const { products, categories } = withUnseen(goods, entries, versionSeen());
		return toCatalogue(products, categories);
	}

	/** All that this page knows, once the disk fails: under another device's name, as that of the disk may come back. */
	rescue = () => {
		const entries = [...live.values()]
			.filter((entry) => entry.state !== "acknowledged")
			.map((entry) => ({ ...entry, number: undefined }));
		const { cursor, business } = goods;
		const fresh: Device = {
			...newDevice(),
			cursor,
			epoch: parseCursor(cursor ?? "")?.epoch,
			clockOffsetMs: device?.clockOffsetMs,
		};
		return {
			products: [...goods.products.values()],
			categories: [...goods.categories.values()],
			businesses: business ? [business] : [],
			device: [fresh],
			outbox: entries,
			carts: carts.known(),
		};
	};

	/** In one of the browser's windows at a time; what is in memory is this window's alone. */
	async function exchangeInTurn(): Promise<void> {
		const isChanged =
			turns && storage.isLasting
				? await turns.inTurn(exchange)
				: await exchange(async () => {});
		tellOthers();
		await refresh({ catalogue: isChanged });
	}

	/** What is pending and what was refused is shown in each window. */
	function tellOthers(made?: number): void {
		if (!isClosed && storage.isLasting)
			outboxChannel.postMessage(made ?? "changed");
	}

	function close(): void {
		if (isClosed) return;
		isClosed = true;
		removeEventListener("pagehide", close);
		connection.close();
		outboxChannel.close();
		goods.close();
		carts.close();
		turns?.close();
		storage.close();
	}

	outboxChannel.onmessage = ({ data }: MessageEvent<number | "changed">) => {
		// What other windows write is on the disk.
		if (storage.isLasting) void (data === "changed" ? refresh() : note(data));
	};
	const connection = keepConnected({
		businessId,
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

	const shop: Omit<LocalShop, "client"> = {
		entries: () => storage.use((database) => database.getAll("outbox")),
		carts,
		state: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async mutate(name, argsOf, cartId, id) {
			const entry = await storage.use((database) =>
				append(database, name, argsOf, userId(), cartId, id),
			);
			if (cartId !== undefined) carts.letGo();
			tellOthers(positionOf(entry));
			await note(positionOf(entry));
			connection.soon();
			return entry;
		},
		entryOf: (id) =>
			storage.use((database) => database.getFromIndex("outbox", "id", id)),
		sync: connection.now,
		now: () => Date.now() + state.sync.clockOffsetMs,
		async retry(entry) {
			await storage.use((database) => offerAnew(database, entry));
			tellOthers();
			await refresh();
			await connection.now();
		},
		async discard(entry) {
			await storage.use((database) =>
				database.delete("outbox", positionOf(entry)),
			);
			tellOthers();
			await refresh();
		},
		async restore(entry) {
			await storage.use((database) => database.put("outbox", entry));
			tellOthers();
			await refresh();
		},
		close,
	};
	return { ...shop, client: clientOf(shop, businessId) };
}

function positionOf({ position }: OutboxEntry): number {
	return position as number;
}
