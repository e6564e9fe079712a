import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBusiness } from "../entities/business.ts";
import type { MutationResult } from "../protocol/protocol.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Connection } from "../store/store.ts";
import { testBusiness } from "../testing/business.ts";
import { reverseUnordered, testDir } from "../testing/shop.ts";
import * as outbox from "./outbox.ts";

const shop = "shop-1";
const madeAt = "2026-11-20T08:00:00.000Z";
const now = Date.parse("2026-11-20T09:00:00.000Z");
const dayMs = 24 * 3_600_000;

const otherShop = "shop-2";
/** Ids of the other shop's mutations by their state; each is also an id of this shop's in a test below. */
const theirIds = {
	acknowledged: ["a", "c", "e", "old", "no", "m1"],
	rejected: ["b", "x"],
	discarded: ["d", "waits"],
	pending: ["f", "gone", "beyond"],
};

/**
 * A till's outbox beside another shop's, whose mutations have the same ids and must not change. Unsorted rows come in
 * an unexpected order.
 */
async function openOutbox() {
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	await reverseUnordered(store);
	await store.write(async (tx) => {
		for (const id of [shop, otherShop]) {
			await createBusiness(tx, testBusiness(id));
			await tx.run(
				"INSERT INTO replica (business_id, device_id, feed_form) VALUES (?, ?, '')",
				id,
				`device of ${id}`,
			);
		}
	});
	const made = (id: string, args = "{}") => ({
		id,
		name: "sale.create",
		args,
		argsVersion: 1,
		at: madeAt,
		userId: `maker of ${id}`,
		deviceId: `device of ${id}`,
	});
	const write = <T>(fn: (tx: Connection) => Promise<T>) => store.write(fn);
	const append = (ids: readonly string[], businessId = shop, args?: string) =>
		write(async (tx) => {
			for (const id of ids)
				await outbox.append(tx, businessId, made(id, args), `proof of ${id}`);
		});
	await append(Object.values(theirIds).flat(), otherShop, '{"theirs":true}');
	for (const [state, ids] of Object.entries(theirIds))
		if (state !== "pending")
			await write((tx) =>
				tx.run(
					`UPDATE outbox SET state = ?, server_version = ?, error = ?, answered_at = '2026-01-01T00:00:00.000Z'
           WHERE business_id = ? AND mutation_id IN (SELECT value FROM json_each(?))`,
					state,
					state === "acknowledged" ? 1 : null,
					state === "acknowledged" ? null : '{"code":"forbidden"}',
					otherShop,
					JSON.stringify(ids),
				),
			);
	const theirs = await allOf(otherShop);

	/** Everything stored about a shop's mutations. */
	async function allOf(businessId: string) {
		return store.read(async (tx) => {
			const all: unknown[] = [];
			for (const table of ["outbox", "mutations", "replica"])
				all.push(
					...(await tx.all(
						`SELECT * FROM ${table} WHERE business_id = ? ORDER BY 1, 2`,
						businessId,
					)),
				);
			return all;
		});
	}

	function rowsOf(businessId: string) {
		return store.read((tx) =>
			tx.all(
				"SELECT position, mutation_id, number, state, server_version, error, answered_at FROM outbox WHERE business_id = ? ORDER BY position",
				businessId,
			),
		);
	}

	onTestFinished(async () => {
		expect(await allOf(otherShop)).toEqual(theirs);
	});
	return {
		store,
		write,
		append,
		made,
		rows: () => rowsOf(shop),
		states: async () =>
			(await rowsOf(shop)).map(({ mutation_id: id, state }) => [id, state]),
		batch: (after = 0, countMax = 100, bytesMax = 1e6) =>
			store.read((tx) => outbox.nextBatch(tx, shop, after, countMax, bytesMax)),
		settle: async (results: Partial<MutationResult>[], at = now) => {
			const sent = await store.read((tx) =>
				outbox.nextBatch(tx, shop, 0, results.length, 1e6),
			);
			const answered = results.map((result, i) => ({
				id: sent[i]?.id,
				status: "applied",
				...result,
			})) as MutationResult[];
			await write((tx) => outbox.settle(tx, shop, sent, answered, at));
		},
	};
}

const idsOf = (entries: readonly { id: string }[]) =>
	entries.map(({ id }) => id);
const refused = {
	status: "rejected",
	error: { code: "forbidden", message: "No" },
} as const;

describe("the outbox", () => {
	test("the outbox numbers mutations from 1 in order, for each shop separately [DEV-2]", async () => {
		const { append, rows } = await openOutbox();
		await append(["a", "b", "c"]);
		expect(await rows()).toEqual(
			["a", "b", "c"].map((id, i) => ({
				position: i + 1,
				mutation_id: id,
				number: i + 1,
				state: "pending",
				server_version: null,
				error: null,
				answered_at: null,
			})),
		);
	});

	test("the outbox returns entries as they were made", async () => {
		const { append, batch, made } = await openOutbox();
		await append(["a"], shop, '{"id":"1"}');
		expect(await batch()).toEqual([
			{
				...made("a", '{"id":"1"}'),
				position: 1,
				number: 1,
				proof: "proof of a",
			},
		]);
	});

	test("the outbox fills a batch up to its count, from a position on", async () => {
		const { append, batch } = await openOutbox();
		await append(["a", "b", "c", "d"]);
		expect(idsOf(await batch(0, 3))).toEqual(["a", "b", "c"]);
		expect(idsOf(await batch(1, 2))).toEqual(["b", "c"]);
		expect(idsOf(await batch(4))).toEqual([]);
	});

	test("the outbox fills a batch up to its bytes, and no small mutation overtakes a large one [OUT-2]", async () => {
		const { append, batch } = await openOutbox();
		const text = (length: number) => JSON.stringify("é".repeat(length));
		await append(["a"], shop, text(100));
		await append(["large"], shop, text(1_000));
		await append(["small"], shop, text(1));
		// A letter outside ASCII takes two bytes; 512 are for everything except the arguments.
		const first = 202 + 512;
		const second = 2_002 + 512;
		expect(idsOf(await batch(0, 9, first + second - 1))).toEqual(["a"]);
		expect(idsOf(await batch(0, 9, first + second))).toEqual(["a", "large"]);
		expect(idsOf(await batch(1, 9, 1))).toEqual(["large"]);
	});

	test("the outbox saves the server's result of each mutation [OUT-3]", async () => {
		const { append, settle, rows } = await openOutbox();
		await append(["a", "b", "c", "d", "e", "f"]);
		await settle([
			{ version: 11 },
			{ version: 12 },
			refused,
			{ status: "deferred", error: { code: "unknown_mutation", message: "?" } },
			{ version: 14 },
			{ version: 13, duplicate: true },
		]);
		const answered = "2026-11-20T09:00:00.000Z";
		const row = (id: string, i: number, more: object) => ({
			position: i,
			mutation_id: id,
			number: i,
			server_version: null,
			error: null,
			answered_at: answered,
			...more,
		});
		const acknowledged = (server_version: number) => ({
			state: "acknowledged",
			server_version,
		});
		expect(await rows()).toEqual([
			row("a", 1, acknowledged(11)),
			row("b", 2, acknowledged(12)),
			row("c", 3, {
				state: "rejected",
				error: '{"code":"forbidden","message":"No"}',
			}),
			row("d", 4, {
				state: "pending",
				error: '{"code":"unknown_mutation","message":"?"}',
			}),
			row("e", 5, acknowledged(14)),
			row("f", 6, acknowledged(13)),
		]);
	});

	test("the outbox acknowledges only the mutations that were sent, not others between them", async () => {
		const { append, settle, rows } = await openOutbox();
		await append(["a", "b", "c", "d", "e"]);
		const deferred = {
			status: "deferred",
			error: { code: "internal", message: "?" },
		} as const;
		await settle([deferred, refused, deferred, refused, deferred]);
		await settle([{ version: 11 }, { version: 13 }, { version: 15 }]);
		const kept = (await rows()).map((row) => [
			row.mutation_id,
			row.state,
			row.server_version,
			row.error === null,
		]);
		expect(kept).toEqual([
			["a", "acknowledged", 11, true],
			["b", "rejected", null, false],
			["c", "acknowledged", 13, true],
			["d", "rejected", null, false],
			["e", "acknowledged", 15, true],
		]);
	});

	test("the outbox knows up to which number all mutations are answered, now and after a batch [DEV-3]", async () => {
		const { append, settle, write, store } = await openOutbox();
		await append(["a", "b", "c", "d", "e", "f"]);
		const settled = (after = 0, last = after) =>
			store.read((tx) => outbox.settledNumber(tx, shop, 6, after, last));
		expect(await settled()).toBe(0);
		expect(await settled(0, 3)).toBe(3);
		expect(await settled(1, 3)).toBe(0);
		expect(await settled(0, 6)).toBe(6);
		await settle([{ version: 4 }, refused, { version: 5 }]);
		expect(await settled()).toBe(3);
		expect(await settled(3, 5)).toBe(5);
		// Mutations that are offered again were numbered before.
		await write((tx) => outbox.reoffer(tx, shop));
		expect(await settled()).toBe(3);
		await settle([{ version: 4 }, { version: 5 }, refused, refused, refused]);
		expect(await settled()).toBe(6);
	});

	test("the outbox returns the mutation that was applied last with its version, whatever its place", async () => {
		const { append, settle, store } = await openOutbox();
		const last = () => store.read((tx) => outbox.lastTaken(tx, shop));
		await append(["a", "b", "c", "d"]);
		expect(await last()).toBeUndefined();
		await settle([{ version: 9 }, { version: 7 }, refused]);
		expect(await last()).toEqual({ id: "a", version: 9 });
	});

	test("the outbox lists mutations that wait for a member with permission", async () => {
		const { append, settle, store } = await openOutbox();
		await append(["a", "b", "c", "d", "e"], shop, '{"id":"1"}');
		const waits = { code: "awaits_permission", message: "Waits" } as const;
		await settle([
			{ status: "deferred", error: waits },
			{ status: "rejected", error: waits },
			{ status: "deferred", error: { code: "internal", message: "?" } },
			{ status: "deferred", error: waits },
		]);
		expect(await store.read((tx) => outbox.readWaiting(tx, shop))).toEqual(
			["a", "d"].map((id) => ({
				id,
				name: "sale.create",
				args: { id: "1" },
				at: madeAt,
				userId: `maker of ${id}`,
				error: waits,
			})),
		);
	});

	test("the outbox refuses results of other mutations [OUT-4]", async () => {
		const { append, settle, states } = await openOutbox();
		await append(["a", "b"]);
		await expect(settle([{}, { id: "x" }])).rejects.toMatchObject({
			code: "unreachable",
		});
		expect(await states()).toEqual([
			["a", "pending"],
			["b", "pending"],
		]);
	});

	test("the outbox keeps an applied mutation without a version pending [OUT-3]", async () => {
		const { append, settle, states } = await openOutbox();
		await append(["a"]);
		await settle([{}]);
		expect(await states()).toEqual([["a", "pending"]]);
	});

	test("the outbox does not acknowledge a rejected or deferred mutation, even with a version", async () => {
		const { append, settle, rows } = await openOutbox();
		await append(["a", "b"]);
		const error = { code: "internal", message: "?" } as const;
		await settle([
			{ status: "rejected", version: 5, error },
			{ status: "deferred", version: 6, error },
		]);
		expect(await rows()).toMatchObject([
			{ state: "rejected", server_version: null },
			{ state: "pending", server_version: null },
		]);
	});

	test("the outbox's unseen mutations are pending ones and those acknowledged after the cursor", async () => {
		const { append, settle, store } = await openOutbox();
		await append(["a", "b", "c", "d", "e"]);
		await settle([{ version: 4 }, { version: 5 }, refused, { version: 6 }]);
		const unseen = (version: number) =>
			store.read(async (tx) => idsOf(await outbox.unseen(tx, shop, version)));
		expect(await unseen(3)).toEqual(["a", "b", "d", "e"]);
		expect(await unseen(5)).toEqual(["d", "e"]);
		expect(await unseen(6)).toEqual(["e"]);
	});

	test("the outbox offers acknowledged mutations again, and none that a person has settled [LOSS-3]", async () => {
		const { append, settle, write, rows, states } = await openOutbox();
		await append(["a", "b", "c", "d"]);
		await settle([{ version: 4 }, refused, refused]);
		await write((tx) => outbox.discard(tx, shop, "c", now));
		await write((tx) => outbox.reoffer(tx, shop));
		expect(await states()).toEqual([
			["a", "pending"],
			["b", "rejected"],
			["c", "discarded"],
			["d", "pending"],
		]);
		const [a, b] = await rows();
		expect(a).toMatchObject({
			number: null,
			server_version: null,
			error: null,
		});
		expect(b).toMatchObject({ number: 2 });
	});

	test("the outbox numbers pending mutations from 1 for a new device [DEV-5]", async () => {
		const { append, settle, write, rows } = await openOutbox();
		await append(["a", "b", "c"]);
		await settle([{ version: 4 }]);
		expect(await write((tx) => outbox.renumber(tx, shop))).toBe(2);
		expect((await rows()).map(({ number }) => number)).toEqual([1, 1, 2]);
	});

	test("the outbox deletes backed-up and discarded mutations after thirty days, and no others [OUT-6]", async () => {
		const { append, settle, write, states, store } = await openOutbox();
		await append(["old", "beyond", "no", "gone", "waits"]);
		await settle([{ version: 4 }, { version: 5 }, refused, refused]);
		await write((tx) => outbox.discard(tx, shop, "gone", now));
		// The state decides: a mutation that was never applied stays, even with a version.
		await write((tx) =>
			tx.run(
				"UPDATE outbox SET server_version = 1 WHERE business_id = ? AND state = 'rejected'",
				shop,
			),
		);
		const prune = (at: number) => write((tx) => outbox.prune(tx, shop, 4, at));
		await prune(now + 30 * dayMs);
		expect(await states()).toHaveLength(5);
		await prune(now + 30 * dayMs + 1);
		expect(await states()).toEqual([
			["beyond", "acknowledged"],
			["no", "rejected"],
			["waits", "pending"],
		]);
		const log = await store.read((tx) =>
			tx.all(
				"SELECT id FROM mutations WHERE business_id = ? ORDER BY id",
				shop,
			),
		);
		expect(idsOf(log as { id: string }[])).toEqual(["beyond", "no", "waits"]);
		await prune(now + 400 * dayMs);
		expect(await states()).toHaveLength(3);
	});

	test("the outbox lists rejected mutations with their reasons until a person discards them", async () => {
		const { append, settle, write, store } = await openOutbox();
		await append(["a", "b"], shop, '{"id":"1"}');
		await settle([refused, refused]);
		const read = () => store.read((tx) => outbox.readRejected(tx, shop));
		expect(await read()).toEqual(
			["a", "b"].map((id) => ({
				id,
				name: "sale.create",
				args: { id: "1" },
				at: madeAt,
				userId: `maker of ${id}`,
				error: refused.error,
			})),
		);
		const entry = await write((tx) => outbox.discard(tx, shop, "a", now));
		expect(entry).toMatchObject({ id: "a", position: 1, userId: "maker of a" });
		expect(idsOf(await read())).toEqual(["b"]);
		for (const id of ["a", "x", "none"])
			await expect(
				write((tx) => outbox.discard(tx, shop, id, now)),
			).rejects.toMatchObject({ code: "not_found", field: "id" });
		expect(await store.read((tx) => outbox.countStates(tx, shop))).toEqual({
			pending: 0,
			rejected: 1,
		});
	});

	test("the outbox restores discarded mutations, and no others [OUT-5]", async () => {
		const { append, settle, write, store } = await openOutbox();
		await append(["a", "b"], shop, '{"id":"1"}');
		await settle([refused, refused]);
		const stateOf = (id: string, of = shop) =>
			store.read((tx) => outbox.readEntryState(tx, of, id));
		await write((tx) => outbox.discard(tx, shop, "a", now));
		expect([await stateOf("a"), await stateOf("b")]).toEqual([
			"discarded",
			"rejected",
		]);
		await write((tx) => outbox.restore(tx, shop, "a"));
		expect(await stateOf("a")).toBe("rejected");
		expect([await stateOf("none"), await stateOf("a", "other")]).toEqual([
			undefined,
			undefined,
		]);
		for (const [of, id] of [
			[shop, "b"],
			[shop, "none"],
			["other", "a"],
		] as const)
			await expect(
				write((tx) => outbox.restore(tx, of, id)),
			).rejects.toMatchObject({ code: "not_found", field: "id" });
	});

	test("an outbox entry is sent as JSON with every field that the server needs", async () => {
		const { append, batch, write } = await openOutbox();
		await append(["a"], shop, '{"id":"1"}');
		const json = async () =>
			JSON.parse(outbox.toJson((await batch())[0] as never));
		const message = {
			id: "a",
			name: "sale.create",
			args: { id: "1" },
			at: madeAt,
			by: "maker of a",
			proof: "proof of a",
		};
		expect(await json()).toEqual({ ...message, number: 1 });
		await write((tx) =>
			tx.run("UPDATE outbox SET number = NULL WHERE business_id = ?", shop),
		);
		await write((tx) =>
			tx.run(
				"UPDATE stored_mutations SET args_version = 2 WHERE business_id = ?",
				shop,
			),
		);
		expect(await json()).toEqual({ ...message, argsVersion: 2 });
		await write((tx) =>
			tx.run(
				"UPDATE stored_mutations SET user_id = NULL WHERE business_id = ?",
				shop,
			),
		);
		await write((tx) =>
			tx.run("UPDATE outbox SET proof = NULL WHERE business_id = ?", shop),
		);
		const { by: _, proof: __, ...unsigned } = message;
		expect(await json()).toEqual({ ...unsigned, argsVersion: 2 });
	});

	test("a mutation that is offered again says when the lost server had answered it, by the server's clock [LOSS-6]", async () => {
		const { append, batch, settle, write } = await openOutbox();
		await append(["a", "b", "c"]);
		await settle([
			{ version: 11 },
			{ status: "deferred", error: { code: "history_lost", message: "?" } },
		]);
		await write((tx) => outbox.reoffer(tx, shop));
		const messages = (await batch()).map((entry) =>
			JSON.parse(outbox.toJson(entry, 5_000)),
		);
		expect(messages.map(({ id, answeredAt }) => [id, answeredAt])).toEqual([
			["a", "2026-11-20T09:00:05.000Z"],
			["b", undefined],
			["c", undefined],
		]);
	});
});
