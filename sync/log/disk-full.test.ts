import { join } from "node:path";
import { expect, test } from "vitest";
import { productCreate, productUpdate } from "../entities/product.ts";
import { mountSmallDisk, noSmallDisk } from "../testing/disk.ts";
import {
	expectInStep,
	openTestShop,
	openTestTill,
	salesOf,
	type TestTill,
	testDir,
} from "../testing/shop.ts";

/** A till whose disk a test fills and clears. */
interface CrampedTill {
	till: TestTill;
	fill(): Promise<void>;
	clear(): Promise<void>;
}

async function openShop() {
	const server = await openTestShop();
	await server.shop.mutate(server.caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 60,
		sellingPrice: 100,
		quantity: 10_000,
	});
	return server;
}

type Server = Awaited<ReturnType<typeof openShop>>;

async function onSmallDisk(server: Server): Promise<CrampedTill> {
	const disk = mountSmallDisk(6);
	const till = await openTestTill(server, { file: join(disk.dir, "till.db") });
	return {
		till,
		fill: async () => disk.fill(),
		clear: async () => disk.clear(),
	};
}

async function withFewPages(server: Server): Promise<CrampedTill> {
	const till = await openTestTill(server, { file: join(testDir(), "till.db") });
	const limit = async (pages: number) => {
		await till.store.write((tx) => tx.get(`PRAGMA max_page_count = ${pages}`));
	};
	return { till, fill: () => limit(1), clear: () => limit(1_000_000) };
}

/**
 * Some sales may still fit in between.
 *
 * @returns the acknowledged sales, and the error of the last one
 */
async function sellUntilRefused(till: TestTill) {
	const sold: string[] = [];
	for (let n = 0; n < 5_000; n += 1) {
		const refusal = await till.sell({ milk: 1 }).then(
			(id) => void sold.push(id),
			(error: unknown) => error,
		);
		if (refusal) return { sold, refusal };
	}
	throw new Error("The disk was never full");
}

async function expectTillSurvives(
	open: (server: Server) => Promise<CrampedTill>,
): Promise<void> {
	const server = await openShop();
	const { till, fill, clear } = await open(server);
	await till.till.sync();
	const acknowledged = [await till.sell({ milk: 2 })];

	await fill();
	const { sold, refusal } = await sellUntilRefused(till);
	acknowledged.push(...sold);
	expect(refusal).toMatchObject({
		name: "ShopError",
		code: "storage_full",
		message: "The disk is full",
	});
	// It shows its sales, and nothing of the refused one.
	expect(await salesOf(till)).toEqual(acknowledged.toSorted());
	expect(await till.quantityOf("milk")).toBe(10_000 - 2 - sold.length);
	expect(await till.till.status()).toMatchObject({
		pending: acknowledged.length,
		rejected: 0,
	});

	// The server sends more than there is room for.
	for (let i = 0; i < 200; i += 1)
		await server.shop.mutate(server.caller, productCreate, {
			id: `tea-${i}`,
			name: `Tea ${"x".repeat(180)} ${i}`,
			buyingPrice: 1,
			sellingPrice: 2,
			quantity: i,
		});
	await server.shop.mutate(server.caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 110 },
	});
	const before = await till.till.digest();
	await expect(till.till.sync()).rejects.toMatchObject({
		code: "storage_full",
	});
	expect(await till.till.digest()).toBe(before);
	expect(await salesOf(till)).toEqual(acknowledged.toSorted());

	await clear();
	acknowledged.push(await till.sell({ milk: 1 }));
	await till.till.sync();
	expect(await salesOf(server)).toEqual(acknowledged.toSorted());
	await expectInStep(server, till);
	expect(await till.quantityOf("milk")).toBe(10_000 - acknowledged.length - 1);
	expect(await till.rows("PRAGMA integrity_check")).toEqual([
		{ integrity_check: "ok" },
	]);
}

const what =
	"a till with a full disk reports it, keeps its sales and goes on when there is room";

test.skipIf(noSmallDisk)(
	noSmallDisk ? `${what} (skipped: ${noSmallDisk})` : what,
	() => expectTillSurvives(onSmallDisk),
);

test("a till whose database may not grow reports it, keeps its sales and goes on when there is room", () =>
	expectTillSurvives(withFewPages));
