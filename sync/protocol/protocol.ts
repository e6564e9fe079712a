import * as z from "zod";
import { recordId, timestamp } from "../entities/fields.ts";
import { type ErrorCode, errorCodes, ShopError } from "./errors.ts";

/** A batch: at most this many mutations and this many bytes. */
export const batchMax = 1_000;
export const bodyMaxBytes = 5_000_000;
/** Rows of one page of the feed; a page is longer only where one version touched more rows. */
export const pageDefault = 500;
export const pageMax = 20_000;

/** Why a mutation was refused; `field` is a path such as `items.0.price`. */
export const refusal = z.object({
	code: z.enum(errorCodes),
	message: z.string(),
	field: z.string().optional(),
});
export type Refusal = z.infer<typeof refusal>;

/**
 * One mutation in a push. Loose on purpose: a newer till's mutation must fail alone, not its whole batch.
 * `number` counts a device's mutations from 1; `by` is the member who made it, the caller where absent, and `proof` shows that they did; `argsVersion` is the version of the argument's shape, 1 where absent.
 */
export const mutationMessage = z.object({
	id: recordId,
	name: z.string(),
	args: z.unknown(),
	at: timestamp,
	number: z.int().min(1).optional(),
	by: recordId.optional(),
	proof: z.string().max(128).optional(),
	argsVersion: z.int().min(1).optional(),
});
export type MutationMessage = z.infer<typeof mutationMessage>;

/** What became of one mutation. `version` is the head that it made, for a replica to know when it has seen its effects. */
export const mutationResult = z.object({
	id: z.unknown(),
	status: z.enum(["applied", "rejected", "deferred"]),
	duplicate: z.literal(true).optional(),
	version: z.int().optional(),
	error: refusal.optional(),
});
export type MutationResult = z.infer<typeof mutationResult>;

const isObject = (value: unknown) =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** One row of the change feed. `row` is null for a tombstone. */
export const change = z.object({
	entity: z.string(),
	id: z.string(),
	version: z.int(),
	deleted: z.boolean(),
	/** Only looked at here: whoever stores it reads it by its own schema. */
	row: z
		.custom<Record<string, unknown>>(isObject)
		.meta({ type: "object" })
		.nullable(),
});
export type Change = z.infer<typeof change>;

const page = z.object({
	changes: z.array(change),
	cursor: z.string(),
	hasMore: z.boolean(),
	/** The cursor was of another history: this page begins a fresh snapshot. */
	reset: z.literal(true).optional(),
});
export type Page = z.infer<typeof page>;

const envelope = z.object({
	/** Whose answer this is; a client never stores another business's. */
	businessId: z.string(),
	epoch: z.string(),
	serverNow: z.iso.datetime(),
	/** The head that the server's last verified backup holds. */
	backedUpTo: z.int(),
});

/** The answer to a pull. */
export const pullResponse = page.extend(envelope.shape);
export type PullResponse = z.infer<typeof pullResponse>;

/** The answer to a push; the page is there where a cursor was sent. */
export const pushResponse = z.object({
	results: z.array(mutationResult),
	...page.partial().shape,
	...envelope.shape,
	/** The device's receipt prefix, unique in its business. */
	prefix: z.string().optional(),
	/** Where it was asked for: with it the caller proves what they make on this device, whoever sends it later. */
	proofKey: z.object({ userId: z.string(), key: z.string() }).optional(),
	/**
	 * The server has lost some of what it answered to this device; this is the last number that it knows. Nothing was
	 * applied, and the page begins a fresh snapshot.
	 */
	lastNumber: z.int().optional(),
	/** The device's past does not match: nothing was applied; take a new device id. */
	forked: z.literal(true).optional(),
});
export type PushResponse = z.infer<typeof pushResponse>;

export const digestResponse = z.object({
	businessId: z.string(),
	digest: z.string(),
	cursor: z.string(),
	epoch: z.string(),
});
export type DigestResponse = z.infer<typeof digestResponse>;

/** The data of a stream's `head` event, as JSON. */
export const headEvent = z.object({
	businessId: z.string(),
	cursor: z.string(),
});
export type HeadEvent = z.infer<typeof headEvent>;

export interface PushRequest {
	mutations: unknown[];
	/** The business that the mutations are for; the caller's first where absent. */
	businessId?: string | undefined;
	deviceId?: string | undefined;
	/** How far the device has counted its mutations. */
	lastNumber?: number | undefined;
	/** All numbers up to this one have been answered for good. */
	settled?: number | undefined;
	/** The same once this push is answered, unless some of it is deferred. */
	settles?: number | undefined;
	/** The `lastNumber` of the last answer: what the device still keeps behind it is being offered again. */
	resumesAfter?: number | undefined;
	/** The last of the device's mutations that was applied: a twin of the device may have used its number, but not its id. */
	taken?: { id: string; version: number } | undefined;
	/** The receipt prefix that the device already prints, for a server that was restored and has forgotten it. */
	prefix?: string | undefined;
	/** Asks for the caller's key to prove mutations with. */
	wantsProofKey?: boolean | undefined;
	cursor?: string | undefined;
	/** Rows of the page that follows the cursor; 0 only checks the cursor. */
	limit?: number | undefined;
}

export interface Cursor {
	epoch: string;
	version: number;
	/** Some characters of a link of the log's hash chain (chain.ts), for the server to read; empty from before the chain. */
	proof: string;
}

export function formatCursor({ epoch, version, proof }: Cursor): string {
	return proof === "" ? `${epoch}.${version}` : `${epoch}.${version}.${proof}`;
}

/** @returns undefined for anything that this server can't have given out */
export function parseCursor(value: string): Cursor | undefined {
	const match =
		/^([^.]{1,64})\.(\d{1,15})(?:\.([\w-]{12}(?:\.\d{1,15})?))?$/.exec(value);
	return match?.[1] === undefined
		? undefined
		: { epoch: match[1], version: Number(match[2]), proof: match[3] ?? "" };
}

/**
 * Both ends check each other's messages.
 *
 * @param named undefined where a client names none
 * @throws ShopError `wrong_business`
 */
export function assertSameBusiness(
	own: string,
	named: string | undefined,
): void {
	if (named !== undefined && named !== own)
		throw new ShopError("wrong_business", "wrong_business");
}

export function toRefusal(error: {
	code: ErrorCode;
	message: string;
	field?: string | undefined;
}): Refusal {
	const { code, message, field } = error;
	return field === undefined ? { code, message } : { code, message, field };
}
