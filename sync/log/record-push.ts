import type { Env } from "../protocol/ids.ts";
import type { MutationResult, PushRequest } from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { readChainHead } from "./chain.ts";
import {
	isForked,
	type KnownDevice,
	registerDevice,
	saveProgress,
} from "./devices.ts";
import { readHistory, recordHistoryLoss } from "./history.ts";
import {
	type Caller,
	lockHead,
	type RecordOptions,
	recordMutations,
} from "./log.ts";
import { showsHistoryLoss } from "./lost-history.ts";

/** What a push came to. Of one that is forked, or that shows a loss, nothing is applied. */
type PushOutcome =
	| {
			status: "recorded";
			results: MutationResult[];
			head: number;
			/** The device's, where one was named. */
			prefix: string | undefined;
	  }
	| { status: "forked" }
	/** `lastNumber`: the last of the device's mutations that is known here. */
	| { status: "history_lost"; lastNumber: number };

/**
 * Records the mutations of a push, and how far its device has come. A push without mutations waits for no lock.
 *
 * @throws PartialWriteError without `isolate`, as `recordMutations`
 */
export async function recordPush(
	tx: Connection,
	env: Env,
	caller: Caller,
	request: PushRequest,
	options: Pick<
		RecordOptions,
		"isolate" | "onLowStock" | "proofKeyOf" | "onFault"
	>,
): Promise<PushOutcome> {
	const { mutations, deviceId, lastNumber, prefix } = request;
	const now = env.now();
	const { businessId } = caller;
	const isPull = mutations.length === 0;
	const locked = isPull ? undefined : await lockHead(tx, businessId);
	const { healing, epoch } = await readHistory(tx, now);
	let device: KnownDevice | undefined;
	if (deviceId !== undefined)
		device = await registerDevice(tx, businessId, deviceId, env, prefix);
	const isLost = await showsHistoryLoss(tx, businessId, epoch, device, request);
	if (isLost) await recordHistoryLoss(tx, env);
	if (device && (await isForked(tx, businessId, device, mutations, lastNumber)))
		return { status: "forked" };
	if (isLost)
		return { status: "history_lost", lastNumber: device?.lastNumber ?? 0 };
	const { results, head } =
		locked === undefined
			? { results: [], head: (await readChainHead(tx, businessId)).version }
			: await recordMutations(tx, locked, mutations, {
					...options,
					caller: { ...caller, deviceId: deviceId ?? caller.deviceId },
					now,
					healing,
					device: { counted: device?.counted },
				});
	if (device) await saveProgress(tx, businessId, device, request, results, now);
	return { status: "recorded", results, head, prefix: device?.prefix };
}

const undoneMessages = {
	forked: "This device's past is not the one that the server knows",
	history_lost: "The server has lost some of what it answered to this device",
};

/** The result of a mutation in a push of which nothing was applied. @param mutation as it came, whatever it is */
export function toUndone(
	mutation: unknown,
	code: keyof typeof undoneMessages,
): MutationResult {
	const { id } = (mutation ?? {}) as Record<string, unknown>;
	return {
		id: typeof id === "string" ? id : null,
		status: "deferred",
		error: { code, message: undoneMessages[code] },
	};
}
