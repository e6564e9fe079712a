import type { Request, Response } from "express";
import * as z from "zod";
import { day, recordId, text } from "../../sync/entities/fields.ts";
import { encodeChanges } from "../../sync/feed/change-json.ts";
import {
	decompressText,
	type MaybeCompressed,
} from "../../sync/feed/compressed-rows.ts";
import { compactType, toCompact } from "../../sync/protocol/compact.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import {
	answerResponse,
	blockRowsResponse,
	blocksResponse,
	bodyMaxBytes,
	digestResponse,
	type HeadEvent,
	type OlderFactsResponse,
	type OlderSalesResponse,
	olderFactsResponse,
	olderSalesResponse,
	type PullResponse,
	type PushResponse,
	pageDefault,
	pullResponse,
	pushResponse,
	type SnapshotResponse,
	snapshotResponse,
} from "../../sync/protocol/protocol.ts";
import { queriesByName } from "../../sync/queries/index.ts";
import type { Caller, SyncServer } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { type EventStream, openEventStream } from "../http/event-stream.ts";
import { gzipOf, gzipShort } from "../http/gzip.ts";
import { HttpError } from "../http/http-error.ts";
import { queryCount, queryText, requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { type HeadPacer, openHeadPacer } from "./head-pacer.ts";

/** Describes each mutation with its arguments, for the OpenAPI document. */
const mutationRef = "#/components/schemas/Mutation";

/** Answers between these lengths in characters are compressed synchronously; they are the usual answers to tills in step. */
const shortMin = 1_000;
const shortMax = 300_000;
/** gzip makes no such answer to one of so many parts of it, so that the compact form need not be compared with it. */
const wellBelow = 4;

const pushBody = z.object({
	mutations: z.array(
		z.unknown().meta({ $ref: mutationRef }),
		requirement("mutations array required"),
	),
	businessId: recordId.optional(),
	deviceId: recordId.optional(),
	lastNumber: z.int().min(0).optional(),
	settled: z.int().min(0).optional(),
	settles: z.int().min(0).optional(),
	resumesAfter: z.int().min(0).optional(),
	taken: z.object({ id: recordId, version: z.int().min(1) }).optional(),
	prefix: z.string().max(8).optional(),
	program: text(40).optional(),
	wantsProofKey: z.literal(true).optional(),
	cursor: z.string().max(200).optional(),
	limit: z.int().min(0).optional(),
});

const pullQuery = z.object({
	businessId: recordId.optional(),
	cursor: queryText,
	limit: queryCount(pageDefault),
	digest: queryText,
	block: queryCount(0),
	window: queryCount(0),
});

const snapshotQuery = z.object({
	businessId: recordId.optional(),
	cursor: queryText,
	part: queryCount(0),
});

const olderFactsQuery = z.object({
	businessId: recordId.optional(),
	cursor: queryText,
	upTo: queryCount(0),
	window: queryCount(0),
});

const olderSalesQuery = z.object({
	businessId: recordId.optional(),
	cursor: queryText,
	since: day.optional(),
	saleId: recordId.optional(),
});

const answerQuery = z.object({
	businessId: recordId.optional(),
	query: z.string().min(1),
	args: queryText,
});

const wrongBusiness = z.object({ error: z.literal("wrong_business") });

/** Routes of the sync protocol: push, pull, and the stream of head events. */
export function syncRoutes(deps: Deps): Routes {
	const { sync: shop } = deps;
	// A till serves no other tills.
	if (!shop) return {};
	const pacer = openHeadPacer(shop);
	return {
		"/api/sync": {
			POST: operation({
				summary: "Push mutations, each applied exactly once, and pull changes",
				access: "member",
				body: pushBody,
				bodyMaxBytes,
				compact: true,
				answers: { 200: pushResponse, 403: wrongBusiness },
				async handle({ callers, body, request, response }) {
					const caller = callerIn(callers, body.businessId);
					const pushed = await shop.compressed.push(caller, body);
					deps.metrics?.countMutations(pushed.results);
					answer(request, response, pushed);
				},
			}),

			GET: operation({
				summary:
					"Pull a page of the change feed; with digest=1, get the digest, with digest=blocks also the sum of each block of versions, and with digest=rows&block=N a block's rows; as an event stream, get the head whenever it moves",
				access: "member",
				query: pullQuery,
				answers: {
					200: {
						"application/json": z.union([
							pullResponse,
							digestResponse,
							blocksResponse,
							blockRowsResponse,
						]),
						"text/event-stream": z.string(),
					},
					403: wrongBusiness,
				},
				async handle({ callers, query, request, response }) {
					const caller = callerIn(callers, query.businessId);
					const { cursor, limit, digest, block, window } = query;
					if (digest === "1") response.json(await shop.digest(caller, window));
					else if (digest === "blocks")
						response.json(await shop.blocks(caller, window));
					else if (digest === "rows")
						response.json(await shop.blockRows(caller, block));
					else if (
						request.accepts(["json", "text/event-stream"]) ===
						"text/event-stream"
					)
						await stream({ ...deps, shop }, pacer, caller, request, response);
					else
						answer(
							request,
							response,
							await shop.compressed.pull(caller, { cursor, limit }),
						);
				},
			}),
		},

		...joiningRoutes(shop),
		...answerRoutes(deps),
	};
}

/** The route by which a till asks what needs older sales than it holds. */
function answerRoutes({ shop }: Deps): Routes {
	return {
		"/api/sync/answer": {
			GET: operation({
				summary:
					"Answer a query of a till that leaves older sales on the server",
				access: "member",
				query: answerQuery,
				answers: { 200: answerResponse, 403: wrongBusiness },
				async handle({ callers, query: asked, response }) {
					const caller = callerIn(callers, asked.businessId);
					const query = queriesByName.get(asked.query);
					if (!query?.older)
						throw new ShopError("invalid_args", "No such query", "query");
					const args = parseJson(asked.args);
					const answer = await shop.ask(caller, query, args as never);
					response.json({ businessId: caller.businessId, answer });
				},
			}),
		},
	};
}

function parseJson(text = "{}"): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new ShopError("invalid_args", "args: Not JSON", "args");
	}
}

/** Routes by which a till gets what the feed alone would bring late, or not at all. */
function joiningRoutes(shop: SyncServer): Routes {
	return {
		"/api/sync/snapshot": {
			GET: operation({
				summary:
					"Join by a snapshot: get a part of what a till needs for selling, with the stock at a cursor",
				access: "member",
				query: snapshotQuery,
				answers: { 200: snapshotResponse, 403: wrongBusiness },
				async handle({ callers, query, request, response }) {
					const caller = callerIn(callers, query.businessId);
					const part = await shop.compressed.snapshot(caller, query);
					answer(request, response, part);
				},
			}),
		},

		"/api/sync/older-facts": {
			GET: operation({
				summary:
					"Get the facts before those that a till has: a block of versions that ends at `upTo`",
				access: "member",
				query: olderFactsQuery,
				answers: { 200: olderFactsResponse, 403: wrongBusiness },
				async handle({ callers, query, request, response }) {
					const caller = callerIn(callers, query.businessId);
					const block = await shop.compressed.olderFacts(
						caller,
						atCursor(query),
					);
					answer(request, response, block);
				},
			}),
		},

		"/api/sync/older-sales": {
			GET: operation({
				summary: "Open a till's window, or get a sale from before it",
				access: "member",
				query: olderSalesQuery,
				answers: { 200: olderSalesResponse, 403: wrongBusiness },
				async handle({ callers, query, request, response }) {
					const caller = callerIn(callers, query.businessId);
					const sales = await shop.compressed.olderSales(
						caller,
						atCursor(query),
					);
					answer(request, response, sales);
				},
			}),
		},
	};
}

/**
 * The caller as a member of the business that the request names, or else of their first business.
 *
 * @throws ShopError `wrong_business` if they are not a member of it or it doesn't exist
 */
function callerIn(
	callers: readonly Caller[],
	businessId: string | undefined,
): Caller {
	const caller =
		businessId === undefined
			? callers[0]
			: callers.find((member) => member.businessId === businessId);
	if (!caller) throw new ShopError("wrong_business", "wrong_business");
	return caller;
}

function atCursor<Query extends { cursor?: string | undefined }>(query: Query) {
	return { ...query, cursor: query.cursor ?? "" };
}

/** Sends an answer like `response.json`, but with the rows first, in the encoding shared between tills. */
function answer(
	request: Request,
	response: Response,
	whole: MaybeCompressed<
		| PullResponse
		| PushResponse
		| SnapshotResponse
		| OlderFactsResponse
		| OlderSalesResponse
	>,
): void {
	const { changes, compressed, ...others } = { changes: undefined, ...whole };
	const rest = `,${JSON.stringify(others).slice(1)}`;
	const isGzip = Boolean(request.acceptsEncodings("gzip"));
	const isAsked = request.headers.accept?.includes(compactType);
	if (isAsked) response.set("accept-post", compactType);
	response.type("json").vary("accept").vary("accept-encoding");
	if (compressed && isGzip) sendGzip(response, gzipOf(compressed, rest));
	else if (compressed) response.send(decompressText(compressed) + rest);
	else {
		const text = changes
			? `{"changes":${encodeChanges(changes)}${rest}`
			: `{${rest.slice(1)}`;
		const compact = isAsked ? toCompact(text) : undefined;
		const isShort = compact && compact.length * wellBelow < text.length;
		const isWorthIt = text.length > shortMin && text.length < shortMax;
		const gzip = isGzip && isWorthIt && !isShort ? gzipShort(text) : undefined;
		if (compact && !(gzip && gzip.length < compact.length))
			sendParts(response.type(compactType), [compact]);
		else if (gzip) sendGzip(response, [gzip]);
		else response.send(text);
	}
}

function sendGzip(response: Response, parts: Buffer[]): void {
	sendParts(response.set("content-encoding", "gzip"), parts);
}

function sendParts(response: Response, parts: Uint8Array[]): void {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	response.set("content-length", `${length}`);
	for (const part of parts) response.write(part);
	response.end();
}

/** Sends `head` events with the business and its cursor, at once and whenever the head moves. */
async function stream(
	deps: Deps & { shop: SyncServer },
	pacer: HeadPacer,
	{ businessId }: Caller,
	request: Request,
	response: Response,
): Promise<void> {
	const { shop, authenticator: gate, log, closing } = deps;
	let told = "";

	async function tell(stream: EventStream): Promise<void> {
		const cursor = await shop.head(businessId);
		if (cursor === told) return;
		told = cursor;
		stream.send("head", { businessId, cursor } satisfies HeadEvent);
	}

	const stream = openEventStream(request, response, {
		...{ log, closing },
		listen: (stream) =>
			pacer.listen(businessId, () => tell(stream).catch(stream.fail)),
		async beat(stream) {
			const callers = await gate.memberships(request);
			if (!callers.some((caller) => caller.businessId === businessId))
				throw new HttpError(401, "No business membership", {
					code: "no_business",
				});
			// Another process may have moved the head without a notification.
			await tell(stream);
		},
	});
	if (!stream) return;
	const closeFeed = deps.metrics?.openFeed();
	if (closeFeed) response.once("close", closeFeed);
	await tell(stream);
}
