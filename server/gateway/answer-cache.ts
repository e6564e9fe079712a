import { hash } from "node:crypto";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import type { ChatCall } from "./call.ts";
import type { Completion } from "./chat.ts";
import { autoModel } from "./routing/auto-route.ts";

/** An answer as the database stores it. */
interface CachedAnswer extends Completion {
	model: string;
	route: string;
}

/** Caches answers for exact repeats of a request by the same business. */
export interface AnswerCache {
	find(
		businessId: string,
		hash: string,
	): Promise<{ answer: CachedAnswer; ageSeconds: number } | undefined>;
	/** Writes soon, not at once: after a crash, the provider can be asked again. */
	store(
		businessId: string,
		hash: string,
		answer: CachedAnswer,
		seconds: number,
	): void;
	flush(): Promise<void>;
}

const flushMs = 200;
/** The largest part of the cache that one answer may fill. */
const shareMax = 0.1;

interface PendingAnswer {
	businessId: string;
	hash: string;
	text: string;
	seconds: number;
}

/** @param bytesMax for each business; the oldest answers are evicted first */
export function openCache(
	store: Store,
	env: Env,
	bytesMax: number,
	onFault: (error: unknown) => void,
): AnswerCache {
	let waiting: PendingAnswer[] = [];
	/** Those whose write has begun, and which the database may not have yet. */
	const underWay = new Set<PendingAnswer>();
	let writing = Promise.resolve();
	let timer: NodeJS.Timeout | undefined;

	function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		if (waiting.length > 0) {
			const before = writing;
			writing = write(waiting).then(() => before);
		}
		return writing;
	}

	async function write(batch: readonly PendingAnswer[]): Promise<void> {
		waiting = [];
		for (const it of batch) underWay.add(it);
		await store
			.write(async (tx) => {
				for (const { businessId, hash, text, seconds } of batch)
					await tx.run(
						`INSERT INTO ai_answers (business_id, hash, answer, bytes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (business_id, hash) DO UPDATE SET answer = excluded.answer, bytes = excluded.bytes,
               created_at = excluded.created_at, expires_at = excluded.expires_at`,
						businessId,
						hash,
						text,
						Buffer.byteLength(text),
						toIso(env.now()),
						toIso(env.now() + seconds * 1_000),
					);
				for (const businessId of new Set(batch.map((it) => it.businessId))) {
					await tx.run(
						"DELETE FROM ai_answers WHERE business_id = ? AND expires_at < ?",
						businessId,
						toIso(env.now()),
					);
					await tx.run(
						`DELETE FROM ai_answers WHERE business_id = ? AND hash IN (
               SELECT hash FROM (
                 SELECT hash, sum(bytes) OVER (ORDER BY created_at DESC, hash) AS upto FROM ai_answers WHERE business_id = ?
               ) AS aged WHERE upto > ?)`,
						businessId,
						businessId,
						Math.floor(bytesMax),
					);
				}
			})
			.catch(onFault);
		for (const it of batch) underWay.delete(it);
	}

	return {
		async find(businessId, hash) {
			if ([...waiting, ...underWay].some((it) => it.hash === hash))
				await flush();
			const row = await store.read((tx) =>
				tx.get(
					"SELECT answer, created_at FROM ai_answers WHERE business_id = ? AND hash = ? AND expires_at >= ?",
					businessId,
					hash,
					toIso(env.now()),
				),
			);
			if (!row) return undefined;
			const ageMs = env.now() - Date.parse(row.created_at as string);
			return {
				answer: JSON.parse(row.answer as string),
				ageSeconds: Math.max(0, Math.floor(ageMs / 1_000)),
			};
		},

		store(businessId, hash, answer, seconds) {
			const text = JSON.stringify(answer);
			if (text.length > bytesMax * shareMax) return;
			waiting.push({ businessId, hash, text, seconds });
			timer ??= setTimeout(() => void flush(), flushMs).unref();
		},

		flush,
	};
}

/** Deletes the answers whose time is over, also of businesses that ask nothing more. */
export async function sweepAnswers(tx: Connection, now: number): Promise<void> {
	await tx.run("DELETE FROM ai_answers WHERE expires_at < ?", toIso(now));
}

/** Whether a call may be cached: at temperature 0, or if its headers ask for it. */
export function isCacheable({
	cache,
	request,
}: Pick<ChatCall, "cache" | "request">): boolean {
	return (
		cache === "on" ||
		cache === "refresh" ||
		(cache !== "off" && request.temperature === 0)
	);
}

/** False for an answer that was filtered or may be incomplete, since the next call may get a better one. */
export function isWorthCaching({ choices, isUncertain }: Completion): boolean {
	return (
		!isUncertain &&
		choices.every(({ finish_reason }) => finish_reason !== "content_filter")
	);
}

/**
 * Hashes the parts of a request that affect its answer, and not how the answer is sent.
 *
 * @returns undefined for a call that may not be cached
 */
export function cacheKeyOf(call: ChatCall): string | undefined {
	if (!isCacheable(call)) return undefined;
	const { request, temperatureDefault, policy, fallback } = call;
	const { stream: _, stream_options: __, user: ___, ...rest } = request;
	const how = request.model === autoModel ? policy : fallback;
	return hash("sha256", JSON.stringify([rest, how, temperatureDefault]));
}
