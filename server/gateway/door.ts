import type { Request, Response } from "express";
import * as z from "zod";
import { listOf } from "../environment.ts";
import { assertAllowed } from "./access.ts";
import type { AnswerInfo, ChatCall } from "./call.ts";
import type { ChatRequest, Completion } from "./chat.ts";
import { GatewayError } from "./errors.ts";
import { type EventWriter, sendEvents } from "./event-stream.ts";
import type { Gateway } from "./gateway.ts";
import type { Payer } from "./meter.ts";
import type { Chunk } from "./providers/provider.ts";
import { openRateLimit } from "./rate-limit.ts";
import { policies } from "./settings.ts";

/** Large enough for base64 images in the body. */
export const bodyMaxBytes = 20_000_000;

interface Caller {
	payer: Payer;
	request: Request;
	response: Response;
}

/** How one API writes an answer, as a whole or as a stream. */
interface Writer extends EventWriter {
	whole(completion: Completion): object;
}

interface Form {
	/** Opens the writer at the first content, with the model that answers. */
	open(model: string): Writer;
	/** What the request lost when it was translated. */
	dropped?: readonly string[];
	temperatureDefault?: number;
}

export type Door = ReturnType<typeof openDoor>;

/** Opens what all of the gateway's APIs share: permission, rate limit, options, headers, and the client's hanging up. */
export function openDoor(gateway: Gateway) {
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
		try {
			await work(gone.signal);
		} catch (error) {
			// The client has disconnected, so there is nobody to answer.
			if (!gone.signal.aborted) throw error;
		}
	}

	async function send(
		{ payer, request, response }: Caller,
		chat: ChatRequest,
		{ open, dropped = [], temperatureDefault }: Form,
		signal: AbortSignal,
	): Promise<void> {
		const answer = gateway.complete({
			request: chat,
			payer,
			temperatureDefault,
			signal,
			...readOptions(request),
		});
		if (chat.stream === true) {
			const begun = answer.then(({ info, parts }) => ({
				headers: toHeaders(info, dropped),
				chunks: parts() as AsyncIterable<Chunk>,
				writer: open(info.model),
			}));
			await sendEvents(response, begun, () => open(chat.model));
			return;
		}
		const { info, parts } = await answer;
		const { value } = await parts().next();
		const text = JSON.stringify(open(info.model).whole(value as Completion));
		response
			.writeHead(200, {
				...toHeaders(info, dropped),
				"x-content-type-options": "nosniff",
				"content-type": "application/json; charset=utf-8",
				"content-length": Buffer.byteLength(text),
			})
			.end(text);
	}

	return {
		admit,
		/** Answers a chat request in the form of the API that it came through. */
		answer: (caller: Caller, chat: ChatRequest, form: Form) =>
			admit(caller, (signal) => send(caller, chat, form, signal)),
	};
}

const options = z.object({
	"x-gateway-policy": z.enum(policies).optional(),
	"x-gateway-cache": z.enum(["on", "off", "refresh"]).optional(),
	"x-gateway-cache-seconds": z.coerce
		.number()
		.int()
		.min(1)
		.max(31_536_000)
		.optional(),
	"x-gateway-fallback": z.string().transform(listOf).optional(),
	"x-gateway-rescue": z.enum(["on", "off"]).optional(),
});

/** @throws GatewayError 400 naming the header */
export function readHeaders<S extends z.ZodType>(
	schema: S,
	{ headers }: Pick<Request, "headers">,
): z.output<S> {
	const parsed = schema.safeParse(headers);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const name = String(issue?.path[0]);
	throw new GatewayError(400, `${name}: ${issue?.message}`, { param: name });
}

/** Reads the gateway's options from the request headers. @throws GatewayError 400 naming the header */
function readOptions({
	headers,
}: Request): Pick<
	ChatCall,
	"policy" | "cache" | "cacheSeconds" | "fallback" | "rescue"
> {
	if (!Object.keys(headers).some((name) => name.startsWith("x-gateway-")))
		return {};
	const given = readHeaders(options, { headers });
	return {
		policy: given["x-gateway-policy"],
		cache: given["x-gateway-cache"],
		cacheSeconds: given["x-gateway-cache-seconds"],
		fallback: given["x-gateway-fallback"],
		rescue: given["x-gateway-rescue"],
	};
}

function toHeaders(
	info: AnswerInfo,
	dropped: readonly string[],
): Record<string, string> {
	const report = [...dropped, ...info.report];
	return {
		"x-gateway-model": info.model,
		"x-gateway-route": info.route,
		"x-gateway-attempts": String(info.attempts),
		"x-gateway-cache": info.cache,
		...(info.ageSeconds === undefined ? {} : { age: String(info.ageSeconds) }),
		...(info.failed.length > 0 && {
			"x-gateway-failed": info.failed.join(", "),
		}),
		...(report.length > 0 && {
			"x-gateway-params": report.join(", "),
		}),
	};
}
