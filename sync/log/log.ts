import * as z from "zod";
import {
	firstArgsVersion,
	newestArgsVersion,
} from "../entities/args-version.ts";
import type { LowStock, Role } from "../entities/entity.ts";
import { recordId } from "../entities/fields.ts";
import { mutationsByName } from "../entities/index.ts";
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
import { type ChainedMutation, chainStart, nextLink } from "./chain.ts";
import { type DeviceCount, dateMutation, type MutationDate } from "./dating.ts";
import { isProven, type ProofKeyOf } from "./proof.ts";

const messageMax = 500;
/** How many mutations are made between two reports of progress. */
export const progressEvery = 500;
const isRecordId = (value: unknown) => recordId.safeParse(value).success;

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
	override readonly name = "HalfDone";
}

/** One item of a push, so far as it can be told apart. */
interface Message {
	id: string;
	name: unknown;
	args: unknown;
	at: unknown;
	by: unknown;
	proof: unknown;
	number: unknown;
	argsVersion: number;
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

/** The end of a business's hash chain, where its next mutations are added. */
async function openChain(tx: Connection, businessId: string) {
	const row = await tx.get(
		"SELECT link FROM businesses WHERE business_id = ?",
		businessId,
	);
	let link = (row?.link as string | null) ?? chainStart(businessId);
	return {
		get link() {
			return link;
		},
		/** @returns its link */
		add(made: ChainedMutation): string {
			link = nextLink(link, made);
			return link;
		},
	};
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

/**
 * A mutation that was made or taken before.
 *
 * @throws ShopError `id_reused` where the id is that of another kind of mutation; why it was refused, where it was
 */
export async function findRecorded(
	tx: Connection,
	businessId: string,
	id: string,
	name: string,
): Promise<{ id: string; at: string; args: unknown } | undefined> {
	const row = await tx.get(
		"SELECT name, args, at, error FROM mutations WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	if (!row) return undefined;
	if (row.name !== name)
		throw new ShopError("id_reused", "The id is another mutation's", "id");
	if (row.error !== null) {
		const { code, message, field }: Refusal = JSON.parse(row.error as string);
		throw new ShopError(code, message, field);
	}
	return { id, at: row.at as string, args: JSON.parse(row.args as string) };
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
	const seen = await outcomeOf(tx, message, args, recording.caller.businessId);
	if (seen) return seen;
	const dated = await dateMutation(tx, message, recording);
	const author = await recording.authorOf(message.by);
	let error: Refusal | undefined;
	let hasWritten = false;
	const apply = () =>
		run(tx, message, args, author, dated, recording, version, () => {
			hasWritten = true;
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

/** @throws ShopError `invalid_args`, naming the first field that is wrong */
export function parseArgs<Args extends z.ZodType>(
	asked: { args: Args },
	args: unknown,
): z.output<Args> {
	try {
		return asked.args.parse(args);
	} catch (error) {
		if (error instanceof z.ZodError) throw invalidArgs(error);
		throw error;
	}
}

function invalidArgs({ issues: [issue] }: z.ZodError): ShopError {
	const path = [...(issue?.path ?? [])];
	if (issue?.code === "unrecognized_keys") path.push(issue.keys[0] ?? "");
	const field = path.join(".") || "args";
	return new ShopError(
		"invalid_args",
		`${field}: ${issue?.message}`.slice(0, messageMax),
		field.slice(0, messageMax),
	);
}

function toMessage(item: unknown): Message | MutationResult {
	const refused = (id: unknown, message: string, field: string) =>
		({
			id,
			status: "rejected",
			error: { code: "invalid_args", message, field },
		}) satisfies MutationResult;
	if (typeof item !== "object" || item === null || Array.isArray(item))
		return refused(null, "A mutation must be an object", "id");
	const fields = item as Record<string, unknown>;
	const { id, name, args, at, by, proof, number } = fields;
	const { argsVersion = firstArgsVersion } = fields;
	if (!isRecordId(id))
		return refused(
			typeof id === "string" ? id.slice(0, 64) : null,
			"A mutation's id must be a text of 1 to 64 characters",
			"id",
		);
	if (!isCount(argsVersion))
		return refused(
			id,
			"The version of the arguments must be a whole number from 1",
			"argsVersion",
		);
	if (number !== undefined && !isCount(number))
		return refused(
			id,
			"A device numbers its mutations with whole numbers from 1",
			"number",
		);
	return { id: id as string, name, args, at, by, proof, number, argsVersion };
}

export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 1;
}

function nameOf({ name }: Message): string {
	return typeof name === "string" ? name : "";
}

/** The outcome that the log holds, or `id_reused` where it holds other content under this id. */
async function outcomeOf(
	tx: Connection,
	message: Message,
	args: string,
	businessId: string,
): Promise<MutationResult | undefined> {
	const seen = await tx.get(
		"SELECT name, args, status, error, version FROM mutations WHERE business_id = ? AND id = ?",
		businessId,
		message.id,
	);
	if (!seen) return undefined;
	const { id } = message;
	if (seen.name !== nameOf(message) || seen.args !== args)
		return {
			id,
			status: "rejected",
			error: {
				code: "id_reused",
				message: "Another mutation has this id",
				field: "id",
			},
		};
	return seen.status === "applied"
		? { id, status: "applied", duplicate: true, version: Number(seen.version) }
		: {
				id,
				status: "rejected",
				duplicate: true,
				error: JSON.parse(seen.error as string),
			};
}

async function run(
	tx: Connection,
	message: Message,
	canonicalArgs: string,
	author: Author,
	dated: MutationDate | undefined,
	{
		caller,
		device,
		healing,
		onLowStock,
		increments,
		proofKeyOf,
		receivedAt,
	}: Batch,
	version: number,
	onWrite: () => void,
): Promise<void> {
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
	if (!dated)
		throw new ShopError(
			"invalid_args",
			"Must be ISO 8601 in UTC with milliseconds",
			"at",
		);
	const { id, name, at: madeAt, argsVersion, proof } = message;
	const made = {
		id,
		name,
		args: canonicalArgs,
		argsVersion,
		at: String(madeAt),
	};
	const owner = { businessId: caller.businessId, userId: author.userId ?? "" };
	await assertMayBring(mutation, author, caller.role, () =>
		isProven(tx, proofKeyOf, owner, made, proof),
	);
	const args = parseArgs(mutation, message.args);
	const options: ContextOptions = {
		businessId: caller.businessId,
		mutationId: message.id,
		at: dated.at,
		server: device && { now: receivedAt, isCorrected: dated.isCorrected },
		userId: author.userId,
		deviceId: caller.deviceId,
		version,
		restored: healing,
		onLowStock:
			onLowStock && ((product) => onLowStock(tx, caller.businessId, product)),
		increments,
		onWrite,
	};
	await mutation.apply(openContext(tx, options), args);
}

function refusalOf(thrown: unknown, { onFault }: RecordOptions): Refusal {
	if (thrown instanceof ShopError) return toRefusal(thrown);
	onFault(thrown);
	return {
		code: "internal",
		message: thrown instanceof Error ? thrown.message : String(thrown),
	};
}
