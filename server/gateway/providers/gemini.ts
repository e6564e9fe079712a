import {
	type ChatRequest,
	dataOf,
	instructionsOf,
	type Message,
	parseArguments,
	partsOf,
	type ToolCall,
	textOf,
} from "../chat.ts";
import { Fault } from "../fault.ts";
import { commonFields } from "./chat-completions.ts";
import { geminiEmbedder } from "./embedder.ts";
import { openReader } from "./gemini-answer.ts";
import { recallCall, unknownSignature } from "./gemini-calls.ts";
import type { Provider, ProviderCall } from "./provider.ts";

/** Google's generateContent API: contents made of parts, tool results matched by name, signed thoughts. */
export const gemini: Provider = {
	id: "google",
	name: "Google Gemini",
	baseUrl: "https://generativelanguage.googleapis.com/v1beta",
	takes: [...commonFields, "n", "reasoning_effort", "reasoning_summary"],
	// The key goes into a header, since URLs end up in logs.
	headers: (key = "") => ({ "x-goog-api-key": key }),
	lacks: ["image_url", "file_url"],
	toRequest: ask,
	openReader,
	embedder: geminiEmbedder,
};

export interface Part {
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

function ask(call: ProviderCall) {
	const { request, model, params, stream } = call;
	const { optional } = params;
	const system = instructionsOf(request.messages);
	const body: Record<string, unknown> = {
		contents: toContents(request.messages),
		generationConfig: toConfig(call),
	};
	if (system !== "") body.systemInstruction = { parts: [{ text: system }] };
	if (optional.tools?.length) {
		body.tools = [
			{
				functionDeclarations: optional.tools.map(({ function: declared }) => ({
					name: declared.name,
					description: declared.description,
					...(declared.parameters && {
						parametersJsonSchema: withoutForeign(declared.parameters),
					}),
				})),
			},
		];
		const calling = toCallingConfig(optional.tool_choice);
		if (calling) body.toolConfig = { functionCallingConfig: calling };
	}
	const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
	const name = encodeURIComponent(model.upstream_id);
	return { path: `/models/${name}:${method}`, body };
}

function toContents(messages: readonly Message[]): Content[] {
	const contents: Content[] = [];
	/** The calls of the turn that the results belong to. */
	let calls: ToolCall[] = [];
	const add = (role: Content["role"], parts: Part[]) => {
		const last = contents.at(-1);
		if (last?.role === role) last.parts.push(...parts);
		else if (parts.length > 0) contents.push({ role, parts });
	};
	for (const [position, message] of messages.entries()) {
		if (message.role === "user") add("user", toParts(message.content));
		else if (message.role === "assistant") {
			calls = message.tool_calls ?? [];
			add("model", [...toParts(message.content), ...calls.map(toCall)]);
		} else if (
			message.role === "tool" &&
			messages[position - 1]?.role !== "tool"
		)
			add("user", toResults(resultsFrom(messages, position), calls));
	}
	// Gemini refuses a conversation that is empty or doesn't begin with the user.
	if (contents[0]?.role !== "user")
		contents.unshift({ role: "user", parts: [{ text: "…" }] });
	return contents;
}

type Result = Extract<Message, { role: "tool" }>;

function resultsFrom(messages: readonly Message[], from: number): Result[] {
	const results: Result[] = [];
	for (const message of messages.slice(from)) {
		if (message.role !== "tool") break;
		results.push(message);
	}
	return results;
}

/** Signs the first of parallel calls; an unknown call came from another model, or its signature is lost. */
function toCall({ id, function: called }: ToolCall, position: number): Part {
	const known = recallCall(id);
	const signature = known
		? known.signature
		: position === 0
			? unknownSignature
			: undefined;
	return {
		functionCall: {
			...(known?.hasOwnId && { id }),
			name: called.name,
			args: parseArguments(called.arguments),
		},
		...(signature !== undefined && { thoughtSignature: signature }),
	};
}

/** Sorts results in the order of their calls, since Gemini matches results of the same name by position. */
function toResults(results: readonly Result[], calls: ToolCall[]): Part[] {
	const positionOf = ({ tool_call_id }: Result) => {
		const position = calls.findIndex(({ id }) => id === tool_call_id);
		return position < 0 ? calls.length : position;
	};
	return results
		.toSorted((a, b) => positionOf(a) - positionOf(b))
		.map((result) => {
			const id = result.tool_call_id;
			const text = textOf(result.content);
			const given = parseArguments(text);
			return {
				functionResponse: {
					...(recallCall(id)?.hasOwnId && { id }),
					name: calls[positionOf(result)]?.function.name ?? "tool",
					response: Object.keys(given).length > 0 ? given : { result: text },
				},
			};
		});
}

function toParts(content: Message["content"]): Part[] {
	return partsOf(content).flatMap((part): Part[] => {
		if (part.type === "text")
			return part.text === "" ? [] : [{ text: part.text }];
		const [url, what] =
			part.type === "file"
				? [part.file.file_data, "files"]
				: [part.image_url.url, "images"];
		const inline = dataOf(url);
		// Fetching it here would let a client reach into this network.
		if (!inline)
			throw new Fault("client", `takes ${what} as data: URLs only`, {
				param: "messages",
			});
		return [{ inlineData: { mimeType: inline.mediaType, data: inline.data } }];
	});
}

/** JSON Schema keywords that hold named schemas, and those that hold no schema. */
const named = new Set([
	"properties",
	"patternProperties",
	"dependentSchemas",
	"$defs",
	"definitions",
]);
const plain = new Set(["enum", "default", "examples", "example", "required"]);
/** Keywords that Gemini refuses. */
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
	return (
		typeof value === "object" &&
		value !== null &&
		!Array.isArray(value) &&
		!JSON.isRawJSON(value)
	);
}

function toCallingConfig(choice: ChatRequest["tool_choice"]) {
	if (choice === undefined) return undefined;
	if (typeof choice === "object")
		return { mode: "ANY", allowedFunctionNames: [choice.function.name] };
	if (choice === "none") return { mode: "NONE" };
	return { mode: choice === "auto" ? "AUTO" : "ANY" };
}

/** Token budgets by effort, for the generation that has no thinking levels. */
const budgetByEffort = new Map([
	["none", 0],
	["minimal", 512],
	["low", 1_024],
	["medium", 8_192],
	["high", 24_576],
]);

function toThinking({ model, params }: ProviderCall): object | undefined {
	const { reasoning_effort: effort, reasoning_summary } = params.optional;
	const thinking = {
		...(reasoning_summary !== undefined && { includeThoughts: true }),
		...(effort !== undefined &&
			(model.thinking?.by === "budget"
				? { thinkingBudget: budgetByEffort.get(effort) }
				: { thinkingLevel: effort.toUpperCase() })),
	};
	return Object.keys(thinking).length > 0 ? thinking : undefined;
}

function toConfig(call: ProviderCall): object {
	const { temperature, maxTokens, optional } = call.params;
	const config: Record<string, unknown> = { maxOutputTokens: maxTokens };
	if (temperature !== undefined) config.temperature = temperature;
	if (optional.top_p !== undefined) config.topP = optional.top_p;
	if (optional.seed !== undefined) config.seed = optional.seed;
	if (optional.n !== undefined && optional.n > 1)
		config.candidateCount = optional.n;
	if (optional.presence_penalty !== undefined)
		config.presencePenalty = optional.presence_penalty;
	if (optional.frequency_penalty !== undefined)
		config.frequencyPenalty = optional.frequency_penalty;
	const { response_format } = optional;
	const stop = [optional.stop ?? []].flat();
	if (stop.length > 0) config.stopSequences = stop;
	if (response_format && response_format.type !== "text")
		config.responseMimeType = "application/json";
	if (response_format?.type === "json_schema")
		config.responseJsonSchema = withoutForeign(
			response_format.json_schema.schema ?? {},
		);
	const thinking = toThinking(call);
	if (thinking) config.thinkingConfig = thinking;
	return config;
}
