import { ShopError } from "./errors.ts";
import type { Env } from "./ids.ts";
import * as outbox from "./outbox.ts";
import { batchMax, type PushAnswer } from "./protocol.ts";
import { cursorOf, readState } from "./replica-state.ts";
import type { Store } from "./store/store.ts";
import type { Transport } from "./transport.ts";

/** Room under the server's limit for a body, for the envelope and for wider characters. */
const batchBytesMax = 4_000_000;

interface Pushing {
	store: Store;
	businessId: string;
	transport: Transport;
	env: Env;
	/** Of the page that comes with the last answer. */
	rows: number;
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
	rows,
}: Pushing): Promise<PushAnswer> {
	let countMax = batchMax;
	let read = await readBatch(0, countMax);
	let settling = Promise.resolve();
	for (;;) {
		let { state } = read;
		const { batch, after, last, isLast } = read;
		if (isLast) {
			// The cursor that goes with it is of the history that the answers before it were of.
			await settling;
			state = await store.read((tx) => readState(tx, businessId));
		}
		const sentAt = env.now();
		const [pushed, settled, ahead] = await Promise.allSettled([
			transport.push({
				mutations: read.messages,
				deviceId: state.deviceId,
				lastNumber: state.lastNumber,
				...(state.prefix === null ? {} : { prefix: state.prefix }),
				...(isLast ? { cursor: cursorOf(state), limit: rows } : {}),
			}),
			settling,
			isLast ? undefined : readBatch(last, countMax),
		]);
		if (settled.status === "rejected") throw settled.reason;
		settling = Promise.resolve();
		if (pushed.status === "rejected") {
			// A proxy on the way may allow less than the server does.
			const { reason } = pushed;
			const tooLarge =
				reason instanceof ShopError && reason.code === "too_large";
			if (!tooLarge || batch.length < 2) throw reason;
			countMax = Math.floor(batch.length / 2);
			read = await readBatch(after, countMax);
			continue;
		}
		const answer = pushed.value;
		if (answer.forked) return answer;
		settling = takeResults(batch, answer, sentAt);
		if (ahead.status === "rejected" || !ahead.value) {
			await settling;
			if (ahead.status === "rejected") throw ahead.reason;
			return answer;
		}
		read = ahead.value;
	}

	async function readBatch(after: number, countMax: number) {
		return store.read(async (tx) => {
			const batch = await outbox.nextBatch(
				tx,
				businessId,
				after,
				countMax,
				batchBytesMax,
			);
			const last = batch.at(-1)?.position ?? after;
			const more = await outbox.nextBatch(tx, businessId, last, 1, 0);
			const state = await readState(tx, businessId);
			const messages = batch.map(outbox.toMessage);
			return { state, batch, messages, after, last, isLast: more.length === 0 };
		});
	}

	async function takeResults(
		batch: outbox.OutboxEntry[],
		answer: PushAnswer,
		sentAt: number,
	): Promise<void> {
		const now = env.now();
		const offset = Math.round(
			Date.parse(answer.serverNow) - (sentAt + now) / 2,
		);
		await store.write(async (tx) => {
			await outbox.settle(tx, businessId, batch, answer.results, now);
			const { prefix } = await readState(tx, businessId);
			// Whose answers these are is known with them, and not with the first page only: another history may be next.
			await tx.run(
				"UPDATE replica SET clock_offset_ms = ?, epoch = coalesce(epoch, ?) WHERE business_id = ?",
				offset,
				answer.epoch,
				businessId,
			);
			if (answer.prefix !== undefined && answer.prefix !== prefix)
				await tx.run(
					"UPDATE replica SET prefix = ?, last_receipt = 0 WHERE business_id = ?",
					answer.prefix,
					businessId,
				);
		});
	}
}
