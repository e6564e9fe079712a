import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { MutationMessage } from "../../../sync/protocol/protocol.ts";
import { inBrowser } from "../testing/browser.ts";
import { databasesOf } from "../testing/old-storage.ts";
import { openBrowser, stockOf } from "../worker/testing/page.ts";

/**
 * As the client before this one left a browser, copied from one that it ran in: a sale of milk that the server took, a price
 * that it refused as the owner had become a cashier, a sale of bread that it has not got, bread in a cart, and sugar in a
 * held one.
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
type Made = MutationMessage & { args: { id: string } };

/** A browser with an old storage, whose server has answered what it says. @param prepare what is done in it next */
async function openOldBrowser(
	host: string,
	prepare: (
		before: Before & { old: OldStorage; unsent: Made },
	) => Promise<void> = async () => {},
) {
	let left: { old: OldStorage; refused: Made; unsent: Made } | undefined;
	const browser = await openBrowser(host, async (before) => {
		const { owner, server, page, url } = before;
		const old = leftBy(owner);
		const made = old.stores.outbox?.rows as Made[];
		const [refused, unsent] = made
			.slice(1)
			.map(({ id, name, args, at, by }) => ({ id, name, args, at, by })) as [
			Made,
			Made,
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

describe("what the client before this one kept, in Chromium (skipped where none is found)", () => {
	inBrowser.each([
		["the browser's files", "localhost", "disk"],
		["memory, on plain http,", "shop.test", "unsent"],
	])(
		"comes into %s without the server, stays where it was until the server has answered it, and arrives once",
		async (_, host, keeps) => {
			const { tab, openTab, server, old, refused, owner } =
				await openOldBrowser(host, ({ server }) => server.stop());
			const carts = [
				keeps === "disk" ? { lines: [{ productId: "bread" }] } : {},
				{ lines: [{ productId: "sugar" }], heldAt: expect.any(String) },
			];
			// The price is of a product that is not here yet.
			expect(tab.standing).toMatchObject({ keeps, pending: 1, rejected: [] });
			expect(await tab.call("carts")).toMatchObject(carts);
			// Nobody says good-bye.
			await tab.page.close();
			const again = await openTab();
			expect(again.standing).toMatchObject({ keeps, pending: 1, lost: 0 });
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
		"has what an older page in another tab sells until it is closed",
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

	inBrowser("is not made where there was none", async () => {
		const { tab } = await openBrowser();
		expect(await databasesOf(tab.page)).toEqual(["counterfoil-journal"]);
	});
});

/** As an older page does when it is told to let go: what was tapped before is sold first. */
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
