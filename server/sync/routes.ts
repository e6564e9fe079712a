import type { Request, Response } from "express";
import * as z from "zod";
import { recordId } from "../../sync/entities/fields.ts";
import { encodeChanges } from "../../sync/feed/change-json.ts";
import {
	decompressText,
	type MaybeCompressed,
} from "../../sync/feed/compressed-rows.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import {
	bodyMaxBytes,
	digestResponse,
	type HeadEvent,
	type PullResponse,
	type PushResponse,
	pageDefault,
	pullResponse,
	pushResponse,
} from "../../sync/protocol/protocol.ts";
import type { Caller, SyncServer } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { type EventStream, openEventStream } from "../http/event-stream.ts";
import { gzipOf, gzipShort } from "../http/gzip.ts";
import { HttpError } from "../http/http-error.ts";
import { queryCount, queryText, requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { openPokes, type Pokes } from "./pokes.ts";

/** The description of a mutation, each kind with its arguments. */
const mutationRef = "#/components/schemas/Mutation";

/** Characters of an answer from where to where on it is compressed at once: what tills in step fetch all day. */
const shortMin = 1_000;
const shortMax = 300_000;

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
	wantsProofKey: z.literal(true).optional(),
	cursor: z.string().max(200).optional(),
	limit: z.int().min(0).optional(),
});

const pullQuery = z.object({
	businessId: recordId.optional(),
	cursor: queryText,
	limit: queryCount(pageDefault),
	digest: queryText,
});

const wrongBusiness = z.object({ error: z.literal("wrong_business") });

/** The sync protocol's two directions, and the stream that says when there is something to pull. */
export function syncRoutes(deps: Deps): Routes {
	const { sync: shop } = deps;
	// A till is nobody's server.
	if (!shop) return {};
	const pokes = openPokes(shop);
	return {
		"/api/sync": {
			POST: operation({
				summary:
					"Push mutations, each of which is done once however often it is sent, and pull what is new",
				access: "member",
				body: pushBody,
				bodyMaxBytes,
				answers: { 200: pushResponse, 403: wrongBusiness },
				async handle({ callers, body, request, response }) {
					const caller = callerIn(callers, body.businessId);
					answer(request, response, await shop.compressed.push(caller, body));
				},
			}),

			GET: operation({
				summary:
					"Pull a page of the change feed; with digest=1 the digest; as an event stream, the head whenever it moves",
				access: "member",
				query: pullQuery,
				answers: {
					200: {
						"application/json": z.union([pullResponse, digestResponse]),
						"text/event-stream": z.string(),
					},
					403: wrongBusiness,
				},
				async handle({ callers, query, request, response }) {
					const caller = callerIn(callers, query.businessId);
					const { cursor, limit, digest } = query;
					if (digest === "1") response.json(await shop.digest(caller));
					else if (
						request.accepts(["json", "text/event-stream"]) ===
						"text/event-stream"
					)
						await stream({ ...deps, shop }, pokes, caller, request, response);
					else
						answer(
							request,
							response,
							await shop.compressed.pull(caller, { cursor, limit }),
						);
				},
			}),
		},
	};
}

/**
 * The caller as a member of the business that it names; of its first where it names none.
 *
 * @throws ShopError `wrong_business`, also where there is no such business
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

/** Sends an answer as `response.json` would, with its rows in front, as they were encoded for the first till that asked. */
function answer(
	request: Request,
	response: Response,
	whole: MaybeCompressed<PullResponse | PushResponse>,
): void {
	const { changes, compressed, ...others } = { changes: undefined, ...whole };
	const rest = `,${JSON.stringify(others).slice(1)}`;
	const isGzip = Boolean(request.acceptsEncodings("gzip"));
	response.type("json").vary("accept-encoding");
	if (compressed && isGzip) sendGzip(response, gzipOf(compressed, rest));
	else if (compressed) response.send(decompressText(compressed) + rest);
	else {
		const text = changes
			? `{"changes":${encodeChanges(changes)}${rest}`
			: `{${rest.slice(1)}`;
		if (isGzip && text.length > shortMin && text.length < shortMax)
			sendGzip(response, [gzipShort(text)]);
		else response.send(text);
	}
}

function sendGzip(response: Response, parts: Buffer[]): void {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	response.set({ "content-encoding": "gzip", "content-length": `${length}` });
	for (const part of parts) response.write(part);
	response.end();
}

/** Server-sent events: `head` with a business and its cursor as data, at once and whenever the head moves. */
async function stream(
	{ shop, gate, log, closing }: Deps & { shop: SyncServer },
	pokes: Pokes,
	{ businessId }: Caller,
	request: Request,
	response: Response,
): Promise<void> {
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
			pokes.listen(businessId, () => tell(stream).catch(stream.fail)),
		async beat(stream) {
			const callers = await gate.memberships(request);
			if (!callers.some((caller) => caller.businessId === businessId))
				throw new HttpError(401, "No business membership");
			// What another process wrote may have gone unheard.
			await tell(stream);
		},
	});
	if (stream) await tell(stream);
}
