import * as z from "zod";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Deps } from "../deps.ts";
import { operation, type Routes } from "../http/operation.ts";
import { type ApiRequest, readHeaders } from "./api.ts";
import { findModels } from "./catalogue.ts";
import {
	type ChatRequest,
	type Completion,
	chatBody,
	finishReasons,
	temperatureDefault,
	toWireUsage,
	usage,
} from "./chat.ts";
import { openChunkWriter } from "./chunk-stream.ts";
import { bodyLimits, openDoor } from "./door.ts";
import { embeddingAnswer, embeddingBody } from "./embeddings.ts";
import { GatewayError } from "./errors.ts";
import type { ListedModel } from "./known-models.ts";
import { messageRoutes } from "./messages-door/routes.ts";
import type { Payer } from "./meter.ts";
import { queuedRequest } from "./queue/queued-request.ts";
import { queueRoutes } from "./queue/routes.ts";
import { responsesRoutes } from "./responses-door/routes.ts";
import { openSealedCalls } from "./sealed-calls.ts";

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
					content: z.string(),
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

/** The gateway's public routes: chat completions, responses, messages, embeddings, models and the queue. */
export function gatewayRoutes(deps: Deps): Routes {
	const { gateway, queue, shop } = deps;
	const door = openDoor(gateway, queue);

	return {
		"/v1/chat/completions": {
			POST: operation({
				summary: "Complete a conversation, as one answer or as a stream",
				access: "gateway",
				body: chatBody,
				...bodyLimits,
				failures: [404, 409, 429, 502, 504],
				answers: {
					200: {
						"application/json": completion,
						"text/event-stream": z.string(),
					},
					202: queuedRequest,
				},
				handle: door.answering(
					"/v1/chat/completions",
					chatBody,
					openChatReader(shop.env),
				),
			}),
		},

		"/v1/embeddings": {
			POST: operation({
				summary: "Turn texts into vectors, by the model that is named",
				access: "gateway",
				body: embeddingBody,
				...bodyLimits,
				failures: [404, 429, 502, 504],
				answers: { 200: embeddingAnswer },
				handle: ({ body, ...caller }) =>
					door.admit(caller, async (signal) => {
						const { payer, request, response } = caller;
						const { "x-gateway-embed": purpose } = readHeaders(
							embeddingOptions,
							request.headers,
						);
						response.json(
							await gateway.embed({ request: body, payer, purpose, signal }),
						);
					}),
			}),
		},

		...responsesRoutes(deps, door),

		...messageRoutes(deps, door),

		...queueRoutes(queue),

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
					const data = (await gateway.models()).map(toWireModel);
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
					const all = await gateway.models();
					const [found] = findModels(
						all.map((it) => it.model),
						id,
					);
					const listed = all.find((it) => it.model === found);
					if (!listed)
						throw new GatewayError(
							404,
							`There is no model ${JSON.stringify(id)}`,
							{ param: "model", code: "model_not_found" },
						);
					response.json(toWireModel(listed));
				},
			}),
		},
	};
}

function openChatReader(env: Env) {
	const sealedCalls = openSealedCalls();
	return ({ businessId }: Payer, body: ChatRequest): ApiRequest => ({
		chat: {
			...body,
			messages: sealedCalls.recall(businessId, body.messages),
		},
		temperatureDefault,
		open(model) {
			const head = {
				id: `chatcmpl-${newId(env)}`,
				created: Math.floor(env.now() / 1_000),
				model,
			};
			const includeUsage = body.stream_options?.include_usage === true;
			const writer = openChunkWriter({ ...head, includeUsage });
			const read = sealedCalls.reader(businessId);
			return {
				...writer,
				write(chunk) {
					for (const delta of chunk.deltas) read(delta);
					return writer.write(chunk);
				},
				whole(completion) {
					const [choice] = completion.choices;
					if (choice) sealedCalls.keep(businessId, choice.message);
					return toWireCompletion(completion, head);
				},
			};
		},
	});
}

const embeddingOptions = z.object({
	"x-gateway-embed": z.enum(["query", "document"]).default("document"),
});

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
		choices: choices.map(
			({ message: { thoughts: _, ...said }, ...choice }) => ({
				...choice,
				// A text even where only tools are called: the contract's clients know no null here.
				message: { ...said, content: said.content ?? "" },
			}),
		),
		usage: toWireUsage(used),
	};
}

function toWireModel({
	model: it,
	isAvailable,
	kind,
}: ListedModel): z.input<typeof model> {
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
