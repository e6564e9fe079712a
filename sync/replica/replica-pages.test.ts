import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { feedForm } from "../feed/feed-form.ts";
import { prefixOf } from "../log/prefix.ts";
import { pageRange, smallPageRange } from "../protocol/adaptive-limit.ts";
import { toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import type { Change, Page, PushResponse } from "../protocol/protocol.ts";
import { feedVersion } from "../protocol/protocol.ts";
import { openTestShop, openTestTill, type TestTill } from "../testing/shop.ts";

const envelope = {
	businessId: "shop-1",
	epoch: "e",
	serverNow: "2026-11-20T09:00:00.000Z",
	backedUpTo: 0,
	feed: feedVersion,
};

/** Rows of an entity that this till is too old to know, which it skips at no cost. */
function rowsAfter(version: number, count: number): Change[] {
	return Array.from({ length: count }, (_, i) => ({
		...{ entity: "spaceship", id: `s-${version + i + 1}` },
		...{ version: version + i + 1, deleted: true, row: null },
	}));
}

/**
 * A till whose server has so many rows, with a record of the requested page lengths.
 *
 * @param beforeAnswer called before each answer, with the number of the trip from 1
 */
async function openTill(
	rowCount: number,
	beforeAnswer: (trip: number, till: TestTill) => unknown = () => {},
	pages = pageRange,
) {
	const till = await openTestTill(await openTestShop(), { pages });
	const asked: number[] = [];
	let trips = 0;
	async function pageAfter(cursor: string, limit: number): Promise<Page> {
		trips += 1;
		asked.push(limit);
		await beforeAnswer(trips, till);
		const from = Number(cursor.split(".")[1] ?? 0);
		const changes = rowsAfter(from, Math.min(limit, rowCount - from));
		const to = from + changes.length;
		return { changes, cursor: `e.${to}`, hasMore: to < rowCount };
	}
	till.line.push = async (request) => {
		const { cursor, limit } = JSON.parse(request);
		return { results: [], ...(await pageAfter(cursor, limit)), ...envelope };
	};
	till.line.pull = async (cursor, limit) => ({
		...(await pageAfter(cursor, limit)),
		...envelope,
	});
	const version = async () => {
		const [row] = await till.rows("SELECT cursor_version FROM replica");
		return row?.cursor_version;
	};
	return { till, asked: () => asked.splice(0), version };
}

/** Answers once earlier pages are stored. */
async function afterStoring({ store }: TestTill): Promise<void> {
	await store.write(async () => {});
	for (let i = 0; i < 5; i += 1) await nextTurn();
}

test("a till that waits for its pages doubles their length up to the maximum [SYNC-8]", async () => {
	const { till, asked, version } = await openTill(60_000, (_trip, till) =>
		afterStoring(till),
	);
	await till.till.sync();
	expect(asked()).toEqual([2_500, 5_000, 10_000, 20_000, 20_000, 20_000]);
	expect(await version()).toBe(60_000);
});

test("a till whose pages come faster than it stores them does not lengthen them", async () => {
	const { till, asked, version } = await openTill(12_000);
	await till.till.sync();
	expect(asked()).toEqual([2_500, 5_000, 5_000]);
	expect(await version()).toBe(12_000);
});

test("a till with a single thread never lengthens its pages", async () => {
	const { till, asked, version } = await openTill(
		2_500,
		(_trip, till) => afterStoring(till),
		smallPageRange,
	);
	await till.till.sync();
	expect(asked()).toEqual([1_000, 1_000, 1_000]);
	expect(await version()).toBe(2_500);
});

test("a till in sync keeps its page length", async () => {
	const { till, asked } = await openTill(10);
	for (let i = 0; i < 3; i += 1) await till.till.sync();
	expect(asked()).toEqual([2_500, 2_500, 2_500]);
});

test.each([
	["unreachable", [2_500, 1_250, 625, 500, 500]],
	["storage_full", [2_500, 2_500, 2_500, 2_500, 2_500]],
] as const)(
	"a till whose pulls fail with %s requests %j rows",
	async (code, limits) => {
		const { till, asked } = await openTill(10, () => {
			throw new ShopError(code, "No answer");
		});
		for (let i = 0; i < 5; i += 1)
			await expect(till.till.sync()).rejects.toMatchObject({ code });
		expect(asked()).toEqual(limits);
	},
);

test("pages that came before the connection broke are stored, and the next sync continues after them [REBASE-1]", async () => {
	let breaksAt = 3;
	const { till, asked, version } = await openTill(9_000, (trip) => {
		if (trip === breaksAt) throw new ShopError("unreachable", "Line broke");
	});
	await expect(till.till.sync()).rejects.toThrow("Line broke");
	expect(await version()).toBe(7_500);
	expect(await till.till.status()).toMatchObject({ lastSyncAt: null });
	expect(asked()).toEqual([2_500, 5_000, 5_000]);
	breaksAt = 0;
	await till.till.sync();
	expect(asked()).toEqual([2_500]);
	expect(await version()).toBe(9_000);
});

test("an empty page does not change the page length, and later rows are reported", async () => {
	const { till, asked } = await openTill(5);
	const { push, pull } = till.line;
	till.line.push = async (request) => ({
		...(await push(request)),
		...{ changes: [], cursor: "e.0", hasMore: true },
	});
	let pulls = 0;
	till.line.pull = async (cursor, limit) => {
		const page = await pull(cursor, limit);
		pulls += 1;
		return { ...page, hasMore: pulls === 1 };
	};
	const told: string[] = [];
	till.till.onRows((rows) => told.push(...rows.map(({ id }) => id)));
	await till.till.sync();
	expect(asked()).toEqual([2_500, 2_500, 2_500]);
	expect(told).toEqual(["s-1", "s-2", "s-3", "s-4", "s-5"]);
});

test("a sync that has to end soon keeps the page that its push brought, and the next one goes on from there", async () => {
	const { till, version, asked } = await openTill(20_000);
	await till.till.sync({ mayGoOn: () => false });
	expect(asked()).toEqual([2_500]);
	expect(await version()).toBe(2_500);
	expect((await till.till.status()).lastSyncAt).toBeNull();
	await till.till.sync();
	expect(await version()).toBe(20_000);
	expect((await till.till.status()).lastSyncAt).not.toBeNull();
});

test.each([
	["one page", { first: 50, least: 50, most: 50 }, 0],
	["pages that are stored one by one", { first: 1, least: 1, most: 1 }, 1],
])(
	"a till synced last when it asked for the last of its rows, however long they took: %s",
	async (_pages, pages, least) => {
		const server = await openTestShop();
		const { shop, caller, env } = server;
		for (const id of ["a", "b", "c"])
			await shop.mutate(caller, categoryCreate, { id, name: id });
		const till = await openTestTill(server, { pages, rowsPerWrite: 1 });
		const { push, pull } = till.line;
		const asked: string[] = [];
		const slow = async <T>(answer: Promise<T>) => {
			asked.push(toIso(env.now()));
			await afterStoring(till);
			env.pass(120_000);
			return answer;
		};
		till.line.push = (request) => slow(push(request));
		till.line.pull = (cursor, limit) => slow(pull(cursor, limit));
		await till.till.sync();
		expect(asked.length).toBeGreaterThan(least);
		expect((await till.till.status()).lastSyncAt).toBe(asked.at(-1));
	},
);

test("a sync that can't store fails only after its last request has ended", async () => {
	const { till } = await openTill(9_000);
	const { pull } = till.line;
	const goOn = Promise.withResolvers<void>();
	const asked = Promise.withResolvers<void>();
	till.line.pull = async (cursor, limit) => {
		asked.resolve();
		await goOn.promise;
		return pull(cursor, limit);
	};
	const write = till.store.write.bind(till.store);
	// The push's results are saved, but not the page that came with them.
	const full = vi
		.spyOn(till.store, "write")
		.mockImplementationOnce(write)
		.mockRejectedValue(new ShopError("storage_full", "No room"));
	let hasEnded = false;
	const synced = till.till.sync().finally(() => {
		hasEnded = true;
	});
	synced.catch(() => {});
	await asked.promise;
	await write(async () => {});
	expect(hasEnded).toBe(false);
	goOn.resolve();
	await expect(synced).rejects.toMatchObject({ code: "storage_full" });
	full.mockRestore();
});

test("a reopened till continues at its cursor, or from the start if its program reads other rows [VER-5]", async () => {
	const { till, version } = await openTill(10);
	await till.till.sync();
	const before = await till.till.status();
	const server = await openTestShop();
	const again = await openTestTill(server, { file: till.file });
	expect(await again.till.status()).toEqual(before);
	expect(await version()).toBe(10);
	await till.store.write((tx) =>
		tx.run("UPDATE replica SET feed_form = 'older'"),
	);
	await openTestTill(server, { file: till.file });
	expect(await till.till.status()).toEqual(before);
	expect(
		await till.rows("SELECT cursor_version, resetting, feed_form FROM replica"),
	).toEqual([{ cursor_version: 0, resetting: 1, feed_form: feedForm() }]);
});

test.each<[string, Partial<PushResponse>]>([
	["no changes", { changes: undefined }],
	["no cursor", { cursor: undefined }],
	["no hasMore", { hasMore: undefined }],
	["an unreadable cursor", { cursor: "nonsense" }],
])(
	"an answer with %s counts as unreachable and is not stored",
	async (_, part) => {
		const { till, version } = await openTill(10);
		const { push } = till.line;
		till.line.push = async (request) => ({ ...(await push(request)), ...part });
		await expect(till.till.sync()).rejects.toMatchObject({
			code: "unreachable",
		});
		expect(await version()).toBe(0);
		expect(await till.till.status()).toMatchObject({
			lastSyncAt: null,
			paused: null,
		});
	},
);

test("a sync fails after the server's history changed at each of four attempts [SYNC-9]", async () => {
	const { till } = await openTill(1);
	let pushes = 0;
	till.line.push = async () => {
		pushes += 1;
		return { results: [], forked: true, ...envelope };
	};
	await expect(till.till.sync()).rejects.toMatchObject({
		code: "unreachable",
		message: "The server's history keeps changing",
	});
	expect(pushes).toBe(4);
});

test("concurrent calls of sync share one round, and a later call starts another [SYNC-1]", async () => {
	const { till, asked } = await openTill(10);
	await Promise.all([till.till.sync(), till.till.sync()]);
	expect(asked()).toHaveLength(1);
	await till.till.sync();
	expect(asked()).toHaveLength(1);
});

test("a till's status has its identity, its pending mutations, its last sync and the pause", async () => {
	const { till } = await openTill(1);
	const [{ device_id: deviceId } = {}] = await till.rows(
		"SELECT device_id FROM replica",
	);
	const fresh = {
		clockOffsetMs: 0,
		hasHistory: true,
		healed: null,
		deviceId,
		prefix: prefixOf("shop-1", deviceId as string),
		lastNumber: 0,
		paused: null,
		lastSyncAt: null,
		pending: 0,
		rejected: 0,
	};
	expect(await till.till.status()).toEqual(fresh);
	const { push } = till.line;
	till.line.push = async () => {
		throw new ShopError("unauthorized", "Signed out");
	};
	await expect(till.till.sync()).rejects.toMatchObject({
		code: "unauthorized",
		message: "Sign in again to sync",
	});
	expect(await till.till.status()).toEqual({
		...fresh,
		paused: "unauthorized",
	});
	await till.till.resume();
	expect(await till.till.status()).toEqual(fresh);
	till.line.push = push;
	await till.till.sync();
	expect(await till.till.status()).toEqual({
		...fresh,
		lastSyncAt: "2026-11-20T09:00:00.000Z",
	});
});
