import type { Act, Wire } from "./wire-formats.ts";
import { completion, prompt, textOf, toData, words } from "./wire-formats.ts";

/** Renders an answer as OpenAI's Responses API does, and refuses what it refuses. */

// biome-ignore lint/suspicious/noExplicitAny: a stand-in inspects arbitrary request bodies
type Body = any;

const sealed = "sealed-by-openai";

/** An item, and the events between its beginning and its end. */
interface Item {
	whole: object;
	begun: object;
	deltas: [type: string, fields: object][];
}

function itemsOf(act: Act, { include = [], reasoning, tools }: Body): Item[] {
	const items: Item[] = [];
	const thought = reasoning?.summary ? (act.thought ?? "") : "";
	if (include.includes("reasoning.encrypted_content")) {
		const base = { id: "rs_1", type: "reasoning", encrypted_content: sealed };
		const summary = thought ? [{ type: "summary_text", text: thought }] : [];
		const part = { type: "summary_text", text: "" };
		items.push({
			whole: { ...base, summary },
			begun: { ...base, summary: [] },
			deltas: thought
				? [
						["reasoning_summary_part.added", { summary_index: 0, part }],
						...words(thought).map((delta): [string, object] => [
							"reasoning_summary_text.delta",
							{ summary_index: 0, delta },
						]),
					]
				: [],
		});
	}
	const text = textOf(act);
	if (text) {
		const base = { id: "msg_1", type: "message", role: "assistant" };
		const content = [{ type: "output_text", text, annotations: [] }];
		items.push({
			whole: { ...base, status: "completed", content },
			begun: { ...base, status: "in_progress", content: [] },
			deltas: words(text).map((delta) => [
				"output_text.delta",
				{ content_index: 0, delta, logprobs: [] },
			]),
		});
	}
	for (const { id, name, args } of tools ? (act.toolCalls ?? []) : []) {
		const whole = JSON.stringify(args);
		const half = Math.ceil(whole.length / 2);
		const base = { id: `fc_${id}`, type: "function_call", call_id: id, name };
		items.push({
			whole: { ...base, status: "completed", arguments: whole },
			begun: { ...base, status: "in_progress", arguments: "" },
			deltas: [whole.slice(0, half), whole.slice(half)].map((delta) => [
				"function_call_arguments.delta",
				{ delta },
			]),
		});
	}
	return items;
}

function toResponse(act: Act, model: string, output: object[]): object {
	const reason =
		act.finish === "length" ? "max_output_tokens" : (act.finish ?? "");
	const isWhole = !/max_output_tokens|content_filter/.test(reason);
	return {
		...{ id: "resp_upstream", object: "response", created_at: 1, model },
		status: isWhole ? "completed" : "incomplete",
		incomplete_details: isWhole ? null : { reason },
		...{ error: null, output },
		usage: {
			input_tokens: prompt(act),
			input_tokens_details: { cached_tokens: act.cachedTokens ?? 0 },
			output_tokens: completion(act),
			output_tokens_details: { reasoning_tokens: 2 },
			total_tokens: prompt(act) + completion(act),
		},
	};
}

export const responses: Wire = {
	whole: (act, model, body) =>
		toResponse(
			act,
			model,
			itemsOf(act, body).map(({ whole }) => whole),
		),
	events(act, model, body) {
		let sequence_number = 0;
		const event = (name: string, fields: object) => {
			const type = `response.${name}`;
			sequence_number += 1;
			return `event: ${type}\n${toData({ type, sequence_number, ...fields })}`;
		};
		const items = itemsOf(act, body);
		const response = { ...toResponse(act, model, []), status: "in_progress" };
		return [
			event("created", { response }),
			event("in_progress", { response }),
			...items.flatMap(({ begun, whole, deltas }, output_index) => [
				event("output_item.added", { output_index, item: begun }),
				...deltas.map(([name, fields], i) =>
					// Some hosts change an item's id from event to event.
					event(name, { output_index, item_id: `other_${i}`, ...fields }),
				),
				event("output_item.done", { output_index, item: whole }),
			]),
			// Some hosts leave the items out at the end.
			event(act.finish ? "incomplete" : "completed", {
				response: toResponse(act, model, []),
			}),
		];
	},
};

const fields = new Set(
	"model input stream stream_options include store reasoning text tools tool_choice parallel_tool_calls max_output_tokens temperature top_p user top_logprobs metadata prompt_cache_key safety_identifier".split(
		" ",
	),
);

/** @returns the refusal's message, or undefined to accept */
export function refusedByResponses(body: Body): string | undefined {
	const unknown = Object.keys(body).find((name) => !fields.has(name));
	if (unknown) return `Unknown parameter: '${unknown}'.`;
	if (body.max_output_tokens < 16)
		return "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.";
	for (const tool of body.tools ?? [])
		if (!tool.name || typeof tool.strict !== "boolean")
			return "Missing required parameter: 'tools[0].name'.";
	const calls = new Set<string>();
	for (const [i, item] of body.input.entries()) {
		const { type = "message", role, id, call_id, content } = item;
		if (id) return `Item with id '${id}' not found.`;
		if (type === "function_call") calls.add(call_id);
		else if (type === "function_call_output") {
			if (!calls.delete(call_id))
				return `No tool call found for function call output with call_id ${call_id}.`;
		} else if (type === "reasoning") {
			if (item.encrypted_content !== sealed)
				return "The encrypted content for item could not be verified.";
		} else if (type !== "message" || !/^(user|assistant|dev)/.test(role))
			return `Invalid value: '${type}' at input[${i}].`;
		else if (Array.isArray(content))
			for (const part of content)
				if (!/^input_/.test(part.type))
					return `Invalid value: '${part.type}'. Supported values are: 'input_text', 'input_image' and 'input_file'.`;
	}
	const [open] = calls;
	return open && `No tool output found for function call ${open}.`;
}
