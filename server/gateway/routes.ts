import type { Request, Response } from "express";
import * as z from "zod";
import { newId } from "../../sync/protocol/ids.ts";
import type { Deps } from "../deps.ts";
import { listOf } from "../environment.ts";
import { operation, type Routes } from "../http/operation.ts";
import { assertAllowed } from "./access.ts";
import { toGatewayError } from "./answer-errors.ts";
import type { AnswerInfo, ChatCall } from "./call.ts";
import { findModels } from "./catalogue.ts";
import {
	type Completion,
	chatBody,
	finishReasons,
	toWireUsage,
	usage,
} from "./chat.ts";
import { streamHeaders, writeStream } from "./chunk-stream.ts";
import { embeddingAnswer, embeddingBody } from "./embeddings.ts";
import { GatewayError } from "./errors.ts";
import type { ListedModel } from "./known-models.ts";
import type { Payer } from "./meter.ts";
import type { Chunk } from "./providers/provider.ts";
import { openRateLimit } from "./rate-limit.ts";
import { policies } from "./settings.ts";

/** Large enough for base64 images in the body. */
const bodyMaxBytes = 20_000_000;

const completion = z
	.object({
		id: z.string(),
		object: z.literal("chat.completion"),
		created: z.int(),
		model: z.string(),
		choices: z.array(
			z.object({
				index: z.int(),
				message: z.looseObject({
					role: z.literal("assistant"),
					content: z.string().nullable(),
				}),
				logprobs: z.unknown(),
				finish_reason: z.enum(finishReasons),
			}),
		),
		usage,
	})
	.meta({ id: "ChatCompletion" });

const model = z
	.object({
		id: z.string(),
		object: z.literal("model"),
		created: z.int(),
		owned_by: z.string(),
		provider: z.string(),
		display_name: z.string(),
		context_window: z.int(),
		max_output_tokens: z.int().nullable(),
		capabilities: z.object({
			streaming: z.boolean(),
			tool_use: z.boolean(),
			vision: z.boolean(),
			reasoning: z.boolean(),
		}),
		/** USD per million tokens. */
		pricing: z.object({ input: z.number(), output: z.number() }),
		/** Whether its provider is configured, or is one on this machine. */
		available: z.boolean(),
		/** What it makes of a text: an answer, or a vector. */
		kind: z.enum(["chat", "embedding"]),
	})
	.meta({ id: "Model" });

/** The gateway's public routes: chat completions and models. */
export function gatewayRoutes({ gateway, shop }: Deps): Routes {
	const rateLimit = openRateLimit();

	function takeOne(payer: Payer, response: Response): void {
		const { key, businessId, userId, access } = payer;
		const limit = key ? key.requestsPerMinute : access.requestsPerMinute;
		if (limit === null) return;
		const { isAllowed, remaining, retryAfterMs } = rateLimit.take(
			key ? key.id : `${businessId} ${userId}`,
			limit,
		);
		response.set({
			"x-ratelimit-limit-requests": String(limit),
			"x-ratelimit-remaining-requests": String(remaining),
			"x-ratelimit-reset-requests": `${Math.ceil((60_000 / limit) * (limit - remaining))}ms`,
		});
		if (!isAllowed)
			throw new GatewayError(
				429,
				`${key ? `The key "${key.name}"` : "A member of this business"} may make ${limit} requests a minute`,
				{ code: "rate_limit_exceeded", retryAfterMs },
			);
	}

	const listModels = async () => [
		...(await gateway.models()).map((one) => toWireModel(one, "chat")),
		...(await gateway.embeddingModels()).map((one) =>
			toWireModel(one, "embedding"),
		),
	];

	return {
		"/v1/chat/completions": {
			POST: operation({
				summary: "Complete a conversation, as one answer or as a stream",
				access: "gateway",
				body: chatBody,
				bodyMaxBytes,
				failures: [404, 429, 502, 504],
				answers: {
					200: {
						"application/json": completion,
						"text/event-stream": z.string(),
					},
				},
				async handle({ payer, request, response, body }) {
					assertAllowed(payer);
					takeOne(payer, response);
					const signal = signalOf(response);
					const call = {
						request: body,
						payer,
						signal,
						...readOptions(request),
					};
					try {
						const { info, parts } = await gateway.complete(call);
						const head = {
							id: `chatcmpl-${newId(shop.env)}`,
							created: Math.floor(shop.env.now() / 1_000),
							model: info.model,
						};
						const headers = toHeaders(info);
						if (body.stream !== true) {
							const { value } = await parts().next();
							const wire = toWireCompletion(value as Completion, head);
							const text = JSON.stringify(wire);
							response
								.writeHead(200, {
									...headers,
									"content-type": "application/json; charset=utf-8",
									"content-length": Buffer.byteLength(text),
								})
								.end(text);
							return;
						}
						response.writeHead(200, { ...headers, ...streamHeaders });
						const includeUsage = body.stream_options?.include_usage === true;
						await writeStream(
							response,
							parts() as AsyncIterable<Chunk>,
							{ ...head, includeUsage },
							toGatewayError,
						);
					} catch (error) {
						// The client has disconnected, so there is nobody to answer.
						if (!signal.aborted) throw error;
					}
				},
			}),
		},

		"/v1/embeddings": {
			POST: operation({
				summary: "Turn texts into vectors, by the model that is named",
				access: "gateway",
				body: embeddingBody,
				bodyMaxBytes,
				failures: [404, 429, 502, 504],
				answers: { 200: embeddingAnswer },
				async handle({ payer, request, response, body }) {
					assertAllowed(payer);
					takeOne(payer, response);
					const signal = signalOf(response);
					try {
						const { "x-gateway-embed": purpose } = readHeaders(
							embeddingOptions,
							request,
						);
						response.json(
							await gateway.embed({ request: body, payer, purpose, signal }),
						);
					} catch (error) {
						// The client has disconnected, so there is nobody to answer.
						if (!signal.aborted) throw error;
					}
				},
			}),
		},

		"/v1/models": {
			GET: operation({
				summary: "List the models of all providers",
				access: "gateway",
				answers: {
					200: z.object({
						object: z.literal("list"),
						data: z.array(model),
						total: z.int(),
					}),
				},
				async handle({ response }) {
					const data = await listModels();
					response.json({ object: "list", data, total: data.length });
				},
			}),
		},

		"/v1/models/*id": {
			GET: operation({
				summary: "Get a model by its id or its name alone",
				access: "gateway",
				answers: { 200: model },
				async handle({ id, response }) {
					const all = [
						...(await gateway.models()),
						...(await gateway.embeddingModels()),
					].map(({ model }) => model);
					const [found] = findModels(all, id);
					const listed = (await listModels()).find((it) => it.id === found?.id);
					if (!listed)
						throw new GatewayError(
							404,
							`There is no model ${JSON.stringify(id)}`,
							{ param: "model", code: "model_not_found" },
						);
					response.json(listed);
				},
			}),
		},
	};
}

/** Aborts when the client disconnects. */
function signalOf(response: Response): AbortSignal {
	const gone = new AbortController();
	response.on("close", () => {
		if (!response.writableFinished) gone.abort();
	});
	return gone.signal;
}

const embeddingOptions = z.object({
	"x-gateway-embed": z.enum(["query", "document"]).default("document"),
});

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
});

/** @throws GatewayError 400 naming the header */
function readHeaders<S extends z.ZodType>(
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
}: Request): Pick<ChatCall, "policy" | "cache" | "cacheSeconds" | "fallback"> {
	if (!Object.keys(headers).some((name) => name.startsWith("x-gateway-")))
		return {};
	const given = readHeaders(options, { headers });
	return {
		policy: given["x-gateway-policy"],
		cache: given["x-gateway-cache"],
		cacheSeconds: given["x-gateway-cache-seconds"],
		fallback: given["x-gateway-fallback"],
	};
}

function toHeaders(info: AnswerInfo): Record<string, string> {
	return {
		"x-content-type-options": "nosniff",
		"x-gateway-model": info.model,
		"x-gateway-route": info.route,
		"x-gateway-attempts": String(info.attempts),
		"x-gateway-cache": info.cache,
		...(info.ageSeconds === undefined ? {} : { age: String(info.ageSeconds) }),
		...(info.failed.length > 0 && {
			"x-gateway-failed": info.failed.join(", "),
		}),
		...(info.report.length > 0 && {
			"x-gateway-params": info.report.join(", "),
		}),
	};
}

function toWireCompletion(
	{ choices, usage: used }: Completion,
	head: { id: string; created: number; model: string },
): z.input<typeof completion> {
	const { id, created, model } = head;
	return {
		id,
		object: "chat.completion",
		created,
		model,
		choices,
		usage: toWireUsage(used),
	};
}

function toWireModel(
	{ model: it, isAvailable }: ListedModel,
	kind: z.input<typeof model>["kind"],
): z.input<typeof model> {
	const { pricing, capabilities } = it;
	return {
		id: it.id,
		object: "model",
		created: it.created,
		owned_by: it.owned_by,
		provider: it.provider,
		display_name: it.display_name,
		context_window: it.context_window,
		max_output_tokens: it.max_output_tokens ?? null,
		capabilities,
		pricing: { input: pricing.input, output: pricing.output },
		available: isAvailable,
		kind,
	};
}
