import type { Business } from "../../../sync/entities/business.ts";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { type Change, type Page, parseCursor } from "../../../sync/protocol.ts";
import { type Device, only } from "./database.ts";
import type { Storage } from "./storage.ts";

/** What this version of the app reads of the feed (sync/feed-form.ts). */
declare const __FEED_FORM__: string;

/** All that a server answers of what it sells. */
export interface Snapshot {
	cursor: string;
	products: readonly Product[];
	categories: readonly Category[];
	business: Business;
}

/** What one window wrote, for the others to read again. */
interface Written {
	from: string | undefined;
	to: string;
	/** Absent where it is everything. */
	products?: string[];
	categories?: string[];
}

/** What the shop sells as the server has it: in memory, and in the storage that all of the browser's windows share. */
export interface Goods {
	readonly products: ReadonlyMap<string, Product>;
	readonly categories: ReadonlyMap<string, Category>;
	readonly business: Business | undefined;
	/** How far of the feed this window shows. */
	readonly cursor: string | undefined;
	takeSnapshot(snapshot: Snapshot): Promise<void>;
	/** @returns whether anything that is sold changed */
	takePage(page: Page): Promise<boolean>;
	/** Reads what other windows wrote and did not tell of, as to one that slept. @returns whether there was any */
	catchUp(): Promise<boolean>;
	close(): void;
}

/** @param onOthers called where another window has changed what is sold */
export async function openGoods(
	storage: Storage,
	businessId: string,
	onOthers: () => void,
): Promise<Goods> {
	const channel = new BroadcastChannel(`counterfoil-goods-${businessId}`);
	const products = new Map<string, Product>();
	const categories = new Map<string, Category>();
	let business: Business | undefined;
	let cursor: string | undefined;
	let reading: Promise<unknown> = Promise.resolve();

	channel.onmessage = ({ data }: MessageEvent<Written>) => {
		// What other windows write is on the disk.
		if (!storage.isLasting) return;
		reading = reading.then(() => read(data)).then(onOthers, console.error);
	};

	async function readAll(): Promise<void> {
		const [allProducts, allCategories, owned, device] = await storage.use(
			(database) => {
				const tx = database.transaction([
					"products",
					"categories",
					"businesses",
					"device",
				]);
				return Promise.all([
					tx.objectStore("products").getAll(),
					tx.objectStore("categories").getAll(),
					tx.objectStore("businesses").get(businessId),
					tx.objectStore("device").get(only),
				]);
			},
		);
		products.clear();
		categories.clear();
		for (const product of allProducts) products.set(product.id, product);
		for (const category of allCategories) categories.set(category.id, category);
		business = owned;
		// Another version of the app left out what this one shows, or has what this one can't read.
		cursor = device?.feedForm === __FEED_FORM__ ? device.cursor : undefined;
	}

	async function read({ from, to, ...ids }: Written): Promise<void> {
		if (cursor === to) return;
		if (!ids.products || !ids.categories || cursor !== from) return readAll();
		const { products: productIds, categories: categoryIds } = ids;
		const [readProducts, readCategories, owned] = await storage.use(
			(database) => {
				const tx = database.transaction([
					"products",
					"categories",
					"businesses",
				]);
				return Promise.all([
					Promise.all(
						productIds.map((id) => tx.objectStore("products").get(id)),
					),
					Promise.all(
						categoryIds.map((id) => tx.objectStore("categories").get(id)),
					),
					tx.objectStore("businesses").get(businessId),
				]);
			},
		);
		replace(products, productIds, readProducts);
		replace(categories, categoryIds, readCategories);
		business = owned;
		cursor = to;
	}

	function wrote(written: Omit<Written, "from">): void {
		channel.postMessage({ from: cursor, ...written } satisfies Written);
		cursor = written.to;
	}

	await readAll();
	return {
		products,
		categories,
		get business() {
			return business;
		},
		get cursor() {
			return cursor;
		},

		async takeSnapshot(snapshot) {
			const to = snapshot.cursor;
			const epoch = parseCursor(to)?.epoch;
			await storage.use(async (database) => {
				const tx = database.transaction(
					["products", "categories", "businesses", "device"],
					"readwrite",
				);
				await tx.objectStore("products").clear();
				await tx.objectStore("categories").clear();
				for (const product of snapshot.products)
					tx.objectStore("products").put(product);
				for (const category of snapshot.categories)
					tx.objectStore("categories").put(category);
				tx.objectStore("businesses").put(snapshot.business);
				const device = (await tx.objectStore("device").get(only)) as Device;
				const feedForm = __FEED_FORM__;
				tx.objectStore("device").put(
					{ ...device, cursor: to, epoch, feedForm },
					only,
				);
				await tx.done;
			});
			products.clear();
			categories.clear();
			for (const product of snapshot.products)
				products.set(product.id, product);
			for (const category of snapshot.categories)
				categories.set(category.id, category);
			business = snapshot.business;
			wrote({ to });
		},

		async takePage({ changes, cursor: to }) {
			const changed = {
				products: new Map<string, Product | undefined>(),
				categories: new Map<string, Category | undefined>(),
			};
			let owned = business;
			for (const { entity, id, deleted, row } of changes as Change[]) {
				const kept = deleted ? undefined : (row as unknown);
				if (entity === "product")
					changed.products.set(id, kept as Product | undefined);
				else if (entity === "category")
					changed.categories.set(id, kept as Category | undefined);
				else if (entity === "business" && kept) owned = kept as Business;
			}
			await storage.use(async (database) => {
				const tx = database.transaction(
					["products", "categories", "businesses", "device"],
					"readwrite",
				);
				for (const [id, product] of changed.products)
					if (product) tx.objectStore("products").put(product);
					else tx.objectStore("products").delete(id);
				for (const [id, category] of changed.categories)
					if (category) tx.objectStore("categories").put(category);
					else tx.objectStore("categories").delete(id);
				if (owned) tx.objectStore("businesses").put(owned);
				const device = (await tx.objectStore("device").get(only)) as Device;
				tx.objectStore("device").put({ ...device, cursor: to }, only);
				await tx.done;
			});
			const ids = {
				products: [...changed.products.keys()],
				categories: [...changed.categories.keys()],
			};
			replace(products, ids.products, [...changed.products.values()]);
			replace(categories, ids.categories, [...changed.categories.values()]);
			business = owned;
			if (to !== cursor) wrote({ to, ...ids });
			return ids.products.length + ids.categories.length > 0;
		},

		async catchUp() {
			await reading;
			const device = await storage.use((database) =>
				database.get("device", only),
			);
			if (device?.cursor === cursor) return false;
			await readAll();
			return true;
		},

		close: () => channel.close(),
	};
}

/** @param rows undefined for what is gone */
function replace<T>(
	held: Map<string, T>,
	ids: readonly string[],
	rows: readonly (T | undefined)[],
): void {
	for (const [i, id] of ids.entries()) {
		const row = rows[i];
		if (row) held.set(id, row);
		else held.delete(id);
	}
}
