import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { toIso } from "../../../sync/protocol/clock.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import { sweepAnswers } from "../answer-cache.ts";
import type { Reader } from "../api.ts";
import { GatewayError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Payer } from "../meter.ts";
import { sweepResponses } from "../responses-door/kept-responses.ts";
import { aiDelivery, type Courier, isAllowedAddress } from "./delivery.ts";
import type { QueuedRequest } from "./queued-request.ts";
import {
	type Outcome,
	type QueuedRow,
	queueRows,
	toQueuedRequest,
} from "./rows.ts";
import { openTries, waitMs } from "./tries.ts";

/** What a caller puts into the queue. */
interface NewRequest {
	/** The path of the API that it came through. */
	path: string;
	/** The body as it was sent. */
	sent: unknown;
	/** The headers that are the gateway's options. */
	options: Record<string, string>;
	/** Where the answer is delivered to; null if it is polled. */
	deliverTo: string | null;
	/** The same for repetitions of one request. */
	repeatKey: string | undefined;
}

/**
 * Requests that are answered when they can be: each is on the disk before its caller hears of it, is run by one server at a
 * time, and gets one answer. A run that a kill interrupts begins again, since nobody knows whether the provider answered.
 */
export interface RequestQueue {
	/** Says how requests of an API are read. */
	serve(path: string, read: Reader): void;
	/** Begins to work, once all APIs are served. */
	start(): void;
	/** @throws GatewayError 400 for an address that isn't allowed; 409 for another request's key; 429 if the queue is full */
	accept(payer: Payer, wanted: NewRequest): Promise<QueuedRequest>;
	/** @throws GatewayError 404 */
	get(payer: Payer, id: string): Promise<QueuedRequest>;
	/** Ends a request in whatever state. @throws GatewayError 404 */
	cancel(payer: Payer, id: string): Promise<void>;
	/** Tries again at once what waits for a budget of the business. */
	hurry(businessId: string): Promise<void>;
	courier: Courier;
	/** Ends the running requests, which another start begins again. */
	close(): Promise<void>;
}

/** Of one key or member, without an answer. */
const waitingMax = 1_000;
/** Of one business's requests and answers. */
const bytesMax = 64_000_000;

const tickMs = 2_000;
/** A server that is killed holds its requests no longer than this. */
const claimMs = 60_000;
const renewMs = 20_000;
const sweepMs = 3_600_000;
const runningMax = 8;

interface QueueOptions {
	store: Store;
	env: Env;
	gateway: Pick<Gateway, "complete" | "isOffline">;
	courier: Courier;
	log: Logger;
}

export function openRequestQueue(options: QueueOptions): RequestQueue {
	const { store, env, gateway, courier, log } = options;
	const closing = new AbortController();
	const readers = new Map<string, Reader>();
	const running = new Map<string, { row: QueuedRow; abort: AbortController }>();
	const endings = new Set<Promise<void>>();
	const tries = openTries({ ...options, readers, closing: closing.signal });
	let working: Promise<void> | undefined;
	let isWoken = false;
	let wakeUp = () => {};
	let renewedAt = 0;
	let sweptAt = Number.NEGATIVE_INFINITY;
	const now = () => performance.now();

	function wake(): void {
		isWoken = true;
		wakeUp();
	}

	/** A loop, so that work is never done in the context of the request that woke it. */
	async function work(): Promise<void> {
		while (!closing.signal.aborted) {
			isWoken = false;
			await look().catch((err) => log.error({ err }));
			if (isWoken || closing.signal.aborted) continue;
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, tickMs).unref();
				wakeUp = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
	}

	async function look(): Promise<void> {
		if (running.size > 0 && now() - renewedAt > renewMs) await renew();
		if (now() - sweptAt > sweepMs) {
			sweptAt = now();
			await store.write(async (tx) => {
				await queueRows(tx).sweep(env.now());
				await sweepResponses(tx, env.now());
				await sweepAnswers(tx, env.now());
			});
		}
		if (running.size >= runningMax) return;
		const due = await store.read((tx) =>
			queueRows(tx).due(env.now(), gateway.isOffline, 2 * runningMax),
		);
		const free = due
			.filter(({ id }) => !running.has(id))
			.slice(0, runningMax - running.size);
		if (free.length === 0) return;
		const claimed = await store.write(async (tx) => {
			const rows: (QueuedRow | undefined)[] = [];
			for (const key of free)
				rows.push(
					await queueRows(tx).claim(
						key,
						newId(env),
						env.now(),
						env.now() + claimMs,
					),
				);
			return rows;
		});
		if (running.size === 0) renewedAt = now();
		for (const row of claimed) if (row) begin(row);
	}

	/** Another server may have taken a request over, or its caller has cancelled it there. */
	async function renew(): Promise<void> {
		renewedAt = now();
		const outcome = { due_at: toIso(env.now() + claimMs) };
		await store.write(async (tx) => {
			for (const { row, abort } of running.values())
				if (!(await queueRows(tx).settle(row, outcome, { isKept: true })))
					abort.abort();
		});
	}

	function begin(row: QueuedRow): void {
		const abort = new AbortController();
		running.set(row.id, { row, abort });
		const signal = AbortSignal.any([abort.signal, closing.signal]);
		const ending = tries
			.make(row, signal)
			.then((outcome) => settle(row, outcome))
			.catch((err) => log.error({ err }))
			.finally(() => {
				running.delete(row.id);
				endings.delete(ending);
				wake();
			});
		endings.add(ending);
	}

	/** An answer has cost something, so a full disk doesn't lose it at once. */
	async function settle(row: QueuedRow, outcome: Outcome): Promise<void> {
		for (;;)
			try {
				await store.write((tx) => queueRows(tx).settle(row, outcome));
				return;
			} catch (err) {
				if (closing.signal.aborted) throw err;
				log.error({ err });
				await sleep(tickMs, undefined, { signal: closing.signal }).catch(
					() => {},
				);
			}
	}

	async function find(payer: Payer, id: string): Promise<QueuedRow> {
		const { businessId } = payer;
		const row = await store.read((tx) =>
			queueRows(tx).find({ businessId, id }),
		);
		if (row?.account !== accountOf(payer)) throw notFound(id);
		return row;
	}

	return {
		courier,

		serve(path, read) {
			readers.set(path, read);
		},

		start() {
			working ??= work();
		},

		async accept(payer, wanted) {
			const row = await store.write((tx) => add(tx, env, payer, wanted));
			wake();
			return toQueuedRequest(row);
		},

		get: async (payer, id) => toQueuedRequest(await find(payer, id)),

		async cancel(payer, id) {
			const { businessId } = payer;
			const isRemoved = await store.write((tx) =>
				queueRows(tx).remove({ businessId, id }, accountOf(payer)),
			);
			if (!isRemoved) throw notFound(id);
			running.get(id)?.abort.abort();
		},

		async hurry(businessId) {
			await store.write((tx) => queueRows(tx).hurry(businessId, env.now()));
			wake();
		},

		async close() {
			closing.abort();
			wake();
			await working;
			await Promise.all(endings);
			await courier.close();
		},
	};
}

async function add(
	tx: Connection,
	env: Env,
	payer: Payer,
	{ path, sent, options, deliverTo, repeatKey }: NewRequest,
): Promise<QueuedRow> {
	const { businessId } = payer;
	const account = accountOf(payer);
	const rows = queueRows(tx);
	const body = JSON.stringify(sent);
	const optionsText = JSON.stringify(options);
	const requestHash = hash(
		"sha256",
		JSON.stringify([path, body, optionsText, deliverTo]),
	);

	async function findRepeated(): Promise<QueuedRow | undefined> {
		if (repeatKey === undefined) return undefined;
		const before = await rows.findRepeated(businessId, account, repeatKey);
		if (before && before.requestHash !== requestHash)
			throw new GatewayError(
				409,
				"Another request had the same Idempotency-Key",
				{ param: "idempotency-key", code: "idempotency_key_reused" },
			);
		return before;
	}

	const before = await findRepeated();
	if (before) return before;
	if (
		deliverTo !== null &&
		!isAllowedAddress(deliverTo, await aiDelivery(tx, businessId).find())
	)
		throw new GatewayError(
			400,
			"x-gateway-queue: must be `on` or an address to which the business's owner allows answers to go",
			{ param: "x-gateway-queue", code: "address_not_allowed" },
		);
	const { waiting, bytes } = await rows.usedBy(businessId, account);
	if (waiting >= waitingMax || bytes + Buffer.byteLength(body) > bytesMax)
		throw new GatewayError(
			429,
			waiting >= waitingMax
				? `${waitingMax} of your requests wait in the queue`
				: `The queue keeps at most ${bytesMax / 1e6} MB of requests and answers of this business`,
			{ code: "queue_full", shouldRetry: false },
		);
	const at = env.now();
	const id = newId(env);
	await rows.add({
		...{ businessId, id, account, path, requestHash, deliverTo },
		...{ body, repeatKey: repeatKey ?? null, options: optionsText },
		createdAt: toIso(at),
		expiresAt: toIso(at + waitMs),
	});
	// Of two repetitions at once, one is stored.
	const row = (await findRepeated()) ?? (await rows.find({ businessId, id }));
	if (!row) throw new Error(`Request ${id} was not stored`);
	return row;
}

/** Whose requests they are: a key's or a member's. */
function accountOf({ key, userId }: Payer): string {
	return key?.id ?? userId ?? "";
}

function notFound(id: string): GatewayError {
	return new GatewayError(404, `There is no queued request '${id}'`, {
		code: "not_found",
	});
}
