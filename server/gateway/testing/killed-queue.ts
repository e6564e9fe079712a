import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, vi } from "vitest";
import { openRandom } from "../../../sync/simulation/random.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import type { DbRow } from "../../../sync/store/store.ts";
import { testSeed } from "../../../sync/testing/lane.ts";
import { addBusiness, testDir, testEnv } from "../../../sync/testing/shop.ts";
import { openTestFile } from "../../../sync/testing/store.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { aiLimits } from "../limits.ts";
import { aiDelivery } from "../queue/delivery.ts";
import type { QueuedRequest } from "../queue/queued-request.ts";
import { openFakeProvider } from "./providers.ts";
import { openQueueOn } from "./queue-on-file.ts";
import type { Queueing } from "./queues-until-killed.ts";

const businessId = "shop-1";
const killsInAMonth = 4;
const restMs = 30 * 60_000;
const requestsOfALife = 6;
/** Nanodollars a month: not enough for all that is asked and what kills waste. */
const budget = 7_000_000;
/** What each answer of the stand-in costs: 11 tokens of a prompt and 7 of an answer by gpt-4o. */
const cost = 97_500;

/**
 * Kills a server that queues requests, again and again, and looks after each kill what became of them. At the end a server
 * answers the rest.
 *
 * @returns how many requests there were, how often the provider was asked and its answer was given, how many runs the kills
 *   interrupted, and how many requests waited for the budget at a kill
 */
export async function killQueueing(kills: number) {
	const dir = testDir();
	const file = join(dir, "server.db");
	const accepted = join(dir, "accepted");
	writeFileSync(accepted, "");
	const env = testEnv("2026-01-05T09:00:00.000Z");
	const { below } = openRandom("killed queueing", testSeed);
	const provider = await openFakeProvider("chat", { path: "/v1" });
	provider.act(() => ({ delayMs: below(15) }));
	const receiver = await openReceiver();
	await prepare(file, env, receiver.url);
	const ledger = openBooks();
	let spare = start();
	onTestFinished(() => {
		spare.kill("SIGKILL");
	});
	let interrupted = 0;
	let poor = 0;
	let monthBegan = 0;
	for (let kill = 0; kill < kills; kill += 1) {
		const child = spare;
		spare = start();
		const first = linesOf(accepted).length;
		const what: Queueing = {
			...{ file, businessId, accepted, first, startMs: env.now() },
			requests: requestsOfALife,
			...{ providerUrl: provider.url, receiverUrl: receiver.url },
		};
		const exit = once(child, "exit");
		child.send(what);
		// Some are killed before they have done anything, but not all.
		const enough = first + Math.max(kill === 0 ? 1 : 0, below(requestsOfALife));
		while (child.exitCode === null && linesOf(accepted).length < enough)
			await sleep(1);
		await sleep(below(150));
		child.kill("SIGKILL");
		expect(await exit).toEqual([null, "SIGKILL"]);
		const { rows, used } = await look(file, env);
		interrupted += ledger.compare(rows);
		poor += rows.filter((row) => row.waits_for === "budget").length;
		expect(cost * (provider.received.length - monthBegan)).toBeLessThanOrEqual(
			used,
		);
		expect(used).toBeLessThanOrEqual(budget);
		env.pass(restMs);
		if ((kill + 1) % killsInAMonth > 0) continue;
		monthBegan = provider.received.length;
		env.pass(untilNextMonth(env));
	}
	await answerTheRest(file, env, provider.url, ledger.compare);
	const ids = linesOf(accepted).map((line) => line.split(" ")[1] ?? "");
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids) expect(ledger.answers.has(id), id).toBe(true);
	expectDelivered(ledger, receiver.received);
	return {
		requests: ids.length,
		asked: provider.received.length,
		given: [...ledger.answers.values()].filter((it) => it.includes('"chatcmpl'))
			.length,
		...{ interrupted, poor },
	};
}

function untilNextMonth(env: Pick<Clock, "now">): number {
	const today = new Date(env.now());
	const next = [today.getUTCFullYear(), today.getUTCMonth() + 1] as const;
	return Date.UTC(...next, 5, 9) - env.now();
}

function start(): ChildProcess {
	return fork(join(import.meta.dirname, "queues-until-killed.ts"));
}

function linesOf(file: string): string[] {
	return readFileSync(file, "utf8").split("\n").slice(0, -1);
}

async function openReceiver() {
	const received: QueuedRequest[] = [];
	const server = createServer(async (request, response) => {
		// A server that is killed while it sends leaves no whole request.
		const sent = await text(request).catch(() => undefined);
		if (sent === undefined) return;
		received.push(JSON.parse(sent));
		response.end();
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/answers`, received };
}

type Clock = ReturnType<typeof testEnv>;

async function prepare(file: string, env: Clock, to: string): Promise<void> {
	const store = await openTestFile(file);
	await store.write(async (tx) => {
		await addBusiness(tx, businessId);
		await apiKeys(tx).create(env, {
			...{ businessId, userId: null, name: "key" },
			...{ monthlyBudget: null, requestsPerMinute: null },
		});
		await tx.run("UPDATE api_keys SET id = 'key'");
		await setBudget(tx, budget);
		await aiDelivery(tx, businessId).change([to]);
	});
	await store.close();
}

async function setBudget(
	tx: Parameters<typeof aiLimits>[0],
	monthlyBudget: number | null,
): Promise<void> {
	await aiLimits(tx, businessId).change("key", { monthlyBudget });
}

/** Reads the queue, and what this month's budget counts. */
async function look(file: string, env: Clock) {
	const store = await openSqlite(file);
	const month = new Date(env.now()).toISOString().slice(0, 7);
	const seen = await store.read(async (tx) => ({
		rows: await tx.all("SELECT * FROM ai_queue"),
		used: await tx.get(
			"SELECT spent + reserved AS used FROM ai_months WHERE account = 'key' AND month = ?",
			month,
		),
	}));
	await store.close();
	return { rows: seen.rows, used: Number(seen.used?.used ?? 0) };
}

/** Remembers each answer, which must stay as it is. */
function openBooks() {
	const answers = new Map<string, string>();
	const delivered = new Set<string>();
	return {
		answers,
		delivered,
		/** @returns how many runs were interrupted */
		compare(rows: DbRow[]): number {
			let interrupted = 0;
			for (const row of rows) {
				const id = row.id as string;
				if (row.answered_at === null) {
					expect(answers.has(id), id).toBe(false);
					if (row.claim !== null) interrupted += 1;
					continue;
				}
				const answer = row.answer as string;
				expect(answers.get(id) ?? answer).toBe(answer);
				answers.set(id, answer);
				if (row.delivered_at !== null) delivered.add(id);
			}
			return interrupted;
		},
	};
}

async function answerTheRest(
	file: string,
	env: Clock,
	providerUrl: string,
	compare: (rows: DbRow[]) => number,
): Promise<void> {
	const { store, queue, close } = await openQueueOn(file, env, providerUrl);
	await store.write((tx) => setBudget(tx, null));
	await vi.waitFor(
		async () => {
			env.pass(60_000);
			await queue.hurry(businessId);
			const left = await store.read((tx) =>
				tx.all("SELECT id FROM ai_queue WHERE due_at IS NOT NULL"),
			);
			expect(left).toEqual([]);
		},
		{ timeout: 60_000, interval: 20 },
	);
	compare(await store.read((tx) => tx.all("SELECT * FROM ai_queue")));
	await close();
}

/** Expects that each delivery brought the stored answer, however often, and that what counts as delivered was. */
function expectDelivered(
	{ answers, delivered }: ReturnType<typeof openBooks>,
	received: QueuedRequest[],
): void {
	const ids = new Set(received.map(({ id }) => id));
	for (const { id, response } of received)
		expect(response).toEqual(JSON.parse(answers.get(id) ?? "null"));
	for (const id of delivered) expect(ids.has(id), id).toBe(true);
	expect(delivered.size).toBeGreaterThan(0);
}
