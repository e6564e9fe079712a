import { hash } from "node:crypto";
import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const mistral = speakChatCompletions({
	id: "mistral",
	name: "Mistral",
	baseUrl: "https://api.mistral.ai/v1",
	takes: [...commonFields, "n", "parallel_tool_calls"],
	refusesNames: true,
	adjust(body) {
		// It tells usage unasked, and calls these by names of its own.
		delete body.stream_options;
		if (body.seed !== undefined) body.random_seed = body.seed;
		delete body.seed;
		if (body.tool_choice === "required") body.tool_choice = "any";
		body.messages = toTurns(body.messages as WireMessage[]).map((message) => ({
			...message,
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

/** An assistant's turn says something, and stands between a tool's and a user's. */
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

/** Ids of tool calls have nine letters and digits there; those that other models made are hashed to such. */
function shortId(id: string): string {
	return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9);
}
