import type { Request, Response } from "express";
import * as z from "zod";
import { parseInput } from "../http/input.ts";
import { assertAllowed } from "./access.ts";
import {
	type ApiRequest,
	headersOf,
	optionNames,
	readHeaders,
	readOptions,
	writeWhole,
} from "./api.ts";
import { GatewayError } from "./errors.ts";
import { sendEvents } from "./event-stream.ts";
import type { Gateway } from "./gateway.ts";
import type { Payer } from "./meter.ts";
import type { Chunk } from "./providers/provider.ts";
import type { RequestQueue } from "./queue/queue.ts";
import { openRateLimit } from "./rate-limit.ts";

/** Large enough for base64 images in the body. */
const bodyMaxBytes = 20_000_000;
/** More than any conversation has, and checked within a second. */
const valuesMax = 100_000;
/** The limits of a body. */
export const bodyLimits = { bodyMaxBytes, valuesMax };

interface Caller {
	payer: Payer;
	request: Request;
	response: Response;
}

/** The operation's input beside its caller. */
interface Sent<Body> {
	body: Body;
	sent: unknown;
}

export type Door = ReturnType<typeof openDoor>;

/** Opens what all of the gateway's APIs share: permission, rate limit, options, headers, and the client's hanging up. */
export function openDoor(gateway: Gateway, queue: RequestQueue) {
	const rateLimit = openRateLimit();

	/** @param use what is limited, apart from other uses */
	function takeOne(
		payer: Payer,
		response: Response,
		use: "answers" | "counts",
	): void {
		const taken = rateLimit.take(
			payer.accounts.flatMap(({ id, name, requestsPerMinute }) =>
				requestsPerMinute === null
					? []
					: {
							name: `${use} ${payer.businessId} ${id}`,
							perMinute: requestsPerMinute,
							of: name,
						},
			),
		);
		if (!taken) return;
		const { rate, isAllowed, remaining, retryAfterMs } = taken;
		const { perMinute, of } = rate;
		response.set({
			"x-ratelimit-limit-requests": String(perMinute),
			"x-ratelimit-remaining-requests": String(remaining),
			"x-ratelimit-reset-requests": `${Math.ceil((60_000 / perMinute) * (perMinute - remaining))}ms`,
		});
		if (!isAllowed)
			throw new GatewayError(
				429,
				`${of} may make ${perMinute} requests a minute`,
				{ code: "rate_limit_exceeded", retryAfterMs },
			);
	}

	/** @param work gets a signal that aborts when the client disconnects */
	async function admit(
		{ payer, response }: Caller,
		work: (signal: AbortSignal) => Promise<void>,
		use: "answers" | "counts" = "answers",
	): Promise<void> {
		assertAllowed(payer);
		takeOne(payer, response, use);
		const gone = new AbortController();
		response.on("close", () => {
			if (!response.writableFinished) gone.abort();
		});
		// They may have left while the request was read, which takes a database at times.
		if (response.destroyed) gone.abort();
		try {
			await work(gone.signal);
		} catch (error) {
			// The client has disconnected, so there is nobody to answer.
			if (!gone.signal.aborted) throw error;
		}
	}

	async function send(
		{ payer, request, response }: Caller,
		asked: ApiRequest,
		signal: AbortSignal,
	): Promise<void> {
		const { chat, temperatureDefault, open, dropped } = asked;
		const answer = gateway.complete({
			request: chat,
			payer,
			temperatureDefault,
			signal,
			...readOptions(request.headers),
		});
		if (chat.stream === true) {
			const begun = answer.then(({ info, parts }) => ({
				headers: headersOf(info, dropped),
				chunks: parts() as AsyncIterable<Chunk>,
				writer: open(info.model),
			}));
			await sendEvents(response, begun, () => open(chat.model));
			return;
		}
		const { headers, text } = await writeWhole(await answer, asked);
		response
			.writeHead(200, {
				...headers,
				"x-content-type-options": "nosniff",
				"content-type": "application/json; charset=utf-8",
				"content-length": Buffer.byteLength(text),
			})
			.end(text);
	}

	/** Stores a request that is answered later, and says where its answer will be. */
	async function enqueue(
		{ payer, request, response, sent }: Caller & Pick<Sent<unknown>, "sent">,
		path: string,
		{ chat }: ApiRequest,
		where: string,
	): Promise<void> {
		if (chat.stream === true)
			throw new GatewayError(
				400,
				"A request in the queue can't be a stream: leave out `stream`",
				{ param: "stream" },
			);
		readOptions(request.headers);
		const { "idempotency-key": repeatKey } = readHeaders(
			repetition,
			request.headers,
		);
		const queued = await queue.accept(payer, {
			...{ path, sent, repeatKey },
			options: Object.fromEntries(
				optionNames.flatMap((name) => {
					const value = request.get(name);
					return value === undefined ? [] : [[name, value]];
				}),
			),
			deliverTo: where === "on" ? null : where,
		});
		response.status(202).location(`/v1/queue/${queued.id}`).json(queued);
	}

	return {
		admit,

		/** Answers chat requests, now or later, in the form of the API that they come through. */
		answering<S extends z.ZodType>(
			path: string,
			body: S,
			read: (
				payer: Payer,
				body: z.output<S>,
			) => ApiRequest | Promise<ApiRequest>,
		) {
			queue.serve(path, (payer, sent) => read(payer, parseInput(body, sent)));
			return async (caller: Caller & Sent<z.output<S>>): Promise<void> => {
				const asked = await read(caller.payer, caller.body);
				const where = caller.request.get("x-gateway-queue") ?? "off";
				await admit(caller, (signal) =>
					where === "off"
						? send(caller, asked, signal)
						: enqueue(caller, path, asked, where),
				);
			};
		},
	};
}

const repetition = z.object({
	"idempotency-key": z.string().min(1).max(255).optional(),
});
