import type { Business } from "../../../sync/entities/business.ts";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { toDecimal, toMicros } from "../../../sync/money.ts";
import {
	type Change,
	type Page,
	type PullAnswer,
	type PushAnswer,
	parseCursor,
} from "../../../sync/protocol.ts";
import { few, openReach, type ReachOptions } from "../../../sync/reach.ts";
import { ApiError, ask } from "../api.ts";
import { type Catalogue, toCatalogue } from "./catalogue.ts";
import {
	type Device,
	type LocalDatabase,
	type OutboxEntry,
	only,
	openLocal,
} from "./database.ts";
import {
	append,
	beginAnew,
	nextBatch,
	prune,
	readDevice,
	reoffer,
	takeResults,
	toMessage,
	unseenStock,
} from "./outbox.ts";

const retryMs = 10_000;
/** A large catalogue takes a while on a slow line, once. */
const snapshotMs = 180_000;
const healthMs = 5_000;
/** Mutations of a batch, and rows of a page: a browser waits less long for each than a desktop till. */
const batchReach: ReachOptions = { first: 100, least: 1, most: 100 };
const pageReach: ReachOptions = { first: 1_000, least: 100, most: 1_000 };

/** How this browser stands to the server. */
export interface SyncState {
	/** Undefined until it was first tried. */
	isOnline: boolean | undefined;
	pending: number;
	rejected: OutboxEntry[];
	lastSyncAt: string | undefined;
	deviceId: string | undefined;
	prefix: string | undefined;
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
	/** Makes a mutation: written down here when this resolves, sent when the server can be reached. */
	mutate(
		name: string,
		argsOf: (receiptNumber: () => string) => unknown,
	): Promise<OutboxEntry>;
	/** Where a mutation of this browser's stands. */
	entryOf(id: string): Promise<OutboxEntry | undefined>;
	/** Tries to reach the server now. */
	sync(): Promise<void>;
	retry(entry: OutboxEntry): Promise<void>;
	discard(entry: OutboxEntry): Promise<void>;
	readonly database: LocalDatabase;
	close(): void;
}

export async function openLocalShop(businessId: string): Promise<LocalShop> {
	const database = await openLocal(businessId);
	const listeners = new Set<() => void>();
	const products = new Map<string, Product>();
	const categories = new Map<string, Category>();
	let device: Device = await readDevice(database);
	let taken = new Map<string, number>();
	let business: Business | undefined;
	let isOnline: boolean | undefined;
	let syncing: Promise<void> | undefined;
	let state: LocalState;
	let events: EventSource | undefined;
	let isClosed = false;
	const batchSize = openReach(batchReach);
	const pageRows = openReach(pageReach);

	for (const product of await database.getAll("products"))
		products.set(product.id, product);
	for (const category of await database.getAll("categories"))
		categories.set(category.id, category);
	business = await database.get("businesses", businessId);
	await refresh();

	/** Makes the state anew and tells of it. */
	async function refresh(changed = { catalogue: true }): Promise<void> {
		if (isClosed) return;
		const entries = await database.getAll("outbox");
		const version = parseCursor(device.cursor ?? "")?.version ?? 0;
		taken = unseenStock(entries, version);
		const catalogue =
			changed.catalogue || !state
				? toCatalogue([...products.values()].map(withStock), [
						...categories.values(),
					])
				: state.catalogue;
		state = {
			isLoaded: device.cursor !== undefined,
			catalogue,
			business,
			sync: {
				isOnline,
				pending: entries.filter((entry) => entry.state === "pending").length,
				rejected: entries.filter((entry) => entry.state === "rejected"),
				lastSyncAt: device.lastSyncAt,
				deviceId: device.deviceId,
				prefix: device.prefix,
			},
		};
		for (const listener of listeners) listener();
	}

	/** A product with what was sold here taken from its stock. */
	function withStock(product: Product): Product {
		const sold = taken.get(product.id);
		if (sold === undefined) return product;
		const quantity = toDecimal(toMicros(product.quantity) - sold);
		return { ...product, quantity };
	}

	async function keepDevice(change: Partial<Device>): Promise<void> {
		const tx = database.transaction("device", "readwrite");
		device = { ...((await tx.store.get(only)) as Device), ...change };
		await tx.store.put(device, only);
		await tx.done;
	}

	/** Everything that is sold, as it is now; what changes from here on comes by the feed. */
	async function takeSnapshot(): Promise<void> {
		const cursor = await headCursor();
		const [active, inactive, allCategories, owned] = await Promise.all([
			ask<Product[]>("GET", "/api/products", undefined, snapshotMs),
			ask<Product[]>("GET", "/api/inactive-products", undefined, snapshotMs),
			ask<Category[]>("GET", "/api/categories"),
			ask<Business>("GET", "/api/business"),
		]);
		const tx = database.transaction(
			["products", "categories", "businesses"],
			"readwrite",
		);
		await tx.objectStore("products").clear();
		await tx.objectStore("categories").clear();
		products.clear();
		categories.clear();
		for (const product of [...active, ...inactive]) {
			products.set(product.id, product);
			tx.objectStore("products").put(product);
		}
		for (const category of allCategories) {
			categories.set(category.id, category);
			tx.objectStore("categories").put(category);
		}
		business = owned;
		tx.objectStore("businesses").put(owned);
		await tx.done;
		await keepDevice({ cursor, epoch: parseCursor(cursor)?.epoch });
	}

	async function takePage({ changes, cursor }: Page): Promise<boolean> {
		const tx = database.transaction(
			["products", "categories", "businesses"],
			"readwrite",
		);
		let isCatalogue = false;
		for (const { entity, id, deleted, row } of changes as Change[]) {
			if (entity === "product") {
				isCatalogue = true;
				if (deleted) {
					products.delete(id);
					tx.objectStore("products").delete(id);
				} else {
					products.set(id, row as unknown as Product);
					tx.objectStore("products").put(row as unknown as Product);
				}
			} else if (entity === "category") {
				isCatalogue = true;
				if (deleted) {
					categories.delete(id);
					tx.objectStore("categories").delete(id);
				} else {
					categories.set(id, row as unknown as Category);
					tx.objectStore("categories").put(row as unknown as Category);
				}
			} else if (entity === "business" && row) {
				business = row as unknown as Business;
				tx.objectStore("businesses").put(business);
			}
		}
		await tx.done;
		await keepDevice({ cursor });
		return isCatalogue;
	}

	/** Sends what is pending, in order, and takes what is new. */
	async function exchange(): Promise<void> {
		let isCatalogue = false;
		if (device.cursor === undefined) {
			await takeSnapshot();
			isCatalogue = true;
		}
		for (let after = 0; ; ) {
			device = await readDevice(database);
			const most = batchSize.count;
			const batch = await nextBatch(database, after, most);
			const answer = await inReach(batch.length, (limit) =>
				ask<PushAnswer>("POST", "/api/sync", {
					mutations: batch.map(toMessage),
					deviceId: device.deviceId,
					lastNumber: device.lastNumber,
					...(device.prefix === undefined ? {} : { prefix: device.prefix }),
					cursor: device.cursor,
					limit,
				}),
			);
			if (answer.forked) {
				const { cursor, epoch } = device;
				await beginAnew(database);
				await keepDevice({ cursor, epoch });
				continue;
			}
			await takeResults(database, batch, answer.results);
			// One that prints receipts already keeps what it prints, unless another device has it.
			if (answer.prefix !== undefined && answer.prefix !== device.prefix)
				await keepDevice({
					prefix: answer.prefix,
					...(device.prefix === undefined ? {} : { lastReceipt: 0 }),
				});
			if (answer.reset || answer.epoch !== device.epoch) {
				await reoffer(database);
				await takeSnapshot();
				isCatalogue = true;
				after = 0;
				continue;
			}
			let page = answer as Page;
			isCatalogue = (await takePage(page)) || isCatalogue;
			while (page.hasMore) {
				const { cursor } = page;
				page = await inReach(0, (limit) =>
					ask<PullAnswer>(
						"GET",
						`/api/sync?cursor=${encodeURIComponent(cursor)}&limit=${limit}`,
					),
				);
				if (page.reset) break;
				isCatalogue = (await takePage(page)) || isCatalogue;
			}
			await prune(database, answer);
			const last = batch.at(-1)?.position;
			if (last === undefined || batch.length < most) break;
			batchSize.grow();
			after = last;
		}
		await keepDevice({ lastSyncAt: new Date().toISOString() });
		await refresh({ catalogue: isCatalogue });
	}

	/** Sends so many mutations and asks for so many rows as the line bears: after a failure fewer of both, when it is tried again. */
	async function inReach<T extends Partial<Page>>(
		sent: number,
		exchanged: (rows: number) => Promise<T>,
	): Promise<T> {
		const rows = pageRows.count;
		try {
			const answer = await exchanged(rows);
			if (answer.hasMore) pageRows.grow();
			return answer;
		} catch (error) {
			const isLost = error instanceof ApiError && error.isOffline;
			// A proxy on the way may allow less than the server does.
			const isTooLarge = error instanceof ApiError && error.status === 413;
			if (isLost) pageRows.shrink(rows);
			if (isTooLarge || (isLost && sent > few)) batchSize.shrink(sent);
			throw error;
		}
	}

	/** A server that is away is no thin line. */
	async function exchangeWhereReached(): Promise<void> {
		if (isOnline === false) {
			const health = await ask<{ ok?: boolean }>(
				"GET",
				"/healthz",
				undefined,
				healthMs,
			);
			if (health.ok !== true) throw new ApiError(0, "Something else answers");
		}
		await exchange();
	}

	/** One exchange at a time, in one of the browser's windows. */
	async function sync(): Promise<void> {
		syncing ??= navigator.locks
			.request(`counterfoil-${businessId}`, exchangeWhereReached)
			.then(
				() => setOnline(true),
				(error) => {
					if (!(error instanceof ApiError)) console.error(error);
					setOnline(error instanceof ApiError && !error.isOffline);
				},
			)
			.catch((error) => {
				// What a page was doing when it was left is done again by the next one.
				if (!isClosed) throw error;
			})
			.finally(() => {
				syncing = undefined;
			});
		return syncing;
	}

	function setOnline(value: boolean): Promise<void> {
		const wasOnline = isOnline;
		isOnline = value;
		if (value) listen();
		return wasOnline === value
			? Promise.resolve()
			: refresh({ catalogue: false });
	}

	/** The server says when there is something to take. */
	function listen(): void {
		if (events && events.readyState !== EventSource.CLOSED) return;
		events = new EventSource("/api/sync");
		events.addEventListener("head", ({ data }) => {
			if (data !== device.cursor) void sync();
		});
		events.addEventListener("error", () => {
			void sync();
		});
	}

	const timer = setInterval(() => {
		if (isOnline !== true || state.sync.pending > 0) void sync();
	}, retryMs);
	const onOnline = () => void sync();
	addEventListener("online", onOnline);
	addEventListener("offline", onOnline);
	addEventListener("pagehide", close);
	void sync();

	function close(): void {
		isClosed = true;
		clearInterval(timer);
		removeEventListener("online", onOnline);
		removeEventListener("offline", onOnline);
		removeEventListener("pagehide", close);
		events?.close();
		database.close();
	}

	return {
		database,
		state: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async mutate(name, argsOf) {
			const entry = await append(database, name, argsOf);
			device = await readDevice(database);
			await refresh();
			void sync();
			return entry;
		},
		entryOf: (id) => database.getFromIndex("outbox", "id", id),
		sync,
		async retry(entry) {
			await database.put("outbox", {
				...entry,
				state: "pending",
				error: undefined,
			});
			await refresh();
			await sync();
		},
		async discard(entry) {
			await database.delete("outbox", entry.position as number);
			await refresh();
		},
		close,
	};
}

/** Where the server's feed stands now: the first word of its stream. */
async function headCursor(): Promise<string> {
	return new Promise((resolve, reject) => {
		const events = new EventSource("/api/sync");
		events.addEventListener("head", ({ data }) => {
			events.close();
			resolve(data as string);
		});
		events.addEventListener("error", () => {
			events.close();
			reject(new ApiError(0, "The server can't be reached"));
		});
	});
}
