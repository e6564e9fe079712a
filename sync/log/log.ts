import { newestArgsVersion } from "../entities/args-version.ts";
import type { Mutation, Notice, Role, RowOf } from "../entities/entity.ts";
import { mutationsByName } from "../entities/index.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { assertMayBring } from "../entities/permission.ts";
import { sale } from "../entities/sale.ts";
import { toIso } from "../protocol/clock.ts";
import {
	deferringCodes,
	isStorageError,
	ShopError,
} from "../protocol/errors.ts";
import { canonicalJson } from "../protocol/json.ts";
import {
	type MutationResult,
	type Refusal,
	toRefusal,
} from "../protocol/protocol.ts";
import {
	type BufferedIncrements,
	openBufferedIncrements,
} from "../rows/buffered-increments.ts";
import { type ContextOptions, openContext } from "../rows/context.ts";
import type { Connection } from "../store/store.ts";
import { type Author, openAuthors } from "./authors.ts";
import { type ChainedMutation, openChain } from "./chain.ts";
import { type DeviceCount, dateMutation, type MutationDate } from "./dating.ts";
import type { History } from "./history.ts";
import { isLeftOut, withoutEffects } from "./left-out.ts";
import { type LogEntry, writeEntry } from "./log-entry.ts";
import { type Message, nameOf, toMessage } from "./message.ts";
import { isProven, type ProofKeyOf } from "./proof.ts";
import { findOutcome } from "./recorded.ts";
import { isInCopy } from "./till-copy.ts";

/** Mutations between two reports of progress. */
export const progressEvery = 500;

/** The member who makes mutations, with their business. */
export interface Caller {
	businessId: string;
	userId: string | null;
	role: Role;
	deviceId: string | null;
}

/** The moment and the database state that recording depends on. */
export interface RecordOptions {
	caller: Caller;
	now: number;
	/**
	 * The device that pushes the mutations, with its earlier count. Without one they are the server's own, whose clock
	 * and days are trusted.
	 */
	device?: { counted: DeviceCount | undefined };
	/**
	 * True if missing records may still come: the database was restored recently, or something that the device made before
	 * these mutations was deferred.
	 */
	mayLack: boolean;
	/** True if a person is there to approve what goes beyond the maker's limits. */
	asksApproval?: boolean | undefined;
	/** Whether the database was built from a till's copy. */
	history?: Pick<History, "tillSyncedAt" | "tillWindowDay"> | undefined;
	/**
	 * Runs each mutation in a savepoint, so that one that fails after a write rolls back alone. Otherwise it throws
	 * `PartialWriteError`, and the whole transaction must roll back. That is cheaper, because hardly any mutation fails
	 * after its first write.
	 */
	isolate: boolean;
	/** Called in the same transaction with everything that members may be notified of. */
	onNotice?:
		| ((tx: Connection, businessId: string, notice: Notice) => Promise<void>)
		| undefined;
	/** Derives the keys of proofs. Without it, no proof is valid. */
	proofKeyOf?: ProofKeyOf | undefined;
	/** Receives bugs of this program, which defer a mutation and never reject it. */
	onFault(error: unknown): void;
}

/** A mutation failed after its first write, outside a savepoint. */
export class PartialWriteError extends Error {
	override readonly name = "PartialWriteError";
}

/**
 * Records mutations in order: checks each against the log, reads its arguments, applies it and logs it. A bad mutation
 * never blocks later ones.
 *
 * @param before the business's head, locked
 * @returns one result per item, and the business's head after them
 * @throws ShopError `storage_*`: the whole batch must roll back
 */
export async function recordMutations(
	tx: Connection,
	before: number,
	items: readonly unknown[],
	recording: RecordOptions,
): Promise<{ results: MutationResult[]; head: number }> {
	const { businessId } = recording.caller;
	// With savepoints, sums are written at once, because one that rolls back must not be in a later write.
	const increments = recording.isolate
		? undefined
		: openBufferedIncrements(tx, businessId);
	const chain = await openChain(tx, businessId);
	const batch = {
		...recording,
		increments,
		chain,
		receivedAt: toIso(recording.now),
		authorOf: openAuthors(tx, recording.caller),
	};
	let head = before;
	const results: MutationResult[] = [];
	for (const item of items) {
		const result = await recordMutation(tx, item, batch, head + 1);
		if (result.version === head + 1) head += 1;
		if (result.status === "deferred") batch.mayLack = true;
		results.push(result);
	}
	await increments?.write();
	if (head !== before)
		await tx.run(
			"UPDATE businesses SET head = ?, link = ? WHERE business_id = ?",
			head,
			chain.link,
			businessId,
		);
	return { results, head };
}

/**
 * Locks the business's row until the transaction ends. Every write that depends on a business's data takes this lock
 * first, so that versions commit in order and two processes do not decide by data that the other is changing.
 *
 * @returns its head
 * @throws ShopError `not_found`
 */
export async function lockHead(
	tx: Connection,
	businessId: string,
): Promise<number> {
	const locked = await tx.get(
		"UPDATE businesses SET head = head WHERE business_id = ? RETURNING head",
		businessId,
	);
	if (!locked) throw new ShopError("not_found", "Business not found");
	return locked.head as number;
}

interface Batch extends RecordOptions {
	increments: BufferedIncrements | undefined;
	receivedAt: string;
	chain: Awaited<ReturnType<typeof openChain>>;
	authorOf(by: unknown): Promise<Author>;
}

async function recordMutation(
	tx: Connection,
	item: unknown,
	recording: Batch,
	version: number,
): Promise<MutationResult> {
	const message = toMessage(item);
	if ("status" in message) return message;
	const { id } = message;
	let args: string;
	try {
		args = canonicalJson(message.args);
	} catch (error) {
		return { id, status: "rejected", error: toRefusal(error as ShopError) };
	}
	const seen = await findOutcome(
		tx,
		message,
		args,
		recording.caller.businessId,
	);
	if (seen) return seen;
	const dated = await dateMutation(tx, message, recording);
	const author = await recording.authorOf(message.by);
	let error: Refusal | undefined;
	let hasWritten = false;
	let sold: RowOf<typeof sale> | undefined;
	const apply = () =>
		applyMessage(tx, recording, {
			...{ message, args, author, dated, version },
			onWrite: () => {
				hasWritten = true;
			},
			onSold: (row) => {
				sold = row;
			},
		});
	try {
		await (recording.isolate ? tx.savepoint(apply) : apply());
	} catch (thrown) {
		if (isStorageError(thrown)) throw thrown;
		// A failed statement may have rolled back the transaction, as in PostgreSQL.
		const isFault = !(thrown instanceof ShopError);
		if ((hasWritten || isFault) && !recording.isolate)
			throw new PartialWriteError("To be undone", { cause: thrown });
		error = refusalOf(thrown, recording);
		if (deferringCodes.has(error.code))
			return { id, status: "deferred", error };
	}
	const made: ChainedMutation = {
		version,
		id,
		name: nameOf(message),
		args,
		args_version: message.argsVersion,
		at: dated?.at ?? recording.receivedAt,
		received_at: recording.receivedAt,
		device_at: dated?.isCorrected ? (message.at as string) : null,
		user_id: author.userId,
		carrier_id: author.carrierId,
		device_id: recording.caller.deviceId,
	};
	const entry: LogEntry = {
		...made,
		version: error ? null : version,
		status: error ? "rejected" : "applied",
		error: error ? JSON.stringify(error) : null,
		link: error ? null : recording.chain.add(made),
	};
	await writeEntry(tx, recording.caller.businessId, entry, sold);
	return error
		? { id, status: "rejected", error }
		: { id, status: "applied", version };
}

/** A message that is ready to be applied. */
interface Application {
	message: Message;
	/** Canonical JSON. */
	args: string;
	author: Author;
	dated: MutationDate | undefined;
	/** The head that it makes. */
	version: number;
	onWrite(): void;
	onSold(row: RowOf<typeof sale>): void;
}

/** @throws ShopError the reason why it is rejected or deferred */
async function applyMessage(
	tx: Connection,
	batch: Batch,
	application: Application,
): Promise<void> {
	const { message, args: json, author, dated, version } = application;
	const { caller, device, onNotice, proofKeyOf } = batch;
	const mutation = knownMutation(message);
	if (!dated)
		throw new ShopError(
			"invalid_args",
			"Must be ISO 8601 in UTC with milliseconds",
			"at",
		);
	const { id, argsVersion, proof } = message;
	const { name } = mutation;
	const made = { id, name, args: json, argsVersion, at: String(message.at) };
	const owner = { businessId: caller.businessId, userId: author.userId ?? "" };
	const hasProof = () => isProven(tx, proofKeyOf, owner, made, proof);
	await assertMayBring(mutation, author, caller.role, hasProof);
	const args = parseArgs(mutation, message.args);
	const { tillSyncedAt, tillWindowDay } = batch.history ?? {};
	let leavesEffects = false;
	if (tillSyncedAt !== undefined) {
		const { answeredAt } = message;
		const sent = { ...made, args: message.args, at: dated.at, answeredAt };
		leavesEffects =
			tillWindowDay !== undefined &&
			isLeftOut({ ...sent, json }, tillWindowDay, tillSyncedAt);
		const copy = { tillSyncedAt, leavesEffects };
		if (await isInCopy(tx, caller.businessId, copy, sent)) return;
	}
	const options: ContextOptions = {
		businessId: caller.businessId,
		mutationId: message.id,
		at: dated.at,
		server: device && {
			now: batch.receivedAt,
			isCorrected: dated.isCorrected,
		},
		userId: author.userId,
		deviceId: caller.deviceId,
		carrierId:
			author.carrierId !== null && !(await hasProof())
				? author.carrierId
				: null,
		asksApproval: batch.asksApproval,
		version,
		mayLack: batch.mayLack,
		onNotice: onNotice && ((notice) => onNotice(tx, caller.businessId, notice)),
		increments: batch.increments,
		onWrite: application.onWrite,
		onInserted(entity, row) {
			if (entity.name === sale.name)
				application.onSold(row as RowOf<typeof sale>);
		},
	};
	const context = openContext(tx, options);
	await mutation.apply(leavesEffects ? withoutEffects(context) : context, args);
}

/** @throws ShopError `invalid_args` for a name that is not a text, `unknown_mutation` for a newer program's mutation */
function knownMutation(message: Message): Mutation {
	if (typeof message.name !== "string")
		throw new ShopError("invalid_args", "The name must be a text", "name");
	const mutation = mutationsByName.get(message.name);
	if (!mutation)
		throw new ShopError(
			"unknown_mutation",
			"This server does not know this mutation yet",
		);
	if (message.argsVersion > newestArgsVersion(mutation))
		throw new ShopError(
			"unknown_mutation",
			"This server does not know this version of the mutation's arguments yet",
			"argsVersion",
		);
	return mutation;
}

function refusalOf(thrown: unknown, { onFault }: RecordOptions): Refusal {
	if (thrown instanceof ShopError) return toRefusal(thrown);
	onFault(thrown);
	return {
		code: "internal",
		message: thrown instanceof Error ? thrown.message : String(thrown),
	};
}
