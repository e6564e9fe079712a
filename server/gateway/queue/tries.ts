import type { Logger } from "pino";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { members } from "../../accounts/members.ts";
import { assertAllowed, payerOf } from "../access.ts";
import { errorBodyOf, toGatewayError } from "../answer-errors.ts";
import { type Reader, readOptions, writeWhole } from "../api.ts";
import { GatewayError } from "../errors.ts";
import { parseJsonExactly } from "../exact-json.ts";
import type { Gateway } from "../gateway.ts";
import type { Payer } from "../meter.ts";
import { aiDelivery, type Courier, isAllowedAddress } from "./delivery.ts";
import { pauseAfterDelivery, triesMax, waitAfter } from "./retry.ts";
import { type Outcome, type QueuedRow, toQueuedRequest } from "./rows.ts";

/** Longer than a month, after which every budget is back. */
export const waitMs = 35 * 86_400_000;
/** How long an answer is kept. */
const answerLifeMs = 7 * 86_400_000;

interface Options {
	store: Pick<Store, "read">;
	env: Env;
	gateway: Pick<Gateway, "complete" | "isOffline">;
	courier: Courier;
	log: Logger;
	readers: ReadonlyMap<string, Reader>;
	/** Aborts when the server closes. */
	closing: AbortSignal;
}

/** Makes one try to answer a request, or to deliver its answer. */
export function openTries({
	store,
	env,
	gateway,
	courier,
	log,
	readers,
	closing,
}: Options) {
	/** @returns the answer, in the form of its API */
	async function run(
		row: QueuedRow,
		signal: AbortSignal,
	): Promise<{ headers: Record<string, string>; text: string }> {
		if (Date.parse(row.expiresAt) < env.now())
			throw new GatewayError(400, "It could not be answered in time", {
				code: "queue_expired",
			});
		if (row.tries > triesMax)
			throw new GatewayError(
				400,
				`It was interrupted ${triesMax} times while it ran`,
				{ code: "queue_interrupted" },
			);
		const read = readers.get(row.path);
		if (!read) throw new GatewayError(404, `There is no ${row.path}`);
		const payer = await store.read((tx) => payerOfRow(tx, row));
		assertAllowed(payer);
		const asked = await read(payer, parseJsonExactly(row.body ?? "{}"));
		const answer = await gateway.complete({
			request: asked.chat,
			payer,
			temperatureDefault: asked.temperatureDefault,
			signal,
			...readOptions(JSON.parse(row.options)),
		});
		return writeWhole(answer, asked);
	}

	async function answer(row: QueuedRow, signal: AbortSignal): Promise<Outcome> {
		try {
			const { headers, text } = await run(row, signal);
			return answered(row, 200, headers, text);
		} catch (error) {
			if (closing.aborted) return released(row);
			const failure = toGatewayError(error);
			const { status, message } = failure;
			const wait = waitAfter(failure, row.tries);
			log.info({ id: row.id, status, ...wait }, "A queued request failed");
			if (!wait)
				return answered(
					row,
					status,
					{},
					JSON.stringify(errorBodyOf(row.path, failure)),
				);
			// A provider may ask for more patience than the request has.
			const leftMs = Date.parse(row.expiresAt) + 1 - env.now();
			return {
				...released(row, Math.min(wait.ms, leftMs)),
				...(wait.isCounted && { tries: row.tries }),
				waits_for: wait.waitsFor,
				error: message,
			};
		}
	}

	function answered(
		row: QueuedRow,
		status: number,
		headers: Record<string, string>,
		text: string,
	): Outcome {
		const whole = `{"status":${status},"headers":${JSON.stringify(headers)},"body":${text}}`;
		const now = env.now();
		return {
			answer: whole,
			answered_at: toIso(now),
			expires_at: toIso(now + answerLifeMs),
			// What was asked is kept no longer than it is needed.
			body: null,
			bytes: Buffer.byteLength(whole),
			due_at: row.deliverTo === null ? null : toIso(now),
			tries: 0,
			waits_for: null,
			error: null,
		};
	}

	/** Gives the request back as it was before this try. */
	function released(row: QueuedRow, ms = 0): Outcome {
		return { due_at: toIso(env.now() + ms), tries: row.tries - 1 };
	}

	async function deliver(
		row: QueuedRow,
		signal: AbortSignal,
	): Promise<Outcome> {
		const { businessId, id } = row;
		const address = row.deliverTo ?? "";
		const setting = await store.read((tx) => aiDelivery(tx, businessId).find());
		const objection = isAllowedAddress(address, setting)
			? courier.objectionTo(address)
			: "is no longer allowed";
		if (objection !== undefined)
			return { due_at: null, error: `The address ${objection}` };
		let status: number | undefined;
		try {
			const text = JSON.stringify({
				...toQueuedRequest({ ...row, error: null }),
				delivery: { to: address, status: "delivered" },
			});
			status = await courier.deliver(
				address,
				{ id, text, now: env.now() },
				{ businessId, setting },
				signal,
			);
		} catch {
			// Its reason would describe the network of the server.
			if (closing.aborted) return released(row);
		}
		if (status !== undefined && status >= 200 && status < 300)
			return {
				...{ due_at: null, delivered_at: toIso(env.now()) },
				...{ waits_for: null, error: null },
			};
		// A receiver that is gone says so by this status.
		const pause = status === 410 ? undefined : pauseAfterDelivery(row.tries);
		const error =
			status === undefined
				? "The address could not be reached"
				: `The address answered ${status}`;
		if (status === undefined && gateway.isOffline)
			return { ...released(row, 1_000), waits_for: "internet", error };
		return {
			due_at: pause === undefined ? null : toIso(env.now() + pause),
			waits_for: null,
			error,
		};
	}

	return {
		/** @returns what the row becomes; never throws for what the request or its receiver can do */
		make: (row: QueuedRow, signal: AbortSignal): Promise<Outcome> =>
			row.answeredAt === null ? answer(row, signal) : deliver(row, signal),
	};
}

/** Reads who pays as they are now. @throws GatewayError 401 */
async function payerOfRow(
	tx: Connection,
	{ businessId, account }: QueuedRow,
): Promise<Payer> {
	const keys = await apiKeys(tx).list(businessId);
	const key = keys.find(({ id }) => id === account) ?? null;
	const all = key ? [] : await members(tx).list(businessId);
	const member = all.find(({ userId }) => userId === account);
	const payer = await payerOf(tx, {
		...{ businessId, key },
		userId: member?.userId,
		role: member?.role,
	});
	if (!payer || (key ? key.revokedAt !== null : !member || member.disabled))
		throw new GatewayError(
			401,
			"Its key was revoked, or its member left the business",
			{ code: "invalid_api_key" },
		);
	return payer;
}
