import { setTimeout as sleep } from "node:timers/promises";
import type { Agent, Dispatcher } from "undici";
import {
	openAdaptiveLimit,
	pageRange,
} from "../../sync/protocol/adaptive-limit.ts";
import { backoffMs, retryAfterMs } from "../../sync/protocol/backoff.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { batchMax } from "../../sync/protocol/protocol.ts";
import type { Answer, PageReader } from "./page-reader.ts";

/** A pending sale: its text on the wire, and when its customer began to wait. */
interface Made {
	text: string;
	dueAt: number;
}

/** State shared by the tills of one load. */
export interface Line {
	agent: Agent;
	origin: string;
	token: string;
	pages: PageReader;
	/** Called for each acknowledged sale with the time since it was made. */
	onAcknowledged(ms: number): void;
	/** Called for each unexpected answer except 503. */
	onError(error: unknown): void;
	/** False once tills that are behind should stop pulling. */
	goesOn(): boolean;
	/** Called for each 503. */
	onRefused(): void;
}

/**
 * A till that speaks the protocol like a replica but keeps only its cursor and the sales it has seen, so that two hundred
 * of them run in one process without starving the server beside it.
 */
export interface LightTill {
	/**
	 * Makes a sale, which is pushed as soon as no sync is running.
	 *
	 * @param dueAt when its customer began to wait, in `performance.now` time
	 * @param at its time of sale, in milliseconds since 1970
	 */
	sell(n: number, dueAt: number, at: number): void;
	/** Syncs on each head event until `leave`. */
	join(): Promise<void>;
	/** Closes the stream and waits for a running sync. */
	leave(): Promise<void>;
	/** Pushes all pending sales, then pulls to the head. */
	sync(): Promise<void>;
	readonly unsent: number;
	readonly version: number;
	/** The number of distinct sales pulled, and whether a given one was. */
	readonly seen: { count: number; has(n: number): boolean };
	readonly bytesPulled: number;
}

export function openLightTill(line: Line, salesMax: number): LightTill {
	const deviceId = newId(systemEnv);
	const bits = new Uint8Array(Math.ceil(salesMax / 8));
	let seenCount = 0;
	let bytesPulled = 0;
	const outbox: Made[] = [];
	const reach = openAdaptiveLimit(pageRange);
	let number = 0;
	let prefix: string | undefined;
	let cursor = "";
	let isDue = false;
	let running: Promise<void> | undefined;
	let leaving = new AbortController();
	let watching: Promise<void> | undefined;

	const headers = {
		authorization: `Bearer ${line.token}`,
		"content-type": "application/json",
		"accept-encoding": "gzip",
	};

	/** Retries until it gets an answer, as a till does. */
	async function ask(options: {
		method: "GET" | "POST";
		path: string;
		body?: string;
	}): Promise<Answer> {
		for (let failures = 1; ; failures += 1) {
			const response = await line.agent.request({
				origin: line.origin,
				headers,
				...options,
			});
			const body = Buffer.from(await response.body.arrayBuffer());
			if (response.statusCode === 200) {
				bytesPulled += body.length;
				const isGzip = response.headers["content-encoding"] === "gzip";
				return line.pages.read(cursor, body, isGzip);
			}
			if (response.statusCode !== 503)
				throw new Error(`${response.statusCode} ${body}`);
			line.onRefused();
			const named = Number(response.headers["retry-after"] ?? 0) * 1_000;
			await sleep(
				Math.max(
					retryAfterMs(named, systemEnv),
					backoffMs(failures, systemEnv),
				),
			);
		}
	}

	function pushText(batch: readonly Made[], isLast: boolean): string {
		const first = number - outbox.length + 1;
		const mutations = batch.map(
			({ text }, i) => `{"number":${first + i},${text}}`,
		);
		const envelope = {
			deviceId,
			lastNumber: number,
			prefix,
			...(isLast ? { cursor, limit: reach.count } : {}),
		};
		return `{"mutations":[${mutations.join(",")}],${JSON.stringify(envelope).slice(1)}`;
	}

	async function sync(): Promise<void> {
		for (;;) {
			const batch = outbox.slice(0, batchMax);
			const isLast = batch.length === outbox.length;
			const answer = await ask({
				method: "POST",
				path: "/api/sync",
				body: pushText(batch, isLast),
			});
			const answered = performance.now();
			takeResults(answer, batch);
			for (const { dueAt } of batch) line.onAcknowledged(answered - dueAt);
			outbox.splice(0, batch.length);
			if (!isLast) continue;
			let hasMore = takePage(answer);
			while (hasMore && line.goesOn())
				hasMore = takePage(
					await ask({
						method: "GET",
						path: `/api/sync?cursor=${cursor}&limit=${reach.count}`,
					}),
				);
			return;
		}
	}

	function takeResults({ envelope }: Answer, batch: readonly Made[]): void {
		const { results = [] } = envelope;
		const applied = results.filter(({ status }) => status === "applied").length;
		if (applied !== batch.length)
			throw new Error(
				`${batch.length - applied} were not applied: ${JSON.stringify(envelope).slice(0, 500)}`,
			);
		prefix ??= envelope.prefix;
	}

	/** @returns whether more pages follow */
	function takePage({ envelope, sales }: Answer): boolean {
		const { cursor: next, hasMore, reset } = envelope;
		if (next === undefined || hasMore === undefined)
			throw new Error(`No page: ${JSON.stringify(envelope).slice(0, 500)}`);
		if (versionOf(next) < versionOf(cursor) || reset)
			throw new Error(`The cursor went back from ${cursor} to ${next}`);
		cursor = next;
		for (const n of sales) see(n);
		if (hasMore && sales.length > 0) reach.grow();
		return hasMore;
	}

	function see(n: number): void {
		const bit = 1 << (n & 7);
		const byte = bits[n >> 3] as number;
		if (byte & bit) return;
		bits[n >> 3] = byte | bit;
		seenCount += 1;
	}

	function has(n: number): boolean {
		return ((bits[n >> 3] as number) & (1 << (n & 7))) !== 0;
	}

	/** Runs one sync at a time; triggers during a sync cause one more. */
	function poke(): void {
		isDue = true;
		if (leaving.signal.aborted) return;
		running ??= (async () => {
			while (isDue && !leaving.signal.aborted) {
				isDue = false;
				await sync();
			}
		})()
			.catch(line.onError)
			.finally(() => {
				running = undefined;
			});
	}

	async function watch(body: Dispatcher.ResponseData["body"]): Promise<void> {
		try {
			for await (const chunk of body)
				if ((chunk as Buffer).includes("event: head")) poke();
		} catch (error) {
			if (!leaving.signal.aborted) line.onError(error);
		}
	}

	return {
		sell(n, dueAt, at) {
			number += 1;
			outbox.push({ dueAt, text: saleText(n, at) });
			if (watching) poke();
		},

		async join() {
			leaving = new AbortController();
			const response = await line.agent.request({
				origin: line.origin,
				method: "GET",
				path: "/api/sync",
				headers: { ...headers, accept: "text/event-stream" },
				bodyTimeout: 0,
				signal: leaving.signal,
			});
			if (response.statusCode !== 200)
				throw new Error(`No stream: ${response.statusCode}`);
			watching = watch(response.body);
		},

		async leave() {
			leaving.abort();
			await watching;
			watching = undefined;
			await running;
		},

		sync,
		get unsent() {
			return outbox.length;
		},
		get version() {
			return versionOf(cursor);
		},
		get seen() {
			return { count: seenCount, has };
		},
		get bytesPulled() {
			return bytesPulled;
		},
	};
}

export const productCount = 500;

/** A mutation without its braces. The last digits of the sale's id are its number in the load, so that tills find it in the raw bytes. */
export function saleText(n: number, at: number): string {
	const env = { ...systemEnv, now: () => at };
	const id = newId(env).slice(0, -8) + n.toString(16).padStart(8, "0");
	const items = Array.from({ length: 1 + (n % 3) }, (_, line) => {
		const product = (n * 7 + line * 131) % productCount;
		return {
			id: String(line + 1),
			name: `Product ${product}`,
			quantity: 1,
			price: 49.5,
			cost: 40,
			productId: `p-${product}`,
		};
	});
	const mutation = {
		id: newId(env),
		name: "sale.create",
		at: toIso(at),
		args: {
			id,
			items,
			paid: 200,
			paymentMethod: "CASH",
			receiptNumber: `L-${n}`,
			businessDay: toIso(at).slice(0, 10),
		},
	};
	return JSON.stringify(mutation).slice(1, -1);
}

function versionOf(cursor: string): number {
	return Number(cursor.split(".")[1] ?? 0);
}
