import type { Env } from "../protocol/ids.ts";
import {
	type MutationResult,
	type PushRequest,
	pageDefault,
	parseCursor,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { readChainHead } from "./chain.ts";
import {
	isForked,
	type KnownDevice,
	lacksEarlier,
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

/** The outcome of a push. If it is forked or shows a loss, nothing was applied. */
type PushOutcome =
	| {
			status: "recorded";
			results: MutationResult[];
			head: number;
			/** The device's receipt prefix, if the push named a device. */
			prefix: string | undefined;
	  }
	| { status: "forked" }
	/** `lastNumber` is the number of the device's last mutation that this database knows. */
	| { status: "history_lost"; lastNumber: number };

/**
 * Records the mutations of a push and its device's progress. A push without mutations waits for no lock.
 *
 * @throws PartialWriteError without `isolate`, like `recordMutations`
 */
export async function recordPush(
	tx: Connection,
	env: Env,
	caller: Caller,
	request: PushRequest,
	options: Pick<
		RecordOptions,
		"isolate" | "onNotice" | "proofKeyOf" | "onFault"
	>,
): Promise<PushOutcome> {
	const { mutations, deviceId, lastNumber, prefix, program } = request;
	const now = env.now();
	const { businessId } = caller;
	const isPull = mutations.length === 0;
	const before = isPull
		? (await readChainHead(tx, businessId)).version
		: await lockHead(tx, businessId);
	const history = await readHistory(tx, now);
	const { healing, epoch } = history;
	const reached = reachedBy(request, epoch, before);
	let device: KnownDevice | undefined;
	if (deviceId !== undefined)
		device = await registerDevice(tx, businessId, deviceId, env, {
			...{ prefix, program, reached },
		});
	const isLost = await showsHistoryLoss(tx, businessId, epoch, device, request);
	if (isLost) await recordHistoryLoss(tx, env);
	if (device && (await isForked(tx, businessId, device, mutations, lastNumber)))
		return { status: "forked" };
	if (isLost)
		return { status: "history_lost", lastNumber: device?.lastNumber ?? 0 };
	const { results, head } = isPull
		? { results: [], head: before }
		: await recordMutations(tx, before, mutations, {
				...options,
				caller: { ...caller, deviceId: deviceId ?? caller.deviceId },
				now,
				mayLack: healing || lacksEarlier(device, request),
				history,
				device: { counted: device?.counted },
			});
	if (device)
		await saveProgress(tx, businessId, device, request, {
			...{ results, now, reached: reached === before ? head : reached },
		});
	return { status: "recorded", results, head, prefix: device?.prefix };
}

/** Returns the version up to which a till has the feed with the page that answers it; undefined if it names no place in this history. */
function reachedBy(
	{ cursor, limit = pageDefault }: PushRequest,
	epoch: string,
	head: number,
): number | undefined {
	const place = cursor === undefined ? undefined : parseCursor(cursor);
	if (place?.epoch !== epoch) return undefined;
	return head - place.version <= limit ? head : place.version;
}

const undoneMessages = {
	forked: "The server knows another past of this device",
	history_lost:
		"The server has lost mutations that it had answered to this device",
};

/**
 * Returns the result of a mutation in a push that was not applied.
 *
 * @param mutation an unvalidated item of the push
 */
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
