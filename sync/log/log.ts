import { newestArgsVersion } from "../entities/args-version.ts";
import type { LowStock, Mutation, Role } from "../entities/entity.ts";
import { mutationsByName } from "../entities/index.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { assertMayBring } from "../entities/permission.ts";
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
import { type Message, nameOf, toMessage } from "./message.ts";
import { isProven, type ProofKeyOf } from "./proof.ts";
import { findOutcome } from "./recorded.ts";

/** How many mutations are made between two reports of progress. */
export const progressEvery = 500;

/** Who makes mutations, in which business. */
export interface Caller {
	businessId: string;
	userId: string | null;
	role: Role;
	deviceId: string | null;
}

/** What recording needs to know of the moment and the database. */
export interface RecordOptions {
	caller: Caller;
	now: number;
	/**
	 * The device that brings them, with how far it had counted before. Without one they are the server's own, whose clock and
	 * days are not in doubt.
	 */
	device?: { counted: DeviceCount | undefined };
	/** The database was restored lately: what is missing may come back. */
	healing: boolean;
	/**
	 * Runs each mutation in a savepoint, so that one that fails half-way is undone alone. Without, `PartialWriteError` is thrown
	 * for it, and the whole transaction must be undone: cheaper, as hardly any mutation fails once it has begun to write.
	 */
	isolate: boolean;
	/** Told, in the same transaction, of each product that a sale takes to its threshold. */
	onLowStock?:
		| ((tx: Connection, businessId: string, product: LowStock) => Promise<void>)
		| undefined;
	/** Derives the keys of proofs; without it nothing is proven. */
	proofKeyOf?: ProofKeyOf | undefined;
	/** Told of faults of this program, which defer a mutation and never refuse it. */
	onFault(error: unknown): void;
}

/** A mutation failed after it had written, outside a savepoint. */
export class PartialWriteError extends Error {
	override readonly name = "PartialWriteError";
}

/**
 * Records mutations in their order: seen? known? arguments right? applied in a savepoint, written down. One bad
 * mutation never blocks those behind it.
 *
 * @param before the business's head, locked
 * @returns one result for each item, and the business's head after them
 * @throws ShopError `storage_*`: then nothing of the batch may hold
 */
export async function recordMutations(
	tx: Connection,
	before: number,
	items: readonly unknown[],
	recording: RecordOptions,
): Promise<{ results: MutationResult[]; head: number }> {
	const { businessId } = recording.caller;
	// What is undone alone must not leave its sums with those behind it.
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
 * Locks the business's row until the transaction ends: whoever decides by what a business holds does it first. So versions
 * commit in order, and two processes over one database do not decide by what the other is about to change.
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

const loggedColumns = [
	...["business_id", "id", "name", "args", "args_version", "at"],
	...[
		"received_at",
		"device_at",
		"user_id",
		"carrier_id",
		"device_id",
		"status",
	],
	...["error", "version", "link"],
] as const;
const insertSql = `INSERT INTO mutations (${loggedColumns.join(", ")}) VALUES (${loggedColumns.map(() => "?").join(", ")})`;

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
	const apply = () =>
		applyMessage(tx, recording, {
			...{ message, args, author, dated, version },
			onWrite: () => {
				hasWritten = true;
			},
		});
	try {
		await (recording.isolate ? tx.savepoint(apply) : apply());
	} catch (thrown) {
		if (isStorageError(thrown)) throw thrown;
		// A statement that fails may have undone the transaction, as PostgreSQL does, whatever it was about.
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
	const row = {
		business_id: recording.caller.businessId,
		...made,
		version: error ? null : version,
		status: error ? "rejected" : "applied",
		error: error ? JSON.stringify(error) : null,
		link: error ? null : recording.chain.add(made),
	};
	await tx.run(insertSql, ...loggedColumns.map((column) => row[column]));
	return error
		? { id, status: "rejected", error }
		: { id, status: "applied", version };
}

/** A message with what is known of it. */
interface Application {
	message: Message;
	/** Canonical JSON. */
	args: string;
	author: Author;
	dated: MutationDate | undefined;
	/** The head that it makes. */
	version: number;
	onWrite(): void;
}

/** @throws ShopError why it is refused or deferred */
async function applyMessage(
	tx: Connection,
	batch: Batch,
	{ message, args: json, author, dated, version, onWrite }: Application,
): Promise<void> {
	const { caller, device, onLowStock, proofKeyOf } = batch;
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
	await assertMayBring(mutation, author, caller.role, () =>
		isProven(tx, proofKeyOf, owner, made, proof),
	);
	const args = parseArgs(mutation, message.args);
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
		version,
		restored: batch.healing,
		onLowStock:
			onLowStock && ((product) => onLowStock(tx, caller.businessId, product)),
		increments: batch.increments,
		onWrite,
	};
	await mutation.apply(openContext(tx, options), args);
}

/** @throws ShopError for a name that is no text; `unknown_mutation` for one that this program is too old for */
function knownMutation(message: Message): Mutation {
	if (typeof message.name !== "string")
		throw new ShopError("invalid_args", "The name must be a text", "name");
	const mutation = mutationsByName.get(message.name);
	if (!mutation)
		throw new ShopError("unknown_mutation", "This server does not know it yet");
	if (message.argsVersion > newestArgsVersion(mutation))
		throw new ShopError(
			"unknown_mutation",
			"This server does not know this version of its arguments yet",
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
