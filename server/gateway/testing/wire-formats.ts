/** Renders one description of an answer in each provider's real wire format. */

export type Dialect = "chat" | "anthropic" | "gemini" | "cohere";

/** How a fake provider answers a request. */
export interface Act {
	text?: string;
	thought?: string;
	/** Claude hides a further thought. */
	hides?: true;
	toolCalls?: { id: string; name: string; args: object }[];
	finish?: "stop" | "length" | "tool_calls" | "content_filter";
	promptTokens?: number;
	completionTokens?: number;
	cachedTokens?: number;
	/** Fails with this status and `body`. */
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	/** The delay before the answer, and between two events of a stream. */
	delayMs?: number;
	betweenMs?: number;
	/** Waits for this before the answer, or in a stream before what follows so many events. */
	until?: Promise<unknown>;
	heldAfter?: number;
	/** Waits before one event of a stream, after the headers. */
	pause?: { before: number; ms: number };
	/** Bytes per write of a stream; 1 splits every multi-byte character. */
	pieceBytes?: number;
	/** Ends a stream after this many events, cleanly or by closing the connection. */
	cutAfter?: number;
	cut?: "end" | "reset";
	/** Inserts raw text before the given event of the stream. */
	insert?: { at: number; raw: string };
	/** Falls silent after this many events of a stream. */
	stopAfter?: number;
	/** Accepts the connection and sends nothing. */
	isSilent?: boolean;
	/** Streams only comments. */
	isMute?: boolean;
}

export interface Wire {
	whole(act: Act, model: string, asked: object): object;
	/** The events as sent, each with its empty line. */
	events(act: Act, model: string, asked: object): string[];
}

export const words = (text: string) => text.match(/\S+\s*/g) ?? [];
export const toData = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
export const textOf = ({ text, toolCalls }: Act) =>
	text ?? (toolCalls ? "" : "Habari ya dunia: ☕ chai na 🍞 mkate");
export const prompt = ({ promptTokens = 11 }: Act) => promptTokens;
export const completion = ({ completionTokens = 7 }: Act) => completionTokens;

const chat: Wire = {
	whole: (act, model) => ({
		id: "chatcmpl-upstream",
		object: "chat.completion",
		created: 1,
		model,
		choices: [
			{
				index: 0,
				message: {
					role: "assistant",
					content: textOf(act) || null,
					...(act.thought && { reasoning_content: act.thought }),
					...(act.toolCalls && {
						tool_calls: act.toolCalls.map(({ id, name, args }) => ({
							id,
							type: "function",
							function: { name, arguments: JSON.stringify(args) },
						})),
					}),
				},
				finish_reason: act.finish ?? (act.toolCalls ? "tool_calls" : "stop"),
			},
		],
		usage: chatUsage(act),
	}),
	events: (act, model) => {
		const chunk = (delta: object, finish: string | null = null) =>
			toData({
				id: "chatcmpl-upstream",
				object: "chat.completion.chunk",
				created: 1,
				model,
				choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
			});
		return [
			": PROCESSING\n\n",
			chunk({ role: "assistant", content: "" }),
			...words(act.thought ?? "").map((word) =>
				chunk({ reasoning_content: word }),
			),
			...words(textOf(act)).map((word) => chunk({ content: word })),
			...(act.toolCalls ?? []).flatMap(({ id, name, args }, index) => {
				const text = JSON.stringify(args);
				const half = Math.ceil(text.length / 2);
				return [
					chunk({
						tool_calls: [
							{
								index,
								id,
								type: "function",
								function: { name, arguments: "" },
							},
						],
					}),
					...[text.slice(0, half), text.slice(half)].map((part) =>
						chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
					),
				];
			}),
			chunk({}, act.finish ?? (act.toolCalls ? "tool_calls" : "stop")),
			toData({
				id: "chatcmpl-upstream",
				object: "chat.completion.chunk",
				created: 1,
				model,
				choices: [],
				usage: chatUsage(act),
			}),
			"data: [DONE]\n\n",
		];
	},
};

function chatUsage(act: Act): object {
	return {
		prompt_tokens: prompt(act),
		completion_tokens: completion(act),
		total_tokens: prompt(act) + completion(act),
		prompt_tokens_details: { cached_tokens: act.cachedTokens ?? 0 },
	};
}

const anthropicReason = {
	stop: "end_turn",
	length: "max_tokens",
	tool_calls: "tool_use",
	content_filter: "refusal",
};

const anthropic: Wire = {
	whole: (act, model) => ({
		id: "msg_upstream",
		type: "message",
		role: "assistant",
		model,
		content: [
			...(act.thought
				? [{ type: "thinking", thinking: act.thought, signature: "sig" }]
				: []),
			...(act.hides ? [{ type: "redacted_thinking", data: "hidden" }] : []),
			...(textOf(act) ? [{ type: "text", text: textOf(act) }] : []),
			...(act.toolCalls ?? []).map(({ id, name, args }) => ({
				type: "tool_use",
				id,
				name,
				input: args,
			})),
		],
		stop_reason:
			anthropicReason[act.finish ?? (act.toolCalls ? "tool_calls" : "stop")],
		stop_sequence: null,
		usage: anthropicUsage(act),
	}),
	events: (act, model) => {
		const event = (type: string, fields: object) =>
			`event: ${type}\n${toData({ type, ...fields })}`;
		let index = -1;
		const block = (content_block: object, deltas: object[]) => {
			index += 1;
			return [
				event("content_block_start", { index, content_block }),
				...deltas.map((delta) =>
					event("content_block_delta", { index, delta }),
				),
				event("content_block_stop", { index }),
			];
		};
		return [
			event("message_start", {
				message: {
					id: "msg_upstream",
					type: "message",
					role: "assistant",
					model,
					content: [],
					stop_reason: null,
					usage: { ...anthropicUsage(act), output_tokens: 1 },
				},
			}),
			event("ping", {}),
			...(act.thought
				? block({ type: "thinking", thinking: "" }, [
						...words(act.thought).map((thinking) => ({
							type: "thinking_delta",
							thinking,
						})),
						{ type: "signature_delta", signature: "sig" },
					])
				: []),
			...(act.hides
				? block({ type: "redacted_thinking", data: "hidden" }, [])
				: []),
			...(textOf(act)
				? block(
						{ type: "text", text: "" },
						words(textOf(act)).map((text) => ({ type: "text_delta", text })),
					)
				: []),
			...(act.toolCalls ?? []).flatMap(({ id, name, args }) => {
				const text = JSON.stringify(args);
				const half = Math.ceil(text.length / 2);
				return block(
					{ type: "tool_use", id, name, input: {} },
					text === "{}"
						? []
						: ["", text.slice(0, half), text.slice(half)].map(
								(partial_json) => ({ type: "input_json_delta", partial_json }),
							),
				);
			}),
			event("message_delta", {
				delta: {
					stop_reason:
						anthropicReason[
							act.finish ?? (act.toolCalls ? "tool_calls" : "stop")
						],
					stop_sequence: null,
				},
				usage: { output_tokens: completion(act) },
			}),
			event("message_stop", {}),
		];
	},
};

function anthropicUsage(act: Act): object {
	const cached = act.cachedTokens ?? 0;
	return {
		input_tokens: prompt(act) - cached,
		cache_read_input_tokens: cached,
		cache_creation_input_tokens: 0,
		output_tokens: completion(act),
	};
}

const geminiReason = {
	stop: "STOP",
	length: "MAX_TOKENS",
	tool_calls: "STOP",
	content_filter: "SAFETY",
};

const gemini: Wire = {
	whole: (act) =>
		geminiAnswer(
			act,
			[
				...(act.thought ? [{ text: act.thought, thought: true }] : []),
				...(textOf(act) ? [{ text: textOf(act) }] : []),
				...geminiCalls(act),
			],
			geminiReason[act.finish ?? "stop"],
		),
	events: (act) =>
		[
			...words(act.thought ?? "").map((text) => [{ text, thought: true }]),
			...words(textOf(act)).map((text) => [{ text }]),
			...geminiCalls(act).map((call) => [call]),
			[{ text: "" }],
		].map((parts, i, all) =>
			toData(
				geminiAnswer(
					act,
					parts,
					i === all.length - 1 ? geminiReason[act.finish ?? "stop"] : undefined,
				),
			),
		),
};

function geminiCalls({ toolCalls = [] }: Act): object[] {
	return toolCalls.map(({ name, args }, i) => ({
		functionCall: { name, args },
		...(i === 0 && { thoughtSignature: "signed-by-gemini" }),
	}));
}

function geminiAnswer(
	act: Act,
	parts: object[],
	finishReason: string | undefined,
): object {
	return {
		candidates: [{ content: { role: "model", parts }, index: 0, finishReason }],
		usageMetadata: {
			promptTokenCount: prompt(act),
			candidatesTokenCount: completion(act) - 2,
			thoughtsTokenCount: 2,
			cachedContentTokenCount: act.cachedTokens ?? 0,
		},
		modelVersion: "gemini",
		responseId: "upstream",
	};
}

const cohereReason = {
	stop: "COMPLETE",
	length: "MAX_TOKENS",
	tool_calls: "TOOL_CALL",
	content_filter: "ERROR_TOXIC",
};

const cohere: Wire = {
	whole: (act) => ({
		id: "upstream",
		finish_reason:
			cohereReason[act.finish ?? (act.toolCalls ? "tool_calls" : "stop")],
		message: {
			role: "assistant",
			content: textOf(act) ? [{ type: "text", text: textOf(act) }] : [],
			...(act.toolCalls && {
				tool_calls: act.toolCalls.map(({ id, name, args }) => ({
					id,
					type: "function",
					function: { name, arguments: JSON.stringify(args) },
				})),
			}),
		},
		usage: cohereUsage(act),
	}),
	events: (act) => {
		const event = (type: string, fields: object) =>
			`event: ${type}\n${toData({ type, ...fields })}`;
		return [
			event("message-start", {
				id: "upstream",
				delta: { message: { role: "assistant", content: [] } },
			}),
			...(textOf(act)
				? [
						event("content-start", {
							index: 3,
							delta: { message: { content: { type: "text", text: "" } } },
						}),
						...words(textOf(act)).map((text) =>
							event("content-delta", {
								index: 3,
								delta: { message: { content: { text } } },
							}),
						),
						event("content-end", { index: 3 }),
					]
				: []),
			...(act.toolCalls ?? []).flatMap(({ id, name, args }, index) => {
				const text = JSON.stringify(args);
				const half = Math.ceil(text.length / 2);
				return [
					event("tool-call-start", {
						index,
						delta: {
							message: {
								tool_calls: {
									id,
									type: "function",
									function: { name, arguments: "" },
								},
							},
						},
					}),
					...[text.slice(0, half), text.slice(half)].map((part) =>
						event("tool-call-delta", {
							index,
							delta: {
								message: { tool_calls: { function: { arguments: part } } },
							},
						}),
					),
					event("tool-call-end", { index }),
				];
			}),
			event("message-end", {
				id: "upstream",
				delta: {
					finish_reason:
						cohereReason[act.finish ?? (act.toolCalls ? "tool_calls" : "stop")],
					usage: cohereUsage(act),
				},
			}),
		];
	},
};

function cohereUsage(act: Act): object {
	return {
		// Cohere counts more tokens than it bills.
		tokens: { input_tokens: prompt(act), output_tokens: completion(act) },
		billed_units: {
			input_tokens: prompt(act) - 1,
			output_tokens: completion(act),
		},
	};
}

export const dialects: Record<Dialect, Wire> = {
	chat,
	anthropic,
	gemini,
	cohere,
};
