import * as z from "zod";
import { recordId, timestamp } from "../entities/fields.ts";
import {
	type ErrorCode,
	errorCodes,
	pauseAdvice,
	ShopError,
} from "./errors.ts";

/** Limits of a batch: mutations and bytes. */
export const batchMax = 1_000;
export const bodyMaxBytes = 5_000_000;
/** Rows per page of the feed. A page is longer only if one version touched more rows. */
export const pageDefault = 500;
export const pageMax = 20_000;

/** The form of the feed that this program sends and reads: 2 since a sale's lines move its stock. */
export const feedVersion = 2;

/** Why a mutation was refused. `field` is a path such as `items.0.price`. */
export const refusal = z.object({
	code: z.enum(errorCodes),
	message: z.string(),
	field: z.string().optional(),
	/** The money at stake, if it is about some. */
	amount: z.number().optional(),
});
export type Refusal = z.infer<typeof refusal>;

/**
 * One mutation in a push. It is loose on purpose: a newer till's mutation fails alone, without its batch.
 *
 * `number` counts a device's mutations from 1. `by` is the member who made it (default: the caller), and `proof` shows
 * that they did. `argsVersion` is the version of the arguments' shape (default: 1). `answeredAt` is when a server applied it
 * whose history is lost, by the server's clock.
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
	answeredAt: timestamp.optional(),
});
export type MutationMessage = z.infer<typeof mutationMessage>;

/**
 * The outcome of one mutation. `version` is the head that it made: a replica whose cursor has reached it holds its
 * effects.
 */
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
	/** Any object here: the replica validates it by the entity's schema when it stores it. */
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
	/** The cursor belongs to another history, so this page begins a new snapshot. */
	reset: z.literal(true).optional(),
});
export type Page = z.infer<typeof page>;

const envelope = z.object({
	/** The business that answers. A client never stores rows of another one. */
	businessId: z.string(),
	epoch: z.string(),
	serverNow: z.iso.datetime(),
	/** The head in the server's last verified backup. */
	backedUpTo: z.int(),
	/** The form of the server's feed. A server of the first form says none. */
	feed: z.int().optional(),
});

/** The answer to a pull. */
export const pullResponse = page.extend(envelope.shape);
export type PullResponse = z.infer<typeof pullResponse>;

/** The answer to a push. It has a page if the push sent a cursor. */
export const pushResponse = z.object({
	results: z.array(mutationResult),
	...page.partial().shape,
	...envelope.shape,
	/** The device's receipt prefix, unique in its business. */
	prefix: z.string().optional(),
	/**
	 * On request, the caller's key for this device: it proves who made a mutation, whichever member's session sends it
	 * later.
	 */
	proofKey: z.object({ userId: z.string(), key: z.string() }).optional(),
	/**
	 * The last number that the server knows, after it lost mutations that it had answered to this device. It applied
	 * nothing, and the page begins a new snapshot.
	 */
	lastNumber: z.int().optional(),
	/** The device's past does not match the server's, which applied nothing. Take a new device id. */
	forked: z.literal(true).optional(),
});
export type PushResponse = z.infer<typeof pushResponse>;

/** One part of a snapshot: what a till needs for selling, with the stock as it is at the cursor. */
export const snapshotResponse = z.object({
	changes: z.array(change),
	/** The snapshot's place in the feed, which also names the snapshot. */
	cursor: z.string(),
	/** The number of this part, from 0, of so many. */
	part: z.int(),
	parts: z.int(),
	...envelope.shape,
});
export type SnapshotResponse = z.infer<typeof snapshotResponse>;

/** The facts of the versions after `from`, up to the one that was asked for. */
export const olderFactsResponse = z.object({
	changes: z.array(change),
	from: z.int(),
	/** The cursor of the request, with the proof of the head that they were read at. An older server says none. */
	cursor: z.string().optional(),
	/** The cursor belongs to another history, so there are no rows. */
	reset: z.literal(true).optional(),
	...envelope.shape,
});
export type OlderFactsResponse = z.infer<typeof olderFactsResponse>;

/** Sales from before a till's window that are needed, or one that was asked for, with their refunds. */
export const olderSalesResponse = z.object({
	changes: z.array(change),
	/** Up to this version no other sale is of the days that were asked for. */
	window: z.int(),
	/** As with older facts. */
	cursor: z.string().optional(),
	/** The cursor belongs to another history, so there are no rows. */
	reset: z.literal(true).optional(),
	...envelope.shape,
});
export type OlderSalesResponse = z.infer<typeof olderSalesResponse>;

/** The server's answer to a query about older sales. */
export const answerResponse = z.object({
	businessId: z.string(),
	answer: z.unknown(),
});

export const digestResponse = z.object({
	businessId: z.string(),
	digest: z.string(),
	cursor: z.string(),
	epoch: z.string(),
	/** The sum of products' quantities, which the digest leaves out. */
	stock: z.string(),
	/** Only records count up to this version, as asked. Absent if everything counts. */
	window: z.int().optional(),
});
export type DigestResponse = z.infer<typeof digestResponse>;

/** A digest with its parts. */
export const blocksResponse = digestResponse.extend({
	/** The sum of each block of versions, by the block's number. */
	blocks: z.array(z.string()),
});
export type BlocksResponse = z.infer<typeof blocksResponse>;

/** The rows that last changed in one block of versions, with the head at that moment. */
export const blockRowsResponse = z.object({
	businessId: z.string(),
	changes: z.array(change),
	cursor: z.string(),
	epoch: z.string(),
	feed: z.int(),
});
export type BlockRowsResponse = z.infer<typeof blockRowsResponse>;

/** The data of a stream's `head` event, as JSON. */
export const headEvent = z.object({
	businessId: z.string(),
	cursor: z.string(),
});
export type HeadEvent = z.infer<typeof headEvent>;

export interface PushRequest {
	mutations: unknown[];
	/** The business that the mutations are for. Default: the caller's first. */
	businessId?: string | undefined;
	deviceId?: string | undefined;
	/** The number of the device's newest mutation. */
	lastNumber?: number | undefined;
	/** The server has answered all numbers up to this one with `applied` or `rejected`. */
	settled?: number | undefined;
	/** What `settled` will be after this push, unless the server defers some of it. */
	settles?: number | undefined;
	/** The `lastNumber` of the last answer: the device is sending its later mutations again. */
	resumesAfter?: number | undefined;
	/**
	 * Of the device's applied mutations the one with the newest version. A twin of the device may have used its number,
	 * but not its id.
	 */
	taken?: { id: string; version: number } | undefined;
	/** The receipt prefix that the device already prints, for a restored server that has forgotten it. */
	prefix?: string | undefined;
	/** The version of the till's program, for people. */
	program?: string | undefined;
	/** Requests the caller's key for signing proofs. */
	wantsProofKey?: boolean | undefined;
	cursor?: string | undefined;
	/** Rows of the page after the cursor. 0 only checks the cursor. */
	limit?: number | undefined;
}

export interface SnapshotRequest {
	/** The snapshot of an earlier part. Default: the newest. */
	cursor?: string | undefined;
	part?: number | undefined;
}

export interface OlderFactsRequest {
	/** The till's place in the feed. */
	cursor: string;
	/** The newest version to send. */
	upTo: number;
	/** Sales and refunds up to this version are left out. */
	window?: number | undefined;
}

export interface OlderSalesRequest {
	/** The till's place in the feed. */
	cursor: string;
	/** The first business day of a till's window. Its sales are left out. */
	since?: string | undefined;
	/** Instead, the sale to send. */
	saleId?: string | undefined;
}

export interface Cursor {
	epoch: string;
	version: number;
	/**
	 * The first characters of a link of the log's hash chain (chain.ts), which only the server reads. Empty in a cursor
	 * that is older than the chain.
	 */
	proof: string;
}

export function formatCursor({ epoch, version, proof }: Cursor): string {
	return proof === "" ? `${epoch}.${version}` : `${epoch}.${version}.${proof}`;
}

/** @returns undefined for a text that no server gives out as a cursor */
export function parseCursor(value: string): Cursor | undefined {
	const match =
		/^([^.]{1,64})\.(\d{1,15})(?:\.([\w-]{12}(?:\.\d{1,15})?))?$/.exec(value);
	return match?.[1] === undefined
		? undefined
		: { epoch: match[1], version: Number(match[2]), proof: match[3] ?? "" };
}

/**
 * Rows of another form are not stored, because they would be misread in silence.
 *
 * @throws ShopError `outdated`
 */
export function assertSameFeed(form = 1): void {
	if (form !== feedVersion)
		throw new ShopError("outdated", pauseAdvice.outdated);
}

/**
 * Checks that a message is for this business. Both ends check each other's messages.
 *
 * @param named undefined if the message names none
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
	amount?: number | undefined;
}): Refusal {
	const { code, message, field, amount } = error;
	return {
		...{ code, message },
		...(field !== undefined && { field }),
		...(amount !== undefined && { amount }),
	};
}
