import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { toIso } from "../../../sync/protocol/clock.ts";
import { addBusiness, testDir, testEnv } from "../../../sync/testing/shop.ts";
import { openTestStore } from "../../../sync/testing/store.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { openLogger } from "../../operations/logger.ts";
import type { ApiRequest } from "../api.ts";
import type { ChatAnswer, ChatCall } from "../call.ts";
import { GatewayError } from "../errors.ts";
import type { Payer } from "../meter.ts";
import { readPayers } from "../testing/payers.ts";
import { openCourier } from "./delivery.ts";
import { openRequestQueue } from "./queue.ts";
import { queueRows } from "./rows.ts";

const path = "/v1/chat/completions";
const day = 86_400_000;

/** Opens servers' queues on one database, with a gateway that does what a test says. */
async function openQueues() {
	const store = await openTestStore(join(testDir(), "server.db"));
	onTestFinished(() => store.close());
	const env = testEnv();
	await store.write(async (tx) => {
		await addBusiness(tx, "shop-1");
		await apiKeys(tx).create(env, {
			...{ businessId: "shop-1", userId: null, name: "Report" },
			...{ monthlyBudget: null, requestsPerMinute: null },
		});
	});
	const [payer] = (await readPayers(store, "shop-1")) as [Payer];
	const calls: ChatCall[] = [];
	const gateway = {
		isOffline: false,
		answer: async (_call: ChatCall): Promise<void> => {},
		async complete(call: ChatCall): Promise<ChatAnswer> {
			calls.push(call);
			await this.answer(call);
			return {
				info: {
					...{ model: "openai/gpt-4o", route: "", attempts: 1, failed: [] },
					...{ cache: "off", report: [] },
				},
				async *parts() {
					yield { choices: [] };
				},
			};
		},
	};

	function openQueue() {
		const queue = openRequestQueue({
			...{ store, env, gateway },
			courier: openCourier(new Uint8Array(32), true),
			log: openLogger("silent"),
		});
		const nothing = { write: () => "", end: () => "", fail: () => "" };
		queue.serve(
			path,
			(_, sent): ApiRequest => ({
				chat: sent as ChatCall["request"],
				open: () => ({ ...nothing, whole: () => ({ is: "answer" }) }),
			}),
		);
		queue.start();
		onTestFinished(queue.close);
		return queue;
	}

	const accept = async (queue: ReturnType<typeof openQueue>) => {
		const wanted = { path, sent: { model: "any" }, options: {} };
		const rest = { deliverTo: null, repeatKey: undefined };
		return (await queue.accept(payer, { ...wanted, ...rest })).id;
	};
	return { store, env, payer, gateway, calls, openQueue, accept };
}

type Opened = Awaited<ReturnType<typeof openQueues>>;

/** @param ms passes between two looks */
function until(
	{ payer, env }: Pick<Opened, "payer" | "env">,
	queue: ReturnType<Opened["openQueue"]>,
	id: string,
	state: object,
	ms = 0,
) {
	return vi.waitFor(
		async () => {
			env.pass(ms);
			await queue.hurry("shop-1");
			expect(await queue.get(payer, id)).toMatchObject(state);
		},
		{ timeout: 20_000, interval: 10 },
	);
}

const answered = { status: "answered", response: { body: { is: "answer" } } };

test("what waits for the internet is left alone until the server is online", async () => {
	const opened = await openQueues();
	const { gateway, calls, openQueue, accept, env } = opened;
	gateway.isOffline = true;
	gateway.answer = async () => {
		if (gateway.isOffline)
			throw new GatewayError(503, "Offline", { code: "offline" });
	};
	const queue = openQueue();
	const id = await accept(queue);
	await until(opened, queue, id, { status: "waiting", waits_for: "internet" });
	env.pass(day);
	await queue.hurry("shop-1");
	await sleep(20);
	expect(calls).toHaveLength(1);
	gateway.isOffline = false;
	await until(opened, queue, id, answered);
});

test("a provider that fails is asked ten times, with growing pauses, and then its failure is the answer", async () => {
	const opened = await openQueues();
	const { gateway, calls, openQueue, accept } = opened;
	gateway.answer = async () => {
		throw new GatewayError(502, "Down", { code: "upstream_error" });
	};
	const queue = openQueue();
	const id = await accept(queue);
	await until(opened, queue, id, { status: "waiting", waits_for: "provider" });
	const failed = { status: "failed", response: { status: 502 } };
	await until(opened, queue, id, failed, 600_000);
	expect(calls).toHaveLength(10);
});

test("a request that nothing answers for 35 days is given up, and its answer goes a week later", async () => {
	const opened = await openQueues();
	const { gateway, openQueue, accept, store, env } = opened;
	gateway.answer = async () => {
		throw new GatewayError(429, "Poor", { code: "budget_exceeded" });
	};
	const queue = openQueue();
	const id = await accept(queue);
	await until(opened, queue, id, { status: "waiting", waits_for: "budget" });
	env.pass(35 * day + 1);
	const body = { error: { code: "queue_expired" } };
	await until(opened, queue, id, { status: "failed", response: { body } });
	const sweep = () => store.write((tx) => queueRows(tx).sweep(env.now()));
	await sweep();
	await until(opened, queue, id, { status: "failed" });
	env.pass(7 * day + 1);
	await sweep();
	await expect(queue.get(opened.payer, id)).rejects.toMatchObject({
		status: 404,
	});
});

test("a server that starts deletes the kept responses and cached answers whose time is over", async () => {
	const { store, env, openQueue } = await openQueues();
	for (const [id, passedMs] of [
		["old", -1],
		["new", day],
	] as const) {
		const at = toIso(env.now() + passedMs);
		await store.write(async (tx) => {
			await tx.run(
				"INSERT INTO ai_responses (business_id, id, payer, stored, bytes, expires_at) VALUES ('shop-1', ?, '', '{}', 2, ?)",
				...[id, at],
			);
			await tx.run(
				"INSERT INTO ai_answers (business_id, hash, answer, bytes, created_at, expires_at) VALUES ('shop-1', ?, '{}', 2, ?, ?)",
				...[id, at, at],
			);
		});
	}
	openQueue();
	const left = () =>
		store.read((tx) =>
			tx.all(
				"SELECT id FROM ai_responses UNION ALL SELECT hash FROM ai_answers",
			),
		);
	await expect.poll(left).toEqual([{ id: "new" }, { id: "new" }]);
});

test("a provider that asks for years of patience doesn't keep a request from being given up", async () => {
	const opened = await openQueues();
	const { gateway, openQueue, accept, env } = opened;
	// Some providers send the moment, in seconds since 1970, in place of the pause.
	for (const retryAfterMs of [1.8e12, 1.8e16]) {
		gateway.answer = async () => {
			throw new GatewayError(429, "Later", { retryAfterMs });
		};
		const queue = openQueue();
		const id = await accept(queue);
		await until(opened, queue, id, {
			status: "waiting",
			waits_for: "provider",
		});
		env.pass(35 * day + 1);
		const body = { error: { code: "queue_expired" } };
		await until(opened, queue, id, { status: "failed", response: { body } });
	}
});

test("two servers never run the same request, and one takes over what the other held when it was killed", async () => {
	const opened = await openQueues();
	const { gateway, calls, openQueue, accept, env, store } = opened;
	const queues = [openQueue(), openQueue()];
	const [one, two] = queues as [(typeof queues)[0], (typeof queues)[0]];
	const ids = await Promise.all(
		Array.from({ length: 12 }, (_, i) => accept(i % 2 ? one : two)),
	);
	for (const id of ids) await until(opened, two, id, answered);
	expect(calls).toHaveLength(12);

	// A killed server leaves a claim behind, and its answer may come after another's.
	const late = Promise.withResolvers<void>();
	gateway.answer = () => late.promise;
	const id = await accept(one);
	await expect.poll(() => calls.length).toBe(13);
	await store.write((tx) =>
		tx.run("UPDATE ai_queue SET claim = 'killed' WHERE id = ?", id),
	);
	gateway.answer = async () => {};
	await two.hurry("shop-1");
	expect(calls).toHaveLength(13);
	const before = await store.read((tx) =>
		tx.get("SELECT tries FROM ai_queue WHERE id = ?", id),
	);
	expect(before).toEqual({ tries: 1 });
	env.pass(60_001);
	await until(opened, two, id, answered);
	const answer = await two.get(opened.payer, id);
	late.resolve();
	await sleep(20);
	expect(await two.get(opened.payer, id)).toEqual(answer);
	expect(calls).toHaveLength(14);
});

test("a server that closes gives its requests back at once", async () => {
	const opened = await openQueues();
	const { gateway, calls, openQueue, accept, store } = opened;
	gateway.answer = ({ signal }) =>
		new Promise((_, reject) =>
			signal.addEventListener("abort", () => reject(signal.reason)),
		);
	const queue = openQueue();
	const id = await accept(queue);
	await expect.poll(() => calls.length).toBe(1);
	await queue.close();
	const row = await store.read((tx) =>
		tx.get("SELECT claim, tries FROM ai_queue WHERE id = ?", id),
	);
	expect(row).toEqual({ claim: null, tries: 0 });
	gateway.answer = async () => {};
	await until(opened, openQueue(), id, answered);
});
