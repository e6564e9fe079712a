import * as z from "zod";
import { newId } from "../../../sync/protocol/ids.ts";
import type { Deps } from "../../deps.ts";
import { operation, type Routes } from "../../http/operation.ts";
import { maxTokensDefault } from "../chat.ts";
import { bodyLimits, type Door } from "../door.ts";
import { queuedRequest } from "../queue/queued-request.ts";
import { openAnswerWriter, type ResponseObject } from "./answer-writer.ts";
import { type ResponsesRequest, responsesBody } from "./body.ts";
import type { SentItem } from "./input-items.ts";
import { openItemStore } from "./item-store.ts";
import { toChat } from "./to-chat.ts";

const responseObject = z
	.looseObject({
		id: z.string(),
		object: z.literal("response"),
		created_at: z.int(),
		status: z.enum(["completed", "incomplete"]),
		model: z.string(),
		output: z.array(z.looseObject({ id: z.string(), type: z.string() })),
	})
	.meta({ id: "Response" });

/** OpenAI's Responses API, for every provider. */
export function responsesRoutes(
	{ shop: { env, store: database }, log }: Deps,
	door: Door,
): Routes {
	const store = openItemStore(database, env, (err) => log.error({ err }));
	const newItemId = (prefix: string) =>
		`${prefix}_${newId(env).replaceAll("-", "")}`;
	const now = () => Math.floor(env.now() / 1_000);

	return {
		"/v1/responses": {
			POST: operation({
				summary: "Create a response, as one answer or as a stream of events",
				access: "gateway",
				body: responsesBody,
				...bodyLimits,
				failures: [404, 409, 429, 502, 504],
				answers: {
					200: {
						"application/json": responseObject,
						"text/event-stream": z.string(),
					},
					202: queuedRequest,
				},
				handle: door.answering(
					"/v1/responses",
					responsesBody,
					async (payer, body) => {
						const { previous_response_id: previous } = body;
						const input = itemsOf(body);
						const { chat, dropped, custom } = toChat(
							body,
							await store.resolve(payer, input, previous),
						);
						const isStored = body.store !== false && store.keeps(input);
						return {
							...{ chat, dropped },
							open: (model) =>
								openAnswerWriter({
									begun: toBegun(body, {
										id: newItemId("resp"),
										created_at: now(),
										model,
										store: isStored,
									}),
									custom,
									newId: newItemId,
									now,
									over(response) {
										if (isStored) store.add(payer, response, input, previous);
									},
								}),
						};
					},
				),
			}),
		},

		"/v1/responses/*id": {
			GET: operation({
				summary: "Get a stored response",
				access: "gateway",
				answers: { 200: responseObject },
				async handle({ payer, id, response }) {
					response.json(await store.get(payer, id));
				},
			}),
			DELETE: operation({
				summary: "Delete a stored response",
				access: "gateway",
				answers: {
					200: z.object({
						id: z.string(),
						object: z.literal("response"),
						deleted: z.literal(true),
					}),
				},
				async handle({ payer, id, response }) {
					await store.remove(payer, id);
					response.json({ id, object: "response", deleted: true });
				},
			}),
		},
	};
}

function itemsOf({ input }: ResponsesRequest): SentItem[] {
	return typeof input === "string"
		? [{ type: "message", role: "user", content: input }]
		: input;
}

/** A response before its first item: mostly what the request asked for. */
function toBegun(
	body: ResponsesRequest,
	head: { id: string; created_at: number; model: string; store: boolean },
): ResponseObject {
	const { id, created_at, model, store } = head;
	const { effort, summary } = body.reasoning ?? {};
	return {
		id,
		object: "response",
		created_at,
		status: "in_progress",
		background: false,
		completed_at: null,
		error: null,
		incomplete_details: null,
		instructions: body.instructions ?? null,
		max_output_tokens: body.max_output_tokens ?? maxTokensDefault,
		max_tool_calls: null,
		model,
		output: [],
		parallel_tool_calls: body.parallel_tool_calls ?? true,
		previous_response_id: body.previous_response_id ?? null,
		reasoning: { effort: effort ?? null, summary: summary ?? null },
		service_tier: "default",
		store,
		temperature: body.temperature ?? null,
		text: { ...body.text, format: body.text?.format ?? { type: "text" } },
		tool_choice: body.tool_choice ?? "auto",
		tools: body.tools ?? [],
		top_logprobs: body.top_logprobs ?? 0,
		top_p: body.top_p ?? null,
		truncation: "disabled",
		usage: null,
		user: body.user ?? null,
		metadata: body.metadata ?? {},
	};
}
