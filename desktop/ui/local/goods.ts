import type { Business } from "../../../sync/entities/business.ts";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { type Change, type Page, parseCursor } from "../../../sync/protocol.ts";
import { type Device, type LocalDatabase, only } from "./database.ts";

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
	database: LocalDatabase,
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
		reading = reading.then(() => read(data)).then(onOthers, console.error);
	};

	async function readAll(): Promise<void> {
		const tx = database.transaction([
			"products",
			"categories",
			"businesses",
			"device",
		]);
		const [allProducts, allCategories, owned, device] = await Promise.all([
			tx.objectStore("products").getAll(),
			tx.objectStore("categories").getAll(),
			tx.objectStore("businesses").get(businessId),
			tx.objectStore("device").get(only),
		]);
		products.clear();
		categories.clear();
		for (const product of allProducts) products.set(product.id, product);
		for (const category of allCategories) categories.set(category.id, category);
		business = owned;
		cursor = device?.cursor;
	}

	async function read({ from, to, ...ids }: Written): Promise<void> {
		if (cursor === to) return;
		if (!ids.products || !ids.categories || cursor !== from) return readAll();
		const tx = database.transaction(["products", "categories", "businesses"]);
		await Promise.all([
			...ids.products.map(async (id) => {
				const product = await tx.objectStore("products").get(id);
				if (product) products.set(id, product);
				else products.delete(id);
			}),
			...ids.categories.map(async (id) => {
				const category = await tx.objectStore("categories").get(id);
				if (category) categories.set(id, category);
				else categories.delete(id);
			}),
		]);
		business = await tx.objectStore("businesses").get(businessId);
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
			const tx = database.transaction(
				["products", "categories", "businesses", "device"],
				"readwrite",
			);
			await tx.objectStore("products").clear();
			await tx.objectStore("categories").clear();
			products.clear();
			categories.clear();
			for (const product of snapshot.products) {
				products.set(product.id, product);
				tx.objectStore("products").put(product);
			}
			for (const category of snapshot.categories) {
				categories.set(category.id, category);
				tx.objectStore("categories").put(category);
			}
			business = snapshot.business;
			tx.objectStore("businesses").put(business);
			const device = (await tx.objectStore("device").get(only)) as Device;
			const to = snapshot.cursor;
			const epoch = parseCursor(to)?.epoch;
			tx.objectStore("device").put({ ...device, cursor: to, epoch }, only);
			await tx.done;
			wrote({ to });
		},

		async takePage({ changes, cursor: to }) {
			const ids = { products: [] as string[], categories: [] as string[] };
			const tx = database.transaction(
				["products", "categories", "businesses", "device"],
				"readwrite",
			);
			for (const { entity, id, deleted, row } of changes as Change[]) {
				if (entity === "product") {
					ids.products.push(id);
					if (deleted) {
						products.delete(id);
						tx.objectStore("products").delete(id);
					} else {
						products.set(id, row as unknown as Product);
						tx.objectStore("products").put(row as unknown as Product);
					}
				} else if (entity === "category") {
					ids.categories.push(id);
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
			const device = (await tx.objectStore("device").get(only)) as Device;
			tx.objectStore("device").put({ ...device, cursor: to }, only);
			await tx.done;
			if (to !== cursor) wrote({ to, ...ids });
			return ids.products.length + ids.categories.length > 0;
		},

		async catchUp() {
			await reading;
			const device = await database.get("device", only);
			if (device?.cursor === cursor) return false;
			await readAll();
			return true;
		},

		close: () => channel.close(),
	};
}
