import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { mutations } from "../../../sync/entities/index.ts";
import {
	formatCursor,
	parseCursor,
	pushResponse,
} from "../../../sync/protocol/protocol.ts";
import { openReplica } from "../../../sync/replica/replica.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { countOf, testSeed } from "../../../sync/testing/lane.ts";
import { testDir, testLine } from "../../../sync/testing/shop.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { openClient } from "./requests.ts";
import { openSubjects } from "./subjects.ts";
import { knownIds, nearMissesOf, newIds, toJson, valuesOf } from "./values.ts";

const runs = countOf("PUSH_FUZZ_RUNS");

const moments = fc.oneof(
	{
		weight: 12,
		arbitrary: fc
			.date({
				min: new Date("2026-10-01T00:00:00Z"),
				max: new Date("2026-12-31T00:00:00Z"),
				noInvalidDate: true,
			})
			.map((date) => date.toISOString()),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"0001-01-01T00:00:00.000Z",
			"9999-12-31T23:59:59.999Z",
			"+275760-09-13T00:00:00.000Z",
			"2026-11-20",
			"",
		),
	},
);
/** A few ids, so that mutations repeat or collide. */
const fewIds = fc.oneof(
	{ weight: 2, arbitrary: fc.nat(30).map((n) => `m${n}`) },
	{ weight: 3, arbitrary: fc.constantFrom(...newIds) },
	{ weight: 1, arbitrary: fc.constantFrom(...knownIds) },
	{ weight: 4, arbitrary: fc.uuid({ version: 7 }) },
);

/** Valid and nearly valid mutations of every kind. */
const messages = fc
	.oneof(
		...mutations.map(({ name, args, examples }) => {
			const right = fc
				.oneof(valuesOf(args), fc.constantFrom(...examples))
				.chain((value) => fewIds.map((id) => ({ ...(value as object), id })));
			return fc.record({
				id: fc.oneof(fewIds, fc.uuid({ version: 7 })),
				name: fc.oneof(
					{ weight: 9, arbitrary: fc.constant<unknown>(name) },
					{ weight: 1, arbitrary: fc.string() },
				),
				args: fc.oneof(
					{ weight: 4, arbitrary: right },
					{ weight: 1, arbitrary: nearMissesOf(right) },
					{ weight: 1, arbitrary: valuesOf(args) },
				),
				at: moments,
				by: fc.oneof(
					{ weight: 3, arbitrary: fc.constant(undefined) },
					{ weight: 1, arbitrary: fc.constantFrom(...knownIds) },
					{ weight: 1, arbitrary: fc.anything() },
				),
			});
		}),
	)
	.chain((right) => {
		const known = fc.constant(right as unknown);
		return fc.oneof(
			{ weight: 4, arbitrary: known },
			{ weight: 1, arbitrary: nearMissesOf(known) },
		);
	});
const pushes = fc.record(
	{
		mutations: fc.array(messages, { maxLength: 12 }),
		deviceId: fc.constantFrom("till-1", "till-2", "a b", "device"),
		prefix: fc.constantFrom("A", "B", ""),
		cursor: fc.oneof(fc.string({ maxLength: 30 }), fc.constant("")),
		limit: fc.integer({ min: 1, max: 5_000 }),
	},
	{ requiredKeys: ["mutations"], noNullPrototype: true },
);

/** How deeply a body's values are nested. */
function depthOf(value: unknown): number {
	if (typeof value !== "object" || value === null) return 0;
	return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
/** The server's limit. */
const depthMax = 64;
/** Outcomes without which a run proves little. */
const wanted = ["applied ", "rejected invalid_args", "rejected id_reused"];
const stockOff = `SELECT id FROM products WHERE quantity <> coalesce((SELECT sum(delta) FROM stock_ledger
  WHERE stock_ledger.business_id = products.business_id AND product_id = products.id), 0)`;

async function openPush(server: TestServer) {
	const client = openClient(server.url);
	onTestFinished(client.close);
	const subjects = await openSubjects(server);
	return {
		...subjects,
		async push(body: unknown) {
			const answer = await client.send(
				{
					method: "POST",
					path: "/api/sync",
					headers: { "content-type": "application/json" },
					body: toJson(body),
				},
				{ authorization: subjects.owner.bearer },
			);
			return { ...answer, body: JSON.parse(answer.text) };
		},
		async pull(query: string) {
			const answer = await client.send(
				{
					method: "GET",
					path: `/api/sync?${query}`,
					headers: {},
					body: undefined,
				},
				{ authorization: subjects.owner.bearer },
			);
			return { ...answer, body: JSON.parse(answer.text) };
		},
	};
}

test(`every nearly valid mutation gets a result and leaves a shop that a till can sync, in ${runs} pushes (seed ${testSeed})`, async () => {
	const server = await openTestServer();
	const { push, owner, other } = await openPush(server);
	const before = await server.shop.blocks(other.caller);
	const outcomes = new Map<string, number>();
	const property = fc.asyncProperty(pushes, async (body) => {
		const { status, text, body: answer } = await push(body);
		// The server refuses the whole body, which no till sends.
		if (depthOf(JSON.parse(toJson(body))) > depthMax) {
			expect(status).toBe(400);
			return;
		}
		expect(status, text).toBe(200);
		expect(pushResponse.safeParse(answer).error).toBeUndefined();
		expect(answer.results).toHaveLength(body.mutations.length);
		for (const { status, error } of answer.results) {
			// A till would resend such a mutation for ever.
			expect(error?.code, error?.message).not.toBe("internal");
			const outcome = `${status} ${error?.code ?? ""}`;
			outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
		}
		// The same push again changes nothing.
		const { digest } = await server.shop.blocks(owner.caller);
		const again = await push(body);
		for (const [i, { status, duplicate }] of again.body.results.entries())
			if (answer.results[i].status === "applied")
				expect({ status, duplicate }).toEqual({
					status: "applied",
					duplicate: true,
				});
		expect((await server.shop.blocks(owner.caller)).digest).toBe(digest);
	});
	const lacking = () =>
		wanted.filter((outcome) => (outcomes.get(outcome) ?? 0) <= 5);
	await fc.assert(property, { numRuns: runs, seed: testSeed });
	// A few pushes may have too little of something.
	for (let more = 1; more < 10 && lacking().length > 0; more += 1)
		await fc.assert(property, { numRuns: runs, seed: testSeed + more });
	expect(lacking(), JSON.stringify([...outcomes])).toEqual([]);
	expect(await server.shop.blocks(other.caller)).toEqual(before);
	expect(await server.rows(stockOff)).toEqual([]);
	expect(server.logged()).not.toContain('"level":50');

	const store = await openSqlite(`${testDir()}/till.db`);
	onTestFinished(() => store.close());
	const till = await openReplica({
		store,
		businessId: owner.businessId,
		transport: testLine(server.shop, owner.caller),
	});
	await till.sync();
	expect(await till.digest()).toBe(
		(await server.shop.blocks(owner.caller)).digest,
	);
}, 3_600_000);

test(`each of ${runs} invented cursors restarts the feed, and a real one continues it (seed ${testSeed})`, async () => {
	const server = await openTestServer();
	const { pull } = await openPush(server);
	const whole = (await pull("")).body;
	const { epoch, businessId } = whole;
	/** A cursor at one of these needs its proof, which nobody can invent. */
	const linked = new Set(
		(
			await server.rows(
				"SELECT version FROM mutations WHERE business_id = ?",
				businessId,
			)
		).map(({ version }) => version),
	);
	const cursors = fc.oneof(
		fc.string(),
		fc.string({ unit: "binary" }),
		fc
			.tuple(fc.constantFrom(epoch, "other", ""), fc.double())
			.map(([name, n]) => `${name}.${n}`),
		fc
			.tuple(fc.constantFrom(epoch, "other"), fc.maxSafeInteger())
			.map(([name, n]) => `${name}.${n}`),
	);
	const limits = fc.oneof(fc.integer(), fc.string());
	await fc.assert(
		fc.asyncProperty(cursors, limits, async (cursor, limit) => {
			const query = new URLSearchParams({ cursor, limit: String(limit) });
			const { status, text, body } = await pull(String(query));
			expect(status, text).toBe(200);
			const known = parseCursor(cursor.toWellFormed());
			const isOurs =
				known !== undefined &&
				known.epoch === epoch &&
				known.version <= (parseCursor(whole.cursor)?.version ?? 0) &&
				!linked.has(known.version);
			expect(body.reset ?? false).toBe(!isOurs && cursor !== "");
			if (known) expect(parseCursor(formatCursor(known))).toEqual(known);
		}),
		{ numRuns: runs, seed: testSeed },
	);
	// The feed is the same for any page size.
	for (const limit of [1, 2, 7]) {
		const changes = [];
		let cursor = "";
		for (let hasMore = true; hasMore; ) {
			const page = (await pull(`cursor=${cursor}&limit=${limit}`)).body;
			changes.push(...page.changes);
			({ cursor, hasMore } = page);
		}
		expect(changes).toEqual(whole.changes);
	}
}, 3_600_000);
