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

/** Room under the server's limit for a body, for the envelope and for wider characters. */
export const batchBytesMax = 4_000_000;

interface Answered {
	batch: outbox.OutboxEntry[];
	answer: PushResponse;
	sentAt: number;
	/** When the answer came. */
	now: number;
}

/** How far this device has come, for a batch. */
interface Standing extends Required<Pick<PushRequest, "settled" | "settles">> {
	state: ReplicaState;
	taken: PushRequest["taken"];
}

export interface PushOptions {
	store: Store;
	businessId: string;
	transport: Transport;
	env: Env;
	/** How many mutations the line bears at once. */
	batchSize: AdaptiveLimit;
	/** How many bytes are sent at once, unless one mutation is longer. */
	batchBytes: number;
	/** Of the page that comes with the last answer. */
	rows: number;
	keyring: ProofKeyring;
}

/**
 * Sends all that is unsent, in its order. While the server works on a batch, what it said of the one before is written
 * down, and the next one is read.
 *
 * @returns the last answer, which carries a page; or the one that says that this device is forked
 */
export async function pushOutbox({
	store,
	businessId,
	transport,
	env,
	batchSize,
	batchBytes,
	rows,
	keyring,
}: PushOptions): Promise<PushResponse> {
	let read = await readBatch(0);
	/** What the server said last. */
	let answered: Answered | undefined;
	for (;;) {
		let { standing } = read;
		const { batch, after, last, isLast } = read;
		if (isLast) {
			// The cursor that goes with it is of the history that the answers before it were of.
			await settle();
			standing = await store.read((tx) => readStanding(tx, after, last));
		}
		const { deviceId } = standing.state;
		const sentAt = env.now();
		const [pushed, ahead] = await Promise.allSettled([
			transport.push(requestOf(read.mutations, standing, isLast)),
			prepareNext(isLast ? undefined : last),
		]);
		// What the server has just said is not lost with it: it says so again when it is sent again.
		if (ahead.status === "rejected") throw ahead.reason;
		if (pushed.status === "rejected") {
			const { reason } = pushed;
			const code = reason instanceof ShopError ? reason.code : undefined;
			// A proxy on the way may allow less than the server does.
			const isTooLarge = code === "too_large" && batch.length > 1;
			if (isTooLarge || (code === "unreachable" && batch.length > smallBatch))
				batchSize.shrink(batch.length);
			if (!isTooLarge) throw reason;
			read = await readBatch(after);
			continue;
		}
		if (!isLast) batchSize.grow();
		const answer = pushed.value;
		assertSameBusiness(businessId, answer.businessId);
		if (answer.forked) return answer;
		if (answer.proofKey) keyring.write({ ...answer.proofKey, deviceId });
		answered = { batch, answer, sentAt, now: env.now() };
		// Of what follows nothing would be applied either, where the server has lost some of its past.
		if (!ahead.value || answer.lastNumber !== undefined) {
			await settle();
			return answer;
		}
		read = ahead.value;
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
			...(keyring.isWanted() ? { wantsProofKey: true } : {}),
			cursor: cursorOf(state.position),
			limit: isLast ? rows : 0,
		};
		return `{"mutations":${mutations},${JSON.stringify(others).slice(1)}`;
	}

	/** @param last undefined where nothing is left to read */
	async function prepareNext(last: number | undefined) {
		// The request leaves first: the server would wait for this database, too.
		await store.read(() => nextTurn());
		await settle();
		return last === undefined ? undefined : readBatch(last);
	}

	async function readBatch(after: number) {
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
			const standing = await readStanding(tx, after, last);
			const mutations = `[${batch.map(outbox.toJson).join()}]`;
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
			// Whose answers these are is known with them, and not with the first page only: another history may be next.
			await tx.run(
				"UPDATE replica SET clock_offset_ms = ?, epoch = coalesce(epoch, ?), resumes_after = ? WHERE business_id = ?",
				offset,
				answer.epoch,
				answer.lastNumber ?? null,
				businessId,
			);
			// What is told to the server in its place next: that all that is kept is on its way again.
			if (answer.lastNumber !== undefined) await outbox.reoffer(tx, businessId);
			if (answer.prefix !== undefined && answer.prefix !== prefix)
				await tx.run(
					"UPDATE replica SET prefix = ?, last_receipt = 0 WHERE business_id = ?",
					answer.prefix,
					businessId,
				);
		});
	}
}
