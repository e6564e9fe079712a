import { nextTurn } from "#platform";
import type { ProofKeyring } from "../log/proof.ts";
import { type AdaptiveLimit, smallBatch } from "../protocol/adaptive-limit.ts";
import { ShopError } from "../protocol/errors.ts";
import type { Env } from "../protocol/ids.ts";
import {
	assertSameBusiness,
	type PushRequest,
	type PushResponse,
} from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { cursorOf, type ReplicaState, readState } from "./replica-state.ts";
import type { Transport } from "./transport.ts";

/** Leaves room under the server's body limit for the envelope and for characters of several bytes. */
export const batchBytesMax = 4_000_000;

/** What a power cut takes back, the server answers again: no sale waits for the disk because of it. */
const answeredAgain = { isDurable: false };

interface Answered {
	batch: outbox.OutboxEntry[];
	answer: PushResponse;
	sentAt: number;
	/** When the answer came. */
	now: number;
}

/** This device's progress, for a batch. */
interface Standing extends Required<Pick<PushRequest, "settled" | "settles">> {
	state: ReplicaState;
	taken: PushRequest["taken"];
}

export interface PushOptions {
	store: Store;
	businessId: string;
	transport: Transport;
	env: Env;
	/** How many mutations the connection can carry at once. */
	batchSize: AdaptiveLimit;
	/** Maximum bytes of a batch, unless a single mutation is longer. */
	batchBytes: number;
	/** The page length requested with the last push. */
	rows: number;
	program: string | undefined;
	keyring: ProofKeyring;
}

/**
 * Pushes all pending mutations in order. While the server works on a batch, the results of the one before are saved and
 * the next one is read.
 *
 * @returns the last answer, which carries a page, or the one that reports a fork
 */
export async function pushOutbox({
	store,
	businessId,
	transport,
	env,
	batchSize,
	batchBytes,
	rows,
	program,
	keyring,
}: PushOptions): Promise<PushResponse> {
	let read = await readBatch(0);
	/** The server's last answer. */
	let answered: Answered | undefined;
	for (;;) {
		let { standing } = read;
		const { batch, after, last, isLast } = read;
		if (isLast) {
			// The cursor to send must belong to the same history as the answers before.
			await settle();
			standing = await store.read((tx) => readStanding(tx, after, last));
		}
		const { deviceId } = standing.state;
		const sentAt = env.now();
		const [pushed, ahead] = await Promise.allSettled([
			transport.push(requestOf(read.mutations, standing, isLast)),
			prepareNext(isLast ? undefined : read),
		]);
		// The failed push loses nothing: sending it again gets the same answer.
		if (ahead.status === "rejected") throw ahead.reason;
		if (pushed.status === "rejected") {
			shrinkAfter(pushed.reason, batch.length, batchSize);
			read = await readBatch(after);
			continue;
		}
		if (!isLast) batchSize.grow();
		const answer = pushed.value;
		assertSameBusiness(businessId, answer.businessId);
		if (answer.forked) return answer;
		if (answer.proofKey) keyring.write({ ...answer.proofKey, deviceId });
		answered = { batch, answer, sentAt, now: env.now() };
		// A server that lost mutations would apply nothing of the next batch either.
		if (!ahead.value || answer.lastNumber !== undefined) {
			await settle();
			return answer;
		}
		read = ahead.value;
		if (answer.results.some(({ status }) => status === "deferred"))
			read.standing.settles = read.standing.settled;
		// They were read before this answer, and show a server that is put back now what it has lost.
		read.standing.taken = lastApplied(answer, read.standing.taken);
		read.standing.state.position.epoch ??= answer.epoch;
	}

	function requestOf(
		mutations: string,
		{ state, settled, settles, taken }: Standing,
		isLast: boolean,
	) {
		const { deviceId, lastNumber, prefix, resumesAfter } = state;
		const others: Omit<PushRequest, "mutations"> = {
			businessId,
			deviceId,
			lastNumber,
			settled,
			settles,
			taken,
			...(resumesAfter === null ? {} : { resumesAfter }),
			prefix,
			program,
			...(keyring.isWanted() ? { wantsProofKey: true } : {}),
			cursor: cursorOf(state.position),
			limit: isLast ? rows : 0,
		};
		return `{"mutations":${mutations},${JSON.stringify(others).slice(1)}`;
	}

	/** @param sent the batch that is being sent, unless it is the last one */
	async function prepareNext(
		sent: { after: number; last: number } | undefined,
	) {
		// Sends the request first: the server's process may use this thread.
		await store.read(() => nextTurn());
		await settle();
		return sent && readBatch(sent.last, sent.after);
	}

	/** @param sentAfter the position before a batch that is being sent, if one is */
	async function readBatch(after: number, sentAfter = after) {
		return store.read(async (tx) => {
			const batch = await outbox.nextBatch(
				tx,
				businessId,
				after,
				batchSize.count,
				batchBytes,
			);
			const last = batch.at(-1)?.position ?? after;
			const more = await outbox.nextBatch(tx, businessId, last, 1, 0);
			const standing = await readStanding(tx, sentAfter, last);
			const { clockOffsetMs } = standing.state;
			const messages = batch.map((one) => outbox.toJson(one, clockOffsetMs));
			const mutations = `[${messages.join()}]`;
			return {
				standing,
				batch,
				mutations,
				after,
				last,
				isLast: more.length === 0,
			};
		});
	}

	async function readStanding(
		tx: Connection,
		after: number,
		last: number,
	): Promise<Standing> {
		const state = await readState(tx, businessId);
		const settledNumber = (upTo: number) =>
			outbox.settledNumber(tx, businessId, state.lastNumber, after, upTo);
		return {
			state,
			settled: await settledNumber(after),
			settles: await settledNumber(last),
			taken: await outbox.lastTaken(tx, businessId),
		};
	}

	async function settle(): Promise<void> {
		if (!answered) return;
		const { batch, answer, sentAt, now } = answered;
		answered = undefined;
		const offset = Math.round(
			Date.parse(answer.serverNow) - (sentAt + now) / 2,
		);
		await store.write(async (tx) => {
			await outbox.settle(tx, businessId, batch, answer.results, now);
			const { prefix } = await readState(tx, businessId);
			// Saves the epoch together with the results, because the next answer may come from another history.
			await tx.run(
				"UPDATE replica SET clock_offset_ms = ?, epoch = coalesce(epoch, ?), resumes_after = ? WHERE business_id = ?",
				offset,
				answer.epoch,
				answer.lastNumber ?? null,
				businessId,
			);
			// The next push announces that everything kept is sent again.
			if (answer.lastNumber !== undefined) await outbox.reoffer(tx, businessId);
			if (answer.prefix !== undefined && answer.prefix !== prefix)
				await tx.run(
					"UPDATE replica SET prefix = ?, last_receipt = 0 WHERE business_id = ?",
					answer.prefix,
					businessId,
				);
		}, answeredAgain);
	}
}

/** By version, because a mutation that was deferred is applied after those behind it. */
function lastApplied(
	{ results }: PushResponse,
	before: PushRequest["taken"],
): PushRequest["taken"] {
	let last = before;
	for (const { id, status, version = 0 } of results)
		if (status === "applied" && version > (last?.version ?? 0))
			last = { id: id as string, version };
	return last;
}

/** Makes the next batches smaller if a push failed because of its size. @throws its error, unless a smaller one is tried now */
function shrinkAfter(
	reason: unknown,
	sent: number,
	batchSize: AdaptiveLimit,
): void {
	const code = reason instanceof ShopError ? reason.code : undefined;
	// A proxy may have a lower limit than the server.
	const isTooLarge = code === "too_large" && sent > 1;
	if (isTooLarge || (code === "unreachable" && sent > smallBatch))
		batchSize.shrink(sent);
	if (!isTooLarge) throw reason;
}
