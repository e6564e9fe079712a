import { expect, test, vi } from "vitest";
import { businessUpdate, createBusiness } from "../entities/business.ts";
import { productUpdate } from "../entities/product.ts";
import { formatReceipt } from "../log/devices.ts";
import type { ProofKey, ProofKeyOf } from "../log/proof.ts";
import { ShopError } from "../protocol/errors.ts";
import { bodyMaxBytes } from "../protocol/protocol.ts";
import { testBusiness } from "../testing/business.ts";
import {
	addMember,
	addMilk,
	copyDatabase,
	message,
	openTestShop,
	openTestTill,
	salesOf,
	syncStubbornly,
	type TestTill,
} from "../testing/shop.ts";
import { batchBytesMax } from "./push-outbox.ts";

/** A till whose batches hold two sales, or the given number of bytes. */
async function openTill({ batchBytes = 2_000 } = {}) {
	const server = await openTestShop();
	await addMilk(server);
	const a = await openTestTill(server, { batchBytes });
	await a.till.sync();
	a.line.pushes.length = 0;
	return { server, a };
}

/** Returns and clears the recorded pushes. */
const takePushes = ({ line }: TestTill) => line.pushes.splice(0);
const sizesOf = (till: TestTill) =>
	takePushes(till).map(({ mutations }) => mutations.length);

async function sellTimes(till: TestTill, times: number): Promise<void> {
	for (let i = 0; i < times; i += 1) await till.sell({ milk: 1 });
}

const readCursor = async ({ rows }: TestTill) => {
	const [row] = await rows(
		"SELECT epoch || '.' || cursor_version || CASE cursor_proof WHEN '' THEN '' ELSE '.' || cursor_proof END AS cursor FROM replica",
	);
	return row?.cursor as string;
};

test("each push carries the till's identity, its progress and the page that it wants, and no more [DEV-3]", async () => {
	const server = await openTestShop();
	await addMilk(server);
	// It sold without a server before its first sync.
	const a = await openTestTill(server, { batchBytes: 2_000 });
	await a.store.write((tx) => createBusiness(tx, testBusiness("shop-1")));
	const { deviceId } = await a.till.status();
	await sellTimes(a, 5);
	const { prefix } = await a.till.status();
	const always = { businessId: "shop-1", deviceId, prefix, lastNumber: 5 };
	const sent = await a.rows(
		"SELECT mutation_id AS id, number FROM outbox ORDER BY position",
	);
	expect(sent.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
	const mutations = sent.map((row) => expect.objectContaining(row));
	await a.till.sync();
	const taken = await a.rows(
		"SELECT mutation_id AS id, server_version AS version FROM outbox ORDER BY position",
	);
	const cursor = await readCursor(a);
	const start = `${cursor.split(".")[0]}.0`;
	await a.till.sync();
	expect(takePushes(a)).toEqual([
		{
			...always,
			mutations: mutations.slice(0, 2),
			settled: 0,
			settles: 2,
			cursor: "",
			limit: 0,
		},
		// It was prepared before the first was answered, and names the last that was applied.
		{
			...always,
			mutations: mutations.slice(2, 4),
			settled: 0,
			settles: 4,
			taken: taken[1],
			cursor: start,
			limit: 0,
		},
		// It has just got the epoch and the results of the batches before.
		{
			...always,
			mutations: mutations.slice(4),
			settled: 4,
			settles: 5,
			taken: taken[3],
			cursor: start,
			limit: 2_500,
		},
		{
			...always,
			mutations: [],
			settled: 5,
			settles: 5,
			taken: taken[4],
			cursor,
			limit: 2_500,
		},
	]);
	expect(await salesOf(server)).toHaveLength(5);
});

test("a till computes its clock's offset from the middle of a trip, and saves the time of the answer [CLOCK-2]", async () => {
	const server = await openTestShop();
	const slow = { ...server.env, now: () => server.env.now() - 3_600_000 };
	const till = await openTestTill(server, { env: slow });
	await till.till.sync();
	await till.sell({ milk: 1 });
	const { push } = till.line;
	till.line.push = async (request) => {
		server.env.pass(3_000);
		const answer = await push(request);
		server.env.pass(4_001);
		return answer;
	};
	const sentAt = slow.now();
	await till.till.sync();
	// The server read its clock 500.5 ms before the middle.
	expect(await till.rows("SELECT clock_offset_ms FROM replica")).toEqual([
		{ clock_offset_ms: 3_600_000 - 500 },
	]);
	expect(await till.rows("SELECT answered_at FROM outbox")).toEqual([
		{ answered_at: new Date(sentAt + 7_001).toISOString() },
	]);
});

test.each([
	[10, [10, 10]],
	[11, [11, 5, 5, 1]],
])(
	"a lost batch of %i is sent again in halves if its length may be the cause",
	async (count, sizes) => {
		const { server, a } = await openTill({ batchBytes: 1e6 });
		await sellTimes(a, count);
		a.line.lose = (trip) => (trip === 2 ? "reply" : undefined);
		await syncStubbornly(a);
		expect(sizesOf(a)).toEqual(sizes);
		expect(await salesOf(server)).toHaveLength(count);
	},
);

test("a batch that a busy server refuses is sent again at full length", async () => {
	const { a } = await openTill({ batchBytes: 1e6 });
	await sellTimes(a, 11);
	const { push } = a.line;
	a.line.push = async (request) => {
		await push(request);
		a.line.push = push;
		throw new ShopError("storage_busy", "Busy");
	};
	await expect(a.till.sync()).rejects.toMatchObject({ code: "storage_busy" });
	await a.till.sync();
	expect(sizesOf(a)).toEqual([11, 11]);
});

test("batches grow again after each that arrives with more to send", async () => {
	const { a } = await openTill({ batchBytes: 1e6 });
	await sellTimes(a, 22);
	a.line.lose = (trip) => (trip === 2 ? "request" : undefined);
	await expect(a.till.sync()).rejects.toThrow("Request lost");
	await a.till.sync();
	// The next one is read while one is on its way.
	expect(sizesOf(a)).toEqual([11, 11]);
	await sellTimes(a, 40);
	await a.till.sync();
	expect(sizesOf(a)).toEqual([13, 13, 14]);
});

test("a batch of a till leaves room in the body for the envelope [OUT-7]", () => {
	expect(batchBytesMax).toBe(4_000_000);
	expect(batchBytesMax).toBeLessThan(bodyMaxBytes);
});

test("a batch that is too long for a proxy is sent in halves immediately, in order, and grows again [OUT-7]", async () => {
	const { server, a } = await openTill({ batchBytes: 1e6 });
	await sellTimes(a, 9);
	const { push } = a.line;
	const sizes: number[] = [];
	a.line.push = async (request) => {
		const { length } = JSON.parse(request).mutations;
		sizes.push(length);
		if (length > 2) throw new ShopError("too_large", "Entity too large");
		return push(request);
	};
	await a.till.sync();
	expect(sizes).toEqual([9, 4, 2, 2, 3, 1, 1, 2, 1]);
	expect(await salesOf(server)).toHaveLength(9);
});

test("a sync fails if results can't be saved, even if the next batch arrived", async () => {
	const { a } = await openTill();
	await sellTimes(a, 3);
	const { push } = a.line;
	let pushes = 0;
	a.line.push = async (request) => {
		pushes += 1;
		if (pushes === 2)
			vi.spyOn(a.store, "write").mockRejectedValue(
				new ShopError("storage_full", "No room"),
			);
		return push(request);
	};
	await sellTimes(a, 2);
	await expect(a.till.sync()).rejects.toMatchObject({ code: "storage_full" });
	vi.restoreAllMocks();
	await a.till.sync();
	expect(await a.till.status()).toMatchObject({ pending: 0, rejected: 0 });
});

test("a push refused as forked saves no results", async () => {
	const { server, a } = await openTill();
	await a.sell({ milk: 1 });
	await a.till.sync();
	const { deviceId } = await a.till.status();
	// As if another copy of this till had got further.
	await server.store.write((tx) =>
		tx.run("UPDATE devices SET last_number = 9 WHERE id = ?", deviceId),
	);
	await a.sell({ milk: 1 });
	a.line.lose = (trip) => (trip === 4 ? "request" : undefined);
	await expect(a.till.sync()).rejects.toThrow("Request lost");
	expect((await a.till.status()).deviceId).not.toBe(deviceId);
	expect(
		await a.rows(
			"SELECT error, answered_at FROM outbox WHERE state = 'pending'",
		),
	).toEqual([{ error: null, answered_at: null }]);
	// It prints with a prefix that its twin never uses, and pulls everything again.
	await a.sell({ milk: 1 });
	const receipts = await a.rows("SELECT receipt_number FROM sales");
	expect(receipts.at(-1)?.receipt_number).toMatch(/^[A-Z]{4}-000001$/);
	expect(await a.rows("SELECT cursor_version, resetting FROM replica")).toEqual(
		[{ cursor_version: 0, resetting: 1 }],
	);
});

test("a till's pushes after a loss tell the server how far it knew the device [LOSS-3]", async () => {
	const { server, a } = await openTill();
	await sellTimes(a, 1);
	await a.till.sync();
	const old = await copyDatabase(server.store, server.file);
	await sellTimes(a, 2);
	await a.till.sync();
	await sellTimes(a, 3);
	const back = await openTestShop({ file: old, env: server.env });
	a.line.shop = back.shop;
	takePushes(a);
	// The loss makes all mutations pending again, although the page with it is not stored.
	const write = a.store.write.bind(a.store);
	vi.spyOn(a.store, "write")
		.mockImplementationOnce(write)
		.mockRejectedValue(new ShopError("storage_full", "No room"));
	await expect(a.till.sync()).rejects.toMatchObject({ code: "storage_full" });
	vi.restoreAllMocks();
	expect(await a.till.status()).toMatchObject({ pending: 6 });
	await a.till.sync();
	await a.till.sync();
	const pushes = takePushes(a);
	expect(
		pushes.map(({ mutations, resumesAfter }) => [
			mutations.length,
			resumesAfter,
		]),
	).toEqual([
		// None of these was applied, and none that follows would be.
		[2, undefined],
		// Its cursor still belongs to the lost history.
		[2, 1],
		[2, 1],
		// It was prepared before that was answered.
		[2, 1],
		[2, undefined],
		[0, undefined],
	]);
	expect(await salesOf(back)).toHaveLength(6);
});

/** Syncs while the replies that carry a page are lost. */
async function syncWithoutPages({ line, till }: TestTill): Promise<void> {
	const { push } = line;
	line.push = async (request) => {
		const answer = await push(request);
		if (answer.changes) throw new ShopError("unreachable", "Reply lost");
		return answer;
	};
	await expect(till.sync()).rejects.toThrow("Reply lost");
	line.push = push;
}

/** A till whose first mutation has no number, and may not be sent by the cashier who is signed in. */
async function openWithheld() {
	const { server, a } = await openTill({ batchBytes: 1 });
	const { caller, line, till } = a;
	await server.store.write((tx) => addMember(tx, "shop-1", "user-1", "OWNER"));
	const args = { id: "milk", set: { name: "Maziwa" } };
	await till.take(caller, [message("m-1", "product.update", args)]);
	await a.sell({ milk: 1 });
	line.caller = { ...caller, userId: "juma", role: "CASHIER" };
	return { server, a };
}

test("a server put back to before it took a deferred mutation without a number hears of the loss [LOSS-1]", async () => {
	const { server, a } = await openWithheld();
	const { caller, line, till } = a;
	await till.sync();
	expect(await till.status()).toMatchObject({ pending: 1 });
	const before = await copyDatabase(server.store, server.file);
	line.caller = caller;
	await a.sell({ milk: 1 });
	await syncWithoutPages(a);
	expect(await till.status()).toMatchObject({ pending: 1 });
	const back = await openTestShop({ file: before, env: server.env });
	line.shop = back.shop;
	await till.sync();
	expect(await back.rows("SELECT name FROM products")).toEqual([
		{ name: "Maziwa" },
	]);
	expect(await salesOf(back)).toHaveLength(2);
});

test("a batch names the newest version that was applied before it, not that of the batch before it [LOSS-1]", async () => {
	const { a } = await openWithheld();
	// The server applies the sale, and the till does not hear of it.
	await syncWithoutPages(a);
	a.line.caller = a.caller;
	await sellTimes(a, 2);
	takePushes(a);
	await a.till.sync();
	const [, , third] = takePushes(a);
	const applied = await a.rows(
		"SELECT mutation_id AS id, server_version AS version FROM outbox ORDER BY position",
	);
	const [deferred, sale] = applied.map(({ version }) => Number(version));
	expect(deferred).toBeGreaterThan(Number(sale));
	expect(third?.taken).toEqual(applied[0]);
});

test("receipts continue under the same prefix, and start at 1 if the server names another [RCPT-3]", async () => {
	const { server, a } = await openTill();
	const receipts = async () =>
		(await a.rows("SELECT receipt_number FROM stored_sales ORDER BY n")).map(
			({ receipt_number }) => receipt_number,
		);
	await sellTimes(a, 2);
	await a.till.sync();
	await sellTimes(a, 1);
	const { prefix } = await a.till.status();
	expect(await receipts()).toEqual(
		[1, 2, 3].map((count) => formatReceipt(prefix, count)),
	);
	await server.store.write((tx) => tx.run("UPDATE devices SET prefix = 'Q'"));
	await a.till.sync();
	await sellTimes(a, 2);
	expect((await receipts()).slice(3)).toEqual(["Q-000001", "Q-000002"]);
});

/** A keyring as a till's program has it for the session that syncs. */
function openKeyring(isWanted = true) {
	let key: ProofKey | undefined;
	return {
		read: () => key,
		isWanted: () => isWanted && !key,
		write(given: ProofKey) {
			key = given;
		},
	};
}

const proofKeyOf: ProofKeyOf = async (_tx, { deviceId, userId }) =>
	`${userId} on ${deviceId}`;

test("a till requests its member's key once, and signs that member's mutations for any carrier [PERM-5]", async () => {
	const server = await openTestShop({ proofKeyOf });
	await addMilk(server);
	await server.store.write((tx) => addMember(tx, "shop-1", "user-1", "OWNER"));
	const keyring = openKeyring();
	const a = await openTestTill(server, { keyring });
	const { deviceId } = await a.till.status();
	await a.till.sync();
	expect(keyring.read()).toEqual({
		userId: "user-1",
		deviceId,
		key: `user-1 on ${deviceId}`,
	});
	await a.till.sync();
	expect(takePushes(a).map((push) => push.wantsProofKey)).toEqual([
		true,
		undefined,
	]);

	const setPrice = (sellingPrice: number) => ({
		id: "milk",
		set: { sellingPrice },
	});
	await a.till.mutate(a.caller, productUpdate, setPrice(61));
	// Another member's mutation on the same till has no proof by this key.
	const other = { ...a.caller, userId: "user-2" };
	await a.till.mutate(other, productUpdate, setPrice(62));
	a.line.caller = { ...a.caller, userId: "cashier", role: "CASHIER" };
	await a.till.sync();
	const [push] = takePushes(a);
	expect(push?.mutations).toMatchObject([
		{ by: "user-1", proof: expect.stringContaining(`${deviceId}.`) },
		{ by: "user-2" },
	]);
	expect(push?.mutations[1]).not.toHaveProperty("proof");
	expect(await server.rows("SELECT selling_price FROM products")).toEqual([
		{ selling_price: 61_000_000 },
	]);
	expect(await a.till.waiting()).toMatchObject([{ userId: "user-2" }]);
});

test("a retried mutation has a proof if its maker is signed in, and no number", async () => {
	const { server, a } = await openTill();
	const { caller } = server;
	const keyring = openKeyring();
	const b = await openTestTill(server, { keyring });
	await b.till.sync();
	for (const userId of ["user-1", "user-2"])
		await b.till.mutate({ ...caller, userId }, productUpdate, {
			id: "milk",
			set: { name: `Milk of ${userId}` },
		});
	b.line.push = async (request) => {
		const { mutations } = JSON.parse(request);
		const answer = await a.line.push(
			JSON.stringify({ businessId: "shop-1", mutations: [], cursor: "" }),
		);
		const error = { code: "forbidden", message: "No" } as const;
		const results = mutations.map(({ id }: { id: string }) => ({
			...{ id, status: "rejected", error },
		}));
		return { ...answer, results };
	};
	await b.till.sync();
	keyring.write({ userId: "user-1", deviceId: "d", key: "k" });
	for (const { id } of await b.till.rejected()) await b.till.retry(id);
	const again = await b.rows(
		`SELECT user_id, device_id, number, proof IS NULL AS is_bare FROM outbox JOIN mutations ON mutations.id = mutation_id
     WHERE state = 'pending' ORDER BY position`,
	);
	const { deviceId: device_id } = await b.till.status();
	expect(again).toEqual([
		{ user_id: "user-1", device_id, number: null, is_bare: 0 },
		{ user_id: "user-2", device_id, number: null, is_bare: 1 },
	]);
});

test("a till without a session for keys neither requests nor stores one", async () => {
	const server = await openTestShop({ proofKeyOf });
	const a = await openTestTill(server, { keyring: openKeyring(false) });
	await a.till.sync();
	await a.sell({ milk: 1 });
	await a.till.sync();
	for (const push of takePushes(a)) {
		expect(push).not.toHaveProperty("wantsProofKey");
		expect(push.mutations).not.toMatchObject([{ proof: expect.anything() }]);
	}
});

test("a till whose deferred mutations are taken batch by batch is not told of a loss [DEV-3] [LOSS-1]", async () => {
	const { server, a } = await openTill({ batchBytes: 1 });
	const { caller, line, till } = a;
	await server.store.write((tx) => addMember(tx, "shop-1", "user-1", "OWNER"));
	for (let price = 101; price < 106; price += 1) {
		const set = { sellingPrice: price };
		await till.mutate(caller, productUpdate, { id: "milk", set });
		await a.sell({ milk: 1 });
	}
	line.caller = { ...caller, userId: "juma", role: "CASHIER" };
	await till.sync();
	expect((await till.status()).pending).toBe(5);
	expect(sizesOf(a)).toEqual(Array(10).fill(1));
	line.caller = caller;
	await till.sync();
	expect(sizesOf(a)).toEqual(Array(5).fill(1));
	expect(await server.rows("SELECT last_number FROM devices")).toEqual([
		{ last_number: 10 },
	]);
});

test("a till is not told of a loss after the server took one of its deferred mutations and not the next [DEV-3] [LOSS-1]", async () => {
	const { server, a } = await openTill({ batchBytes: 100_000 });
	const { caller, line, till } = a;
	await server.store.write((tx) => addMember(tx, "shop-1", "user-1", "OWNER"));
	await till.mutate(caller, productUpdate, { id: "milk", set: { name: "M" } });
	await sellTimes(a, 3);
	await till.mutate(caller, businessUpdate, { set: { name: "Duka" } });
	await sellTimes(a, 3);
	for (const [role, pending] of [
		["CASHIER", 2],
		["MANAGER", 1],
		["OWNER", 0],
	] as const) {
		line.caller = { ...caller, userId: "juma", role };
		await till.sync();
		expect(await till.status()).toMatchObject({ pending });
	}
	expect(sizesOf(a)).toEqual([8, 2, 1]);
});
