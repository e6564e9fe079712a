import { hash } from "node:crypto";
import {
	type ChatRequest,
	type Completion,
	type FinishReason,
	instructionsOf,
	type Message,
	type Piece,
	parseArguments,
	partsOf,
	type ToolCall,
	textOf,
	type Usage,
} from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { parseEvent } from "./chat-completions.ts";
import type { Call, Provider, Reader } from "./provider.ts";

/** Google's generateContent: contents of parts, tools that answer to their name, signatures on thoughts. */
export const gemini: Provider = {
	id: "google",
	name: "Google Gemini",
	baseUrl: "https://generativelanguage.googleapis.com/v1beta",
	takes: [
		"tools",
		"tool_choice",
		"top_p",
		"n",
		"stop",
		"seed",
		"presence_penalty",
		"frequency_penalty",
		"response_format",
		"reasoning_effort",
	],
	// In a header, never in the address, which ends up in logs.
	headers: (key = "") => ({ "x-goog-api-key": key }),
	lacks: ["image_url"],
	ask,
	answer,
	openReader,
};

interface Part {
	text?: string;
	thought?: boolean;
	thoughtSignature?: string;
	functionCall?: { id?: string; name?: string; args?: object };
	[field: string]: unknown;
}
interface Content {
	role: "user" | "model";
	parts: Part[];
}

const stopMax = 5;

/**
 * The signature that came with a tool call must come back with it, and OpenAI's clients drop what they don't know: it is
 * remembered here by the call's id. What was forgotten is marked as such, in the words that Google documents.
 */
const signatures = new Map<string, string>();
const signaturesMax = 10_000;
const unknownSignature = "skip_thought_signature_validator";

function remember(id: string, signature: string | undefined): void {
	if (signature === undefined) return;
	const [oldest] = signatures.keys();
	if (signatures.size >= signaturesMax && oldest !== undefined)
		signatures.delete(oldest);
	signatures.set(id, signature);
}

function ask({ request, model, params, stream, report }: Call) {
	const { further } = params;
	const system = instructionsOf(request.messages);
	const body: Record<string, unknown> = {
		contents: toContents(request.messages),
		generationConfig: toConfig(model.upstream_id, params, report),
	};
	if (system !== "") body.systemInstruction = { parts: [{ text: system }] };
	if (further.tools?.length) {
		body.tools = [
			{
				functionDeclarations: further.tools.map(({ function: declared }) => ({
					name: declared.name,
					description: declared.description,
					...(declared.parameters && {
						parametersJsonSchema: withoutForeign(declared.parameters),
					}),
				})),
			},
		];
		const calling = toCallingConfig(further.tool_choice);
		if (calling) body.toolConfig = { functionCallingConfig: calling };
	}
	const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
	const name = encodeURIComponent(model.upstream_id);
	return { path: `/models/${name}:${method}`, body };
}

function toContents(messages: readonly Message[]): Content[] {
	const contents: Content[] = [];
	const nameById = new Map<string, string>();
	const add = (role: Content["role"], parts: Part[]) => {
		const last = contents.at(-1);
		if (last?.role === role) last.parts.push(...parts);
		else if (parts.length > 0) contents.push({ role, parts });
	};
	for (const message of messages) {
		if (message.role === "user") add("user", toParts(message.content));
		else if (message.role === "assistant") {
			for (const call of message.tool_calls ?? [])
				nameById.set(call.id, call.function.name);
			add("model", [
				...toParts(message.content),
				...(message.tool_calls ?? []).map((call) => ({
					functionCall: {
						name: call.function.name,
						args: parseArguments(call.function.arguments),
					},
					thoughtSignature: signatures.get(call.id) ?? unknownSignature,
				})),
			]);
		} else if (message.role === "tool") {
			const text = textOf(message.content);
			const given = parseArguments(text);
			add("user", [
				{
					functionResponse: {
						name: nameById.get(message.tool_call_id) ?? "tool",
						response: Object.keys(given).length > 0 ? given : { result: text },
					},
				},
			]);
		}
	}
	// An empty conversation is refused, and one that the user does not begin.
	if (contents[0]?.role !== "user")
		contents.unshift({ role: "user", parts: [{ text: "…" }] });
	return contents;
}

function toParts(content: Message["content"]): Part[] {
	return partsOf(content).flatMap((part): Part[] => {
		if (part.type === "text")
			return part.text === "" ? [] : [{ text: part.text }];
		const data = /^data:([^;,]+);base64,(.*)$/s.exec(part.image_url.url);
		// Fetching it in the provider's place would let a client reach into this network.
		if (!data)
			throw new Fault("client", "takes images as data: URLs only", {
				param: "messages",
			});
		return [{ inlineData: { mimeType: data[1], data: data[2] } }];
	});
}

/** Words of JSON Schema under which schemas go by names, and those under which there is no schema at all. */
const named = new Set([
	"properties",
	"patternProperties",
	"dependentSchemas",
	"$defs",
	"definitions",
]);
const plain = new Set(["enum", "default", "examples", "example", "required"]);
/** Those that it stumbles over. */
const foreign = new Set(["$schema", "additionalProperties"]);

function withoutForeign(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutForeign);
	if (!isObject(schema)) return schema;
	const kept = Object.entries(schema)
		.filter(([word]) => !foreign.has(word))
		.map(([word, value]) => {
			if (word === "const") return ["enum", [value]];
			if (plain.has(word)) return [word, value];
			if (!named.has(word) || !isObject(value))
				return [word, withoutForeign(value)];
			const schemas = Object.entries(value).map(([name, one]) => [
				name,
				withoutForeign(one),
			]);
			return [word, Object.fromEntries(schemas)];
		});
	return Object.fromEntries(kept);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toCallingConfig(choice: ChatRequest["tool_choice"]) {
	if (choice === undefined) return undefined;
	if (typeof choice === "object")
		return { mode: "ANY", allowedFunctionNames: [choice.function.name] };
	if (choice === "none") return { mode: "NONE" };
	return { mode: choice === "auto" ? "AUTO" : "ANY" };
}

/** What the generation before the newest takes in place of levels. */
const budgetByEffort = new Map([
	["none", 0],
	["minimal", 512],
	["low", 1_024],
	["medium", 8_192],
	["high", 24_576],
]);
/** The least of those that can't be told not to think. */
const proBudgetMin = 128;
const levels = ["minimal", "low", "medium", "high"];

/** The nearest that the model can be told. */
function toThinking(
	model: string,
	effort: string,
	report: Call["report"],
): object | undefined {
	const asked = effort === "xhigh" || effort === "max" ? "high" : effort;
	const [told, thinking] = model.startsWith("gemini-2")
		? toBudget(model, asked)
		: toLevel(model, asked);
	if (told !== effort) report(`reasoning_effort=${told}`);
	return thinking;
}

type Told = [effort: string, thinking?: object];

function toBudget(model: string, effort: string): Told {
	if (effort === "none" && model.includes("pro"))
		return ["minimal", { thinkingBudget: proBudgetMin }];
	const thinkingBudget = budgetByEffort.get(effort);
	return thinkingBudget === undefined
		? ["dropped"]
		: [effort, { thinkingBudget }];
}

/** Only the smallest think as little as can be. */
function toLevel(model: string, effort: string): Told {
	const least = model.includes("flash-lite") ? "minimal" : "low";
	const isLeast = effort === "none" || effort === "minimal";
	const level = isLeast ? least : effort;
	return levels.includes(level)
		? [level, { thinkingLevel: level.toUpperCase() }]
		: ["dropped"];
}

function toConfig(
	model: string,
	{ temperature, maxTokens, further }: Call["params"],
	report: Call["report"],
): object {
	const config: Record<string, unknown> = { maxOutputTokens: maxTokens };
	if (temperature !== undefined) config.temperature = temperature;
	if (further.top_p !== undefined) config.topP = further.top_p;
	if (further.seed !== undefined) config.seed = further.seed;
	if (further.n !== undefined && further.n > 1)
		config.candidateCount = further.n;
	if (further.presence_penalty !== undefined)
		config.presencePenalty = further.presence_penalty;
	if (further.frequency_penalty !== undefined)
		config.frequencyPenalty = further.frequency_penalty;
	const { response_format, reasoning_effort } = further;
	const stop = [further.stop ?? []].flat();
	if (stop.length > stopMax) report(`stop=first ${stopMax}`);
	if (stop.length > 0) config.stopSequences = stop.slice(0, stopMax);
	if (response_format && response_format.type !== "text")
		config.responseMimeType = "application/json";
	if (response_format?.type === "json_schema")
		config.responseJsonSchema = withoutForeign(
			response_format.json_schema.schema ?? {},
		);
	if (reasoning_effort !== undefined) {
		const thinking = toThinking(model, reasoning_effort, report);
		if (thinking) config.thinkingConfig = thinking;
	}
	return config;
}

interface WireAnswer {
	candidates?: {
		content?: { parts?: Part[] };
		finishReason?: string;
		index?: number;
	}[];
	promptFeedback?: { blockReason?: string };
	usageMetadata?: {
		promptTokenCount?: number;
		toolUsePromptTokenCount?: number;
		candidatesTokenCount?: number;
		thoughtsTokenCount?: number;
		cachedContentTokenCount?: number;
	};
	error?: unknown;
}

const filtered =
	/^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_)/;

/** @throws Fault for the reasons that mean a failure */
function readFinish(reason: string, hasCalls: boolean): FinishReason {
	if (filtered.test(reason)) return "content_filter";
	if (reason === "MAX_TOKENS") return "length";
	// It says the same of an answer that ends in calls.
	if (reason === "STOP") return hasCalls ? "tool_calls" : "stop";
	throw new Fault("server", `gave up its answer (${reason})`);
}

function toUsage(wire: WireAnswer["usageMetadata"]): Usage | undefined {
	if (!wire) return undefined;
	return {
		promptTokens:
			(wire.promptTokenCount ?? 0) + (wire.toolUsePromptTokenCount ?? 0),
		// Thoughts are billed as output and counted beside it.
		completionTokens:
			(wire.candidatesTokenCount ?? 0) + (wire.thoughtsTokenCount ?? 0),
		cachedTokens: wire.cachedContentTokenCount,
		reasoningTokens: wire.thoughtsTokenCount,
	};
}

function toToolCall({ functionCall, thoughtSignature }: Part): ToolCall {
	const { id, name = "", args = {} } = functionCall ?? {};
	const text = JSON.stringify(args);
	const made = hash("sha256", `${name}${text}${performance.now()}`);
	const callId = id || `call_${made.slice(0, 24)}`;
	remember(callId, thoughtSignature);
	return {
		id: callId,
		type: "function",
		function: { name, arguments: text },
	};
}

function answer(body: unknown): Completion {
	const wire = (Array.isArray(body) ? body[0] : body) as WireAnswer | null;
	if (wire?.error) throw faultOfText(wire.error);
	const blocked = wire?.promptFeedback?.blockReason !== undefined;
	const candidates = wire?.candidates ?? [];
	if (candidates.length === 0 && !blocked)
		throw new Fault("server", "answered without a candidate");
	const choices = (candidates.length > 0 ? candidates : [{}]).map(
		(candidate: NonNullable<WireAnswer["candidates"]>[number], position) => {
			const parts = candidate.content?.parts ?? [];
			const text = (isThought: boolean) =>
				parts
					.filter(({ thought }) => Boolean(thought) === isThought)
					.map((part) => part.text ?? "")
					.join("");
			const calls = parts.filter((part) => part.functionCall).map(toToolCall);
			const content = text(false);
			return {
				index: candidate.index ?? position,
				message: {
					role: "assistant" as const,
					content: content === "" && calls.length > 0 ? null : content,
					refusal: null,
					...(text(true) !== "" && { reasoning_content: text(true) }),
					...(calls.length > 0 && { tool_calls: calls }),
				},
				logprobs: null,
				finish_reason: blocked
					? ("content_filter" as const)
					: readFinish(candidate.finishReason ?? "STOP", calls.length > 0),
			};
		},
	);
	return { choices, usage: toUsage(wire?.usageMetadata) };
}

function openReader(): Reader {
	const callsByChoice = new Map<number, number>();

	function toPieces(
		candidate: NonNullable<WireAnswer["candidates"]>[number],
	): Piece[] {
		const index = candidate.index ?? 0;
		const pieces: Piece[] = [];
		for (const part of candidate.content?.parts ?? []) {
			if (part.functionCall) {
				const position = callsByChoice.get(index) ?? 0;
				callsByChoice.set(index, position + 1);
				pieces.push({
					index,
					delta: { tool_calls: [{ index: position, ...toToolCall(part) }] },
				});
			} else if (part.text)
				pieces.push({
					index,
					delta: part.thought
						? { reasoning_content: part.text }
						: { content: part.text },
				});
		}
		const reason = candidate.finishReason;
		if (reason && reason !== "CONTINUATION")
			pieces.push({
				index,
				delta: {},
				finish: readFinish(reason, callsByChoice.has(index)),
			});
		return pieces;
	}

	return {
		read({ data }) {
			const event = parseEvent(data);
			const wire = (Array.isArray(event) ? event[0] : event) as WireAnswer;
			if (wire.error) throw faultOfText(wire.error);
			const usage = toUsage(wire.usageMetadata);
			if (wire.promptFeedback?.blockReason !== undefined)
				return {
					pieces: [{ index: 0, delta: {}, finish: "content_filter" }],
					usage,
				};
			return { pieces: (wire.candidates ?? []).flatMap(toPieces), usage };
		},
	};
}
