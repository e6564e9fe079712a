import { hash } from "node:crypto";
import { commonFields, speakChatCompletions } from "./chat-completions.ts";
import { embedLikeOpenai } from "./embedder.ts";

export const mistral = speakChatCompletions({
	id: "mistral",
	name: "Mistral",
	baseUrl: "https://api.mistral.ai/v1",
	embedder: embedLikeOpenai("output_dimension"),
	takes: [...commonFields, "n", "parallel_tool_calls"],
	refusesNames: true,
	adjust(body) {
		// Mistral sends usage unasked, and has other names for these fields.
		delete body.stream_options;
		if (body.seed !== undefined) body.random_seed = body.seed;
		delete body.seed;
		if (body.tool_choice === "required") body.tool_choice = "any";
		const turns = toTurns(body.messages as WireMessage[]);
		body.messages = turns.map((message) => ({
			...message,
			// A last turn of the assistant's is refused unless it is to be continued.
			...(message === turns.at(-1) &&
				message.role === "assistant" && { prefix: true }),
			...(message.tool_call_id && {
				tool_call_id: shortId(message.tool_call_id),
			}),
			...(message.tool_calls && {
				tool_calls: message.tool_calls.map((call) => ({
					...call,
					id: shortId(call.id),
				})),
			}),
		}));
	},
});

/** Drops empty assistant turns, and puts one between a tool's turn and a user's. */
function toTurns(messages: readonly WireMessage[]): WireMessage[] {
	const said = messages.filter(
		({ role, content, tool_calls }) =>
			role !== "assistant" || content?.length || tool_calls?.length,
	);
	return said.flatMap((message, i) =>
		message.role === "user" && said[i - 1]?.role === "tool"
			? [{ role: "assistant", content: "OK." }, message]
			: [message],
	);
}

interface WireMessage {
	role: string;
	content?: string | object[] | null;
	tool_call_id?: string;
	tool_calls?: { id: string }[];
}

/** Hashes other models' tool call ids to the nine letters and digits that Mistral requires. */
function shortId(id: string): string {
	return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9);
}
