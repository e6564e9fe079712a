import type { ChoiceDelta, Completion, Usage } from "../chat.ts";
import { parseArguments } from "../chat.ts";
import type { GatewayError } from "../errors.ts";
import { toErrorBody } from "../errors.ts";
import type { EventWriter } from "../event-stream.ts";
import type { Chunk } from "../providers/provider.ts";
import { thoughtsOf } from "../thoughts.ts";

/** One part of a message. */
interface OutputPart {
	type: "output_text" | "refusal";
	text?: string;
	annotations?: unknown[];
	logprobs?: unknown[];
	refusal?: string;
}

/** What a model said, thought or called. */
interface OutputItem {
	id: string;
	type: "message" | "reasoning" | "function_call" | "custom_tool_call";
	status?: "in_progress" | "completed" | "incomplete";
	role?: "assistant";
	content?: OutputPart[];
	summary?: { type: "summary_text"; text: string }[];
	encrypted_content?: string;
	call_id?: string;
	name?: string;
	arguments?: string;
	input?: string;
}

/** A response of the Responses API, of which the request gives most fields. */
export interface ResponseObject extends Record<string, unknown> {
	id: string;
	status: "in_progress" | "completed" | "incomplete" | "failed";
	output: OutputItem[];
}

interface Options {
	/** The response as it begins. */
	begun: ResponseObject;
	custom: ReadonlySet<string>;
	newId(prefix: string): string;
	/** The time in seconds. */
	now(): number;
	/** Called with a response that is over, before its last event. */
	over(response: ResponseObject): void;
}

const prefixes = {
	message: "msg",
	reasoning: "rs",
	function_call: "fc",
	custom_tool_call: "ctc",
};

/** Writes an answer in the form of the Responses API: as events, or as the response that they end with. */
export function openAnswerWriter(options: Options): EventWriter & {
	whole(completion: Completion): ResponseObject;
} {
	const { begun, custom, newId, now, over } = options;
	const output: OutputItem[] = [];
	const calls = new Map<number, OutputItem>();
	let sequence = 0;
	let text = "";
	/** The thought or message that goes on with the next delta. */
	let open: OutputItem | undefined;
	/** What the answer's limit ended. */
	let cutOff: OutputItem | undefined;
	let finish: ChoiceDelta["finish"];
	let usage: Usage | undefined;

	function tell(type: string, fields: object): void {
		text += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;
		sequence += 1;
	}

	function taken(): string {
		const events = text;
		text = "";
		return events;
	}

	function begin(): void {
		tell("response.created", { response: begun });
		tell("response.in_progress", { response: begun });
	}

	function add(type: OutputItem["type"], fields: Partial<OutputItem>) {
		const item: OutputItem = { id: newId(prefixes[type]), type, ...fields };
		output.push(item);
		tell("response.output_item.added", { output_index: indexOf(item), item });
		return item;
	}

	const indexOf = (item: OutputItem) => output.indexOf(item);
	const at = (item: OutputItem) => ({
		item_id: item.id,
		output_index: indexOf(item),
	});

	function done(item: OutputItem): void {
		if (item.status) item.status = item === cutOff ? "incomplete" : "completed";
		tell("response.output_item.done", { output_index: indexOf(item), item });
	}

	function close(): void {
		if (!open) return;
		if (open.summary) closeThought(open, open.summary);
		else closePart(open);
		done(open);
		open = undefined;
	}

	function closeThought(
		item: OutputItem,
		summary: NonNullable<OutputItem["summary"]>,
	): void {
		const place = { ...at(item), summary_index: 0 };
		const [part] = summary;
		if (!part) return;
		tell("response.reasoning_summary_text.done", {
			...place,
			text: part.text,
		});
		tell("response.reasoning_summary_part.done", { ...place, part });
	}

	function closePart(item: OutputItem): void {
		const part = item.content?.at(-1);
		if (!part) return;
		const place = placeOf(item);
		if (part.type === "refusal")
			tell("response.refusal.done", { ...place, refusal: part.refusal });
		else
			tell("response.output_text.done", {
				...place,
				text: part.text,
				logprobs: part.logprobs,
			});
		tell("response.content_part.done", { ...place, part });
	}

	const placeOf = (item: OutputItem) => ({
		...at(item),
		content_index: (item.content?.length ?? 1) - 1,
	});

	function openThought(): OutputItem {
		if (open?.summary) return open;
		close();
		open = add("reasoning", { summary: [] });
		return open;
	}

	function think(delta: string): void {
		const item = openThought();
		item.summary ??= [];
		const part = item.summary[0] ?? { type: "summary_text", text: "" };
		if (item.summary.length === 0) {
			tell("response.reasoning_summary_part.added", {
				...at(item),
				summary_index: 0,
				part,
			});
			item.summary.push(part);
		}
		part.text += delta;
		tell("response.reasoning_summary_text.delta", {
			...at(item),
			summary_index: 0,
			delta,
		});
	}

	function sealThought(sealed: string): void {
		openThought().encrypted_content = sealed;
		close();
	}

	/** Opens a part of that kind, in the message that is open or in a new one. */
	function partOf(type: OutputPart["type"]): [OutputItem, OutputPart] {
		if (!open?.content) {
			close();
			open = add("message", {
				status: "in_progress",
				role: "assistant",
				content: [],
			});
		}
		const item = open;
		const last = item.content?.at(-1);
		if (last?.type === type) return [item, last];
		closePart(item);
		const part: OutputPart =
			type === "refusal"
				? { type, refusal: "" }
				: { type, text: "", annotations: [], logprobs: [] };
		item.content?.push(part);
		tell("response.content_part.added", { ...placeOf(item), part });
		return [item, part];
	}

	function say(delta: string, logprobs: unknown[]): void {
		const [item, part] = partOf("output_text");
		part.text += delta;
		part.logprobs?.push(...logprobs);
		tell("response.output_text.delta", { ...placeOf(item), delta, logprobs });
	}

	function refuse(delta: string): void {
		const [item, part] = partOf("refusal");
		part.refusal += delta;
		tell("response.refusal.delta", { ...placeOf(item), delta });
	}

	function call({
		index,
		id,
		function: called,
	}: NonNullable<ChoiceDelta["delta"]["tool_calls"]>[number]): void {
		let item = calls.get(index);
		if (!item) {
			close();
			const name = called?.name ?? "";
			const isCustom = custom.has(name);
			item = add(isCustom ? "custom_tool_call" : "function_call", {
				status: "in_progress",
				call_id: id || newId("call"),
				name,
				...(isCustom ? { input: "" } : { arguments: "" }),
			});
			calls.set(index, item);
		}
		const delta = called?.arguments ?? "";
		if (delta === "") return;
		// The text of a custom tool is known only once its JSON is whole.
		if (item.type === "custom_tool_call") {
			item.input += delta;
			return;
		}
		item.arguments += delta;
		tell("response.function_call_arguments.delta", { ...at(item), delta });
	}

	function closeCall(item: OutputItem): void {
		if (item.type === "custom_tool_call") {
			item.input = String(parseArguments(item.input ?? "").input ?? "");
			const { input } = item;
			const name = "response.custom_tool_call_input";
			tell(`${name}.delta`, { ...at(item), delta: input });
			tell(`${name}.done`, { ...at(item), input });
		} else
			tell("response.function_call_arguments.done", {
				...at(item),
				arguments: item.arguments,
				name: item.name,
			});
		done(item);
	}

	function read(chunk: Chunk): void {
		usage = chunk.usage ?? usage;
		for (const { delta, logprobs, ...choice } of chunk.deltas) {
			if (delta.reasoning_content) think(delta.reasoning_content);
			if (delta.seal) sealThought(delta.seal);
			if (delta.content) say(delta.content, listOf(logprobs));
			if (delta.refusal) refuse(delta.refusal);
			for (const part of delta.tool_calls ?? []) call(part);
			finish = choice.finish ?? finish;
		}
	}

	function finished(): ResponseObject {
		// Clients expect a message, if only an empty one, from an answer without calls.
		if (calls.size === 0 && !output.some(({ type }) => type === "message"))
			partOf("output_text");
		const reason = reasonOf(finish);
		if (reason) cutOff = open ?? [...calls.values()].at(-1);
		close();
		for (const item of calls.values()) closeCall(item);
		return {
			...begun,
			status: reason ? "incomplete" : "completed",
			completed_at: reason ? null : now(),
			incomplete_details: reason ? { reason } : null,
			output,
			usage: toWireUsage(usage),
		};
	}

	return {
		write(chunk) {
			if (sequence === 0 && chunk.deltas.length > 0) begin();
			read(chunk);
			return taken();
		},

		end() {
			if (sequence === 0) begin();
			const response = finished();
			over(response);
			tell(`response.${response.status}`, { response });
			return taken();
		},

		fail({ status, message, details }: GatewayError) {
			if (sequence === 0) begin();
			const { error } = toErrorBody(status, message, details);
			// Some clients throw only at the one event, some read only the other.
			tell("error", { error });
			for (const item of output)
				if (item.status === "in_progress") item.status = "incomplete";
			const code = status === 429 ? "rate_limit_exceeded" : "server_error";
			const response: ResponseObject = {
				...begun,
				status: "failed",
				error: { code, message },
				output,
				usage: usage ? toWireUsage(usage) : null,
			};
			tell("response.failed", { response });
			return taken();
		},

		whole({ choices, usage: counted }) {
			const [choice] = choices;
			if (choice) {
				const { message, logprobs, finish_reason } = choice;
				const { content, refusal, tool_calls } = message;
				for (const { text: reasoning_content, seal } of thoughtsOf(message))
					read({ deltas: [{ index: 0, delta: { reasoning_content, seal } }] });
				const delta = {
					...(content && { content }),
					...(refusal && { refusal }),
					...(tool_calls && {
						tool_calls: tool_calls.map((one, index) => ({ ...one, index })),
					}),
				};
				read({
					deltas: [{ index: 0, delta, logprobs, finish: finish_reason }],
				});
			}
			usage = counted;
			const response = finished();
			over(response);
			return response;
		},
	};
}

function reasonOf(finish: ChoiceDelta["finish"]): string | undefined {
	if (finish === "length") return "max_output_tokens";
	return finish === "content_filter" ? finish : undefined;
}

function listOf(logprobs: unknown): unknown[] {
	if (typeof logprobs !== "object" || logprobs === null) return [];
	return "content" in logprobs && Array.isArray(logprobs.content)
		? logprobs.content
		: [];
}

function toWireUsage(
	of: Usage = { promptTokens: 0, completionTokens: 0 },
): object {
	return {
		input_tokens: of.promptTokens,
		input_tokens_details: {
			cached_tokens: of.cachedTokens ?? 0,
			cache_write_tokens: of.cacheWriteTokens ?? 0,
		},
		output_tokens: of.completionTokens,
		output_tokens_details: { reasoning_tokens: of.reasoningTokens ?? 0 },
		total_tokens: of.promptTokens + of.completionTokens,
	};
}
