import type { ChoiceDelta, Delta, FinishReason, Usage } from "../chat.ts";
import { parseArguments } from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { seal } from "../thoughts.ts";
import { wholeArguments } from "./chat-completions-answer.ts";
import type { AnswerReader, Chunk, ProviderCall } from "./provider.ts";
import { beginCall, continueCall } from "./tool-calls.ts";

interface WireItem {
	type?: string;
	call_id?: string;
	name?: string;
	arguments?: string;
	content?: { type?: string; text?: string; refusal?: string }[];
	summary?: { text?: string }[];
	encrypted_content?: string | null;
}

interface WireResponse {
	status?: string;
	output?: WireItem[];
	error?: unknown;
	incomplete_details?: { reason?: string } | null;
	usage?: {
		input_tokens?: number;
		output_tokens?: number;
		input_tokens_details?: {
			cached_tokens?: number;
			cache_write_tokens?: number;
		};
		output_tokens_details?: { reasoning_tokens?: number };
	} | null;
}

interface StreamEvent {
	type?: string;
	output_index?: number;
	summary_index?: number;
	delta?: string;
	logprobs?: unknown[];
	item?: WireItem;
	response?: WireResponse;
	error?: unknown;
}

/** What was passed on of an item, so that its whole form adds only the rest. */
interface Passed {
	text: string;
	/** Its position among the calls. */
	call?: number;
	isOver: boolean;
}

const finishByReason: Record<string, FinishReason> = {
	max_output_tokens: "length",
	content_filter: "content_filter",
};

/** A call that a model makes at times of a tool that nobody declared, for several calls at once. */
const bundle = /^(multi_tool_use\.)?parallel$/;

function readUsage(wire: WireResponse["usage"]): Usage | undefined {
	if (typeof wire?.input_tokens !== "number") return undefined;
	return {
		promptTokens: wire.input_tokens,
		completionTokens: wire.output_tokens ?? 0,
		cachedTokens: wire.input_tokens_details?.cached_tokens,
		cacheWriteTokens: wire.input_tokens_details?.cache_write_tokens,
		reasoningTokens: wire.output_tokens_details?.reasoning_tokens,
	};
}

/** Matches events by the index of their item, since some hosts change its id from event to event. */
export function openReader({ model, params }: ProviderCall): AnswerReader {
	const items = new Map<number, Passed>();
	const declared = new Set(
		params.optional.tools?.map(({ function: { name } }) => name),
	);
	let calls = 0;

	function passedOf(index: number): Passed {
		const passed = items.get(index) ?? { text: "", isOver: false };
		items.set(index, passed);
		return passed;
	}

	const say = (delta: Delta, logprobs?: unknown): ChoiceDelta[] =>
		Object.values(delta).every((text) => text === "")
			? []
			: [{ index: 0, delta, ...(logprobs !== undefined && { logprobs }) }];

	const isBundle = ({ name = "" }: WireItem) =>
		bundle.test(name) && !declared.has(name);

	function begin(index: number, item: WireItem): ChoiceDelta[] {
		const passed = passedOf(index);
		if (item.type !== "function_call" || passed.call !== undefined) return [];
		if (isBundle(item)) return [];
		passed.call = calls;
		calls += 1;
		return [beginCall(passed.call, item.call_id ?? `call_${index}`, item.name)];
	}

	/** Passes on what the deltas left out. */
	function rest(passed: Passed, whole: string): string {
		const more = whole.startsWith(passed.text)
			? whole.slice(passed.text.length)
			: "";
		passed.text += more;
		return more;
	}

	function end(index: number, item: WireItem): ChoiceDelta[] {
		const passed = passedOf(index);
		if (passed.isOver) return [];
		passed.isOver = true;
		if (item.type === "reasoning") return endThought(passed, item);
		if (item.type === "message") {
			const partOf = (name: "text" | "refusal") =>
				(item.content ?? []).map((part) => part[name] ?? "").join("");
			const refusal = passed.text === "" ? partOf("refusal") : "";
			return [
				...say({ content: rest(passed, partOf("text")) }),
				...say({ refusal }),
			];
		}
		if (item.type !== "function_call") return [];
		if (isBundle(item)) return unbundle(item);
		const begun = begin(index, item);
		const more = rest(passed, wholeArguments(item.arguments));
		return more === ""
			? begun
			: [...begun, continueCall(passed.call as number, more)];
	}

	function endThought(passed: Passed, item: WireItem): ChoiceDelta[] {
		const { summary = [], encrypted_content: sealed } = item;
		const whole = summary.map(({ text = "" }) => text).join("\n\n");
		return [
			...say({ reasoning_content: rest(passed, whole) }),
			...say({
				seal: sealed ? seal(model.id, { encrypted_content: sealed }) : "",
			}),
		];
	}

	function unbundle({ call_id, arguments: text = "" }: WireItem) {
		const { tool_uses } = parseArguments(text);
		const uses = Array.isArray(tool_uses) ? tool_uses : [];
		return uses.map((use: { recipient_name?: string; parameters?: object }) => {
			calls += 1;
			const name = String(use.recipient_name).replace(/^functions\./, "");
			const input = JSON.stringify(use.parameters ?? {});
			return beginCall(calls - 1, `${call_id}_${calls}`, name, input);
		});
	}

	function finish(response: WireResponse = {}): Chunk {
		const { output = [], status, incomplete_details, usage } = response;
		const deltas = output.flatMap((item, index) => end(index, item));
		const reason = incomplete_details?.reason ?? "";
		const isWhole = status === "completed";
		deltas.push({
			index: 0,
			delta: {},
			finish: isWhole
				? calls > 0
					? "tool_calls"
					: "stop"
				: (finishByReason[reason] ?? "length"),
			...(!isWhole && !finishByReason[reason] && { isUncertain: true }),
		});
		return { deltas, usage: readUsage(usage) };
	}

	function readDelta(event: StreamEvent, field: "content" | "refusal") {
		const { output_index = 0, delta = "", logprobs } = event;
		passedOf(output_index).text += delta;
		return say(
			{ [field]: delta },
			logprobs?.length ? { content: logprobs } : undefined,
		);
	}

	function read(event: StreamEvent): Chunk {
		const { output_index: index = 0, item = {}, delta = "" } = event;
		const passed = () => passedOf(index);
		switch (event.type) {
			case "error":
				throw faultOfText(event.error ?? event);
			case "response.failed":
				throw faultOfText(event.response?.error);
			case "response.output_item.added":
				return { deltas: begin(index, item) };
			case "response.output_item.done":
				return { deltas: end(index, item) };
			case "response.output_text.delta":
				return { deltas: readDelta(event, "content") };
			case "response.refusal.delta":
				return { deltas: readDelta(event, "refusal") };
			case "response.reasoning_summary_part.added": {
				if (!event.summary_index) return { deltas: [] };
				passed().text += "\n\n";
				return { deltas: say({ reasoning_content: "\n\n" }) };
			}
			case "response.reasoning_summary_text.delta": {
				passed().text += delta;
				return { deltas: say({ reasoning_content: delta }) };
			}
			case "response.function_call_arguments.delta": {
				const { call } = passed();
				if (call === undefined) return { deltas: [] };
				passed().text += delta;
				return { deltas: delta === "" ? [] : [continueCall(call, delta)] };
			}
			case "response.completed":
			case "response.incomplete":
				return finish(event.response);
			default:
				return { deltas: [] };
		}
	}

	return {
		read,

		readWhole(body) {
			const response = body as WireResponse;
			const { error, status, output } = response;
			if (error) throw faultOfText(error);
			if (!Array.isArray(output))
				throw new Fault("server", "answered without output");
			if (status === "failed" || status === "cancelled")
				throw new Fault("server", `aborted its answer (${status})`);
			return finish(response);
		},
	};
}
