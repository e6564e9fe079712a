import type { Page } from "playwright-core";

/** The time of the old storage's unsent sale: an hour ago. */
export const soldAt = new Date(Date.now() - 3_600_000).toISOString();

/** Writes the previous client's storage: an acknowledged sale, an unsent one, and a held cart. */
export function writeOldStorage(
	page: Page,
	of: { businessId: string; userId: string; prefix: string },
): Promise<void> {
	return page.evaluate(write, { ...of, soldAt });
}

/** The names of a browser's IndexedDB databases. */
export function databasesOf(page: Page) {
	return page.evaluate(async () =>
		(await indexedDB.databases()).map(({ name }) => name),
	);
}

async function write({
	businessId,
	userId,
	prefix,
	soldAt,
}: {
	businessId: string;
	userId: string;
	prefix: string;
	soldAt: string;
}) {
	const opening = indexedDB.open(`counterfoil-${businessId}`, 2);
	opening.onupgradeneeded = () => {
		const made = opening.result;
		made.createObjectStore("device");
		for (const name of ["products", "categories", "businesses", "carts"])
			made.createObjectStore(name, { keyPath: "id" });
		const outbox = made.createObjectStore("outbox", {
			keyPath: "position",
			autoIncrement: true,
		});
		for (const index of ["state", "id", "version"])
			outbox.createIndex(index, index);
	};
	await new Promise((resolve) => {
		opening.onsuccess = resolve;
	});
	const old = opening.result;
	const tx = old.transaction(["device", "outbox", "carts"], "readwrite");
	const line = {
		...{ id: "1", productId: "milk", name: "Milk", quantity: 2 },
		...{ price: 65, cost: 50, isService: false },
	};
	const device = { deviceId: "old-window", prefix, lastNumber: 42 };
	tx.objectStore("device").add({ ...device, lastReceipt: 42 }, "only");
	const entry = (id: string, number: number) => ({
		...{
			id: `made-${id}`,
			name: "sale.create",
			at: soldAt,
			by: userId,
			number,
		},
		args: {
			...{ id, items: [line], businessDay: soldAt.slice(0, 10) },
			receiptNumber: `${prefix}-0000${number}`,
		},
	});
	tx.objectStore("outbox").add({
		...{ ...entry("taken", 41), state: "acknowledged" },
		...{ version: 5, answeredAt: soldAt },
	});
	tx.objectStore("outbox").add({
		...entry("sold-before", 42),
		state: "pending",
	});
	tx.objectStore("carts").add({
		...{ id: "held", note: "Blue", heldAt: soldAt },
		lines: [{ ...line, listPrice: 65 }],
	});
	await new Promise((resolve) => {
		tx.oncomplete = resolve;
	});
	old.close();
}
