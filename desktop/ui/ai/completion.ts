import { createParser } from "eventsource-parser";
import { ApiError } from "../api.ts";
import { hasWords } from "../components/error-message.ts";

interface Chunk {
	choices?: { delta?: { content?: string } }[];
	error?: { message: string; code: string | null };
}

export interface AnswerInfo {
	model: string;
	route: string;
}

/**
 * Asks the gateway and passes on the answer as it streams in.
 *
 * @throws ApiError if there is no answer or it breaks off
 */
export async function complete(
	model: string,
	prompt: string,
	{
		onText,
		onInfo,
		signal,
	}: {
		onText(words: string): void;
		onInfo(info: AnswerInfo): void;
		signal: AbortSignal;
	},
): Promise<void> {
	const response = await fetch("/v1/chat/completions", {
		method: "POST",
		credentials: "same-origin",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			model,
			stream: true,
			messages: [{ role: "user", content: prompt }],
		}),
		signal,
	});
	if (!response.ok || !response.body) {
		const { error } = (await response.json().catch(() => ({}))) as Chunk;
		const { status } = response;
		const code = error?.code ?? undefined;
		// Only the provider knows what it found wrong with the question.
		if (status === 400 && error && !hasWords(code))
			throw new Error(error.message);
		throw new ApiError(
			status,
			error?.message ?? `The server answered ${status}`,
			{ code },
		);
	}
	onInfo({
		model: response.headers.get("x-gateway-model") ?? "",
		route: response.headers.get("x-gateway-route") ?? "",
	});
	const parser = createParser({
		onEvent({ data }) {
			if (data === "[DONE]") return;
			const { choices, error } = JSON.parse(data) as Chunk;
			if (error)
				throw new ApiError(502, error.message, {
					code: error.code ?? undefined,
				});
			onText(choices?.[0]?.delta?.content ?? "");
		},
	});
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	for (;;) {
		const { value, done } = await reader.read();
		if (done) return;
		parser.feed(value);
	}
}
