import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { MutationMessage } from "../../../sync/protocol/protocol.ts";
import { inBrowser } from "../testing/browser.ts";
import { databasesOf } from "../testing/old-storage.ts";
import { openBrowser, stockOf } from "../worker/testing/page.ts";

/**
 * What the previous client left in a real browser: an acknowledged sale of milk, a price rejected because the owner had
 * become a cashier, an unsent sale of bread, bread in a cart, and sugar in a held sale.
 */
const left = readFileSync(
	join(import.meta.dirname, "old-storage.json"),
	"utf8",
);

interface OldStorage {
	name: string;
	version: number;
	stores: Record<
		string,
		{
			keyPath: string | null;
			autoIncrement: boolean;
			indexes: { name: string; keyPath: string }[];
			keys: IDBValidKey[];
			rows: object[];
		}
	>;
}

function leftBy(owner: { businessId: string; userId: string }): OldStorage {
	const { businessId, userId } = owner;
	return JSON.parse(
		left.replaceAll("BUSINESS", businessId).replaceAll("OWNER", userId),
	);
}

async function write({ name, version, stores }: OldStorage): Promise<void> {
	const opening = indexedDB.open(name, version);
	opening.onupgradeneeded = () => {
		for (const [store, { keyPath, autoIncrement, indexes }] of Object.entries(
			stores,
		)) {
			const made = opening.result.createObjectStore(store, {
				...{ keyPath, autoIncrement },
			});
			for (const index of indexes) made.createIndex(index.name, index.keyPath);
		}
	};
	await new Promise((resolve) => {
		opening.onsuccess = resolve;
	});
	const old = opening.result;
	const tx = old.transaction(Object.keys(stores), "readwrite");
	for (const [store, { keyPath, keys, rows }] of Object.entries(stores))
		for (const [i, row] of rows.entries())
			tx.objectStore(store).put(row, keyPath === null ? keys[i] : undefined);
	await new Promise((resolve) => {
		tx.oncomplete = resolve;
	});
	old.close();
}

type Before = Parameters<NonNullable<Parameters<typeof openBrowser>[1]>>[0];
type UnsentSale = MutationMessage & { args: { id: string } };

/** A browser with the previous client's storage, as its server knows it. @param prepare runs before the app opens */
async function openOldBrowser(
	host: string,
	prepare: (
		before: Before & { old: OldStorage; unsent: UnsentSale },
	) => Promise<void> = async () => {},
) {
	let left:
		| { old: OldStorage; refused: UnsentSale; unsent: UnsentSale }
		| undefined;
	const browser = await openBrowser(host, async (before) => {
		const { owner, server, page, url } = before;
		const old = leftBy(owner);
		const made = old.stores.outbox?.rows as UnsentSale[];
		const [refused, unsent] = made
			.slice(1)
			.map(({ id, name, args, at, by }) => ({ id, name, args, at, by })) as [
			UnsentSale,
			UnsentSale,
		];
		left = { old, refused, unsent };
		const cashier = { ...owner, role: "CASHIER" as const };
		await server.now().shop.push(cashier, { mutations: [refused] });
		await page.goto(`${url}/healthz`);
		await page.evaluate(write, old as never);
		await prepare({ ...before, ...left });
	});
	return { ...browser, ...(left as NonNullable<typeof left>) };
}

describe("the previous client's storage, in Chromium (skipped where none is found)", () => {
	inBrowser.each([
		["the browser's files", "localhost", "disk"],
		["memory, on plain http,", "shop.test", "outbox"],
	])(
		"the previous client's data moves into %s offline, stays in place until the server has answered, and arrives once",
		async (_, host, storage) => {
			const { tab, openTab, server, old, refused, owner } =
				await openOldBrowser(host, ({ server }) => server.stop());
			const carts = [
				storage === "disk" ? { lines: [{ productId: "bread" }] } : {},
				{ lines: [{ productId: "sugar" }], heldAt: expect.any(String) },
			];
			// The price is for a product that this till doesn't have yet.
			expect(tab.standing).toMatchObject({ storage, pending: 1, rejected: [] });
			expect(await tab.call("carts")).toMatchObject(carts);
			// The tab crashes without cleaning up.
			await tab.page.close();
			const again = await openTab();
			expect(again.standing).toMatchObject({ storage, pending: 1, lost: 0 });
			expect(await again.call("carts")).toMatchObject(carts);
			expect(await databasesOf(again.page)).toContain(old.name);

			await server.start();
			await expect
				.poll(async () => {
					await again.call("tryNow");
					return again.call("standing");
				})
				.toMatchObject({
					pending: 0,
					rejected: [{ id: refused.id, error: { code: "forbidden" } }],
				});
			expect(
				await server
					.now()
					.rows("SELECT receipt_number, user_id, total FROM sales"),
			).toEqual([
				{
					receipt_number: "KGMX-000002",
					...{ user_id: owner.userId, total: 60e6 },
				},
			]);
			expect(await stockOf(again, "bread")).toBe(19);
			expect(await databasesOf(again.page)).toContain(old.name);
			await again.call("discard", refused.id);
			await expect
				.poll(async () => {
					await again.call("tryNow");
					return databasesOf(again.page);
				})
				.not.toContain(old.name);
		},
	);

	inBrowser(
		"sales of an older page in another tab move too, until that tab is closed",
		async () => {
			const { tab, unsent, salesOf, refused } = await openOldBrowser(
				"localhost",
				async ({ page, url, old, unsent }) => {
					const older = await page.context().newPage();
					await older.goto(`${url}/healthz`);
					const args = { ...unsent.args, id: "last", receiptNumber: null };
					const last = { ...unsent, id: "made-last", args, state: "pending" };
					await older.evaluate(sellAtTheLast, { name: old.name, last });
				},
			);
			await expect
				.poll(async () => {
					await tab.call("tryNow");
					return (await tab.call("standing"))?.rejected;
				})
				.toMatchObject([{ id: refused.id }]);
			await tab.call("discard", refused.id);
			for (const [look, expected] of [
				[salesOf, [unsent.args.id, "last"]],
				[() => databasesOf(tab.page), ["counterfoil-journal"]],
			] as const)
				await expect
					.poll(async () => {
						await tab.call("tryNow");
						return look();
					})
					.toEqual(expected);
		},
	);

	inBrowser(
		"no storage of the previous client is created if there was none",
		async () => {
			const { tab } = await openBrowser();
			expect(await databasesOf(tab.page)).toEqual(["counterfoil-journal"]);
		},
	);
});

/** Does what an older page does when asked to close its storage: first writes the sale tapped before. */
async function sellAtTheLast({ name, last }: { name: string; last: object }) {
	const opening = indexedDB.open(name);
	await new Promise((resolve) => {
		opening.onsuccess = resolve;
	});
	const old = opening.result;
	old.onversionchange = () => {
		const tx = old.transaction("outbox", "readwrite");
		tx.objectStore("outbox").add(last);
		tx.oncomplete = () => old.close();
	};
}
