import { expect, test } from "vitest";
import { readCatalogue } from "../catalogue.ts";
import { Fault } from "../fault.ts";
import { openReader } from "./openai-responses-answer.ts";
import type { ProviderCall } from "./provider.ts";

const { models } = readCatalogue(import.meta.dirname);
const model = models.find(({ id }) => id === "openai/gpt-6-luna");

function open() {
	if (!model) throw new Error("The catalogue lacks it");
	const call: ProviderCall = {
		request: { model: model.id, messages: [] },
		...{ model, stream: true, businessId: "", report: () => {} },
		params: { maxTokens: 9, optional: {} },
	};
	return openReader(call);
}

const at = (output_index: number, fields: object) => ({
	output_index,
	...fields,
});
const read = (events: object[]) => {
	const reader = open();
	return events.flatMap((event) => reader.read(event).deltas);
};
const completed = {
	type: "response.completed",
	response: { status: "completed", output: [] },
};

test("what a host leaves out of the deltas comes from the whole item", () => {
	const call = { type: "function_call", call_id: "c", name: "look" };
	expect(
		read([
			at(0, {
				type: "response.output_text.delta",
				delta: "One",
				item_id: "a",
			}),
			at(0, {
				type: "response.output_item.done",
				item: {
					type: "message",
					content: [{ type: "output_text", text: "One two" }],
				},
			}),
			at(1, { type: "response.output_item.added", item: call }),
			at(1, { type: "response.function_call_arguments.delta", delta: '{"a"' }),
			at(1, {
				type: "response.output_item.done",
				item: { ...call, arguments: '{"a":1}' },
			}),
			{
				type: "response.completed",
				response: {
					status: "completed",
					output: [{}, {}, { ...call, call_id: "d", arguments: "" }],
				},
			},
		]).map(({ delta, finish }) => finish ?? delta),
	).toEqual([
		{ content: "One" },
		{ content: " two" },
		{
			tool_calls: [
				{
					index: 0,
					id: "c",
					type: "function",
					function: { name: "look", arguments: "" },
				},
			],
		},
		{ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
		{ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
		{
			tool_calls: [
				{
					index: 1,
					id: "d",
					type: "function",
					function: { name: "look", arguments: "" },
				},
			],
		},
		{ tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
		"tool_calls",
	]);
});

test("calls that a model bundles for a tool that nobody declared are told apart", () => {
	const uses = ["milk", "bread"].map((sku) => ({
		...{ recipient_name: "functions.look", parameters: { sku } },
	}));
	const item = {
		...{ type: "function_call", call_id: "c" },
		name: "multi_tool_use.parallel",
	};
	const text = JSON.stringify({ tool_uses: uses });
	const deltas = read([
		at(0, { type: "response.output_item.added", item }),
		at(0, { type: "response.function_call_arguments.delta", delta: text }),
		at(0, {
			type: "response.output_item.done",
			item: { ...item, arguments: text },
		}),
		completed,
	]);
	expect(
		deltas.flatMap(
			({ delta }) => delta.tool_calls?.map((it) => it.function) ?? [],
		),
	).toEqual(
		["milk", "bread"].map((sku) => ({
			...{ name: "look", arguments: JSON.stringify({ sku }) },
		})),
	);
	expect(deltas.at(-1)?.finish).toBe("tool_calls");
});

test.each([
	[
		{ type: "error", error: { code: "insufficient_quota", message: "x" } },
		"quota",
	],
	[{ type: "error", code: "rate_limit_exceeded", message: "x" }, "overload"],
	[
		{
			type: "response.failed",
			response: {
				error: {
					code: "rate_limit_exceeded",
					message: "Request too large for gpt on tokens per min (TPM)",
				},
			},
		},
		"context",
	],
	[
		{ type: "response.failed", response: { error: { code: "server_error" } } },
		"server",
	],
])("the failure %j is of its kind", (event, kind) => {
	let caught: unknown;
	try {
		open().read(event);
	} catch (error) {
		caught = error;
	}
	expect(caught).toBeInstanceOf(Fault);
	expect(caught).toMatchObject({ kind });
});

test.each([
	["max_output_tokens", "length"],
	["content_filter", "content_filter"],
])("an answer that is incomplete by %s ends so", (reason, finish) => {
	const [, end] = read([
		at(0, { type: "response.refusal.delta", delta: "No" }),
		{
			type: "response.incomplete",
			response: { status: "incomplete", incomplete_details: { reason } },
		},
	]);
	expect(end).toMatchObject({ finish });
	expect(end).not.toHaveProperty("isUncertain");
});
