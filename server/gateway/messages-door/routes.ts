import * as z from "zod";
import { newId } from "../../../sync/protocol/ids.ts";
import type { Deps } from "../../deps.ts";
import { operation, type Routes } from "../../http/operation.ts";
import { bodyLimits, type Door } from "../door.ts";
import { parseJsonExactly } from "../exact-json.ts";
import { queuedRequest } from "../queue/queued-request.ts";
import { openMessageWriter, writeMessage } from "./answer.ts";
import { countBody, messageBody } from "./body.ts";
import { toChat, toPrompt } from "./to-chat.ts";

const message = z
	.object({
		id: z.string(),
		type: z.literal("message"),
		role: z.literal("assistant"),
		model: z.string(),
		content: z.array(z.looseObject({ type: z.string() })),
		stop_reason: z.enum(["end_turn", "max_tokens", "tool_use", "refusal"]),
		stop_sequence: z.null(),
		usage: z.object({
			input_tokens: z.int(),
			cache_creation_input_tokens: z.int(),
			cache_read_input_tokens: z.int(),
			output_tokens: z.int(),
		}),
	})
	.meta({ id: "Message" });

/** Anthropic's Messages API, in front of all providers. */
export function messageRoutes(
	{ gateway, shop }: Pick<Deps, "gateway" | "shop">,
	door: Door,
): Routes {
	return {
		"/v1/messages": {
			POST: operation({
				summary:
					"Answer a conversation in the form of Anthropic's Messages API",
				access: "gateway",
				body: messageBody,
				...bodyLimits,
				// A tool's input is an object here, whose numbers may be long product codes.
				parse: parseJsonExactly,
				failures: [404, 409, 429, 502, 504],
				answers: {
					200: {
						"application/json": message,
						"text/event-stream": z.string(),
					},
					202: queuedRequest,
				},
				handle: door.answering("/v1/messages", messageBody, (_, body) => ({
					...toChat(body),
					open(model) {
						const id = `msg_${newId(shop.env)}`;
						const head = { id, model };
						return {
							...openMessageWriter(head),
							whole: (completion) => writeMessage(completion, head),
						};
					},
				})),
			}),
		},

		"/v1/messages/count_tokens": {
			POST: operation({
				summary: "Estimate a conversation's tokens, without asking a provider",
				access: "gateway",
				body: countBody,
				...bodyLimits,
				failures: [404, 429],
				answers: { 200: z.object({ input_tokens: z.int() }) },
				handle(caller) {
					const { body, response } = caller;
					return door.admit(
						caller,
						async () => {
							const counted = await gateway.count(toPrompt(body));
							response.json({ input_tokens: counted });
						},
						"counts",
					);
				},
			}),
		},
	};
}
