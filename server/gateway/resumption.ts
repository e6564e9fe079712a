import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import type { ChatRequest, ChoiceDelta } from "./chat.ts";
import { Fault } from "./fault.ts";
import type { Chunk } from "./providers/provider.ts";
import { findRest, type Way } from "./rejoin.ts";

/** What a caller has of a streamed answer. */
interface Told {
	readonly text: string;
	/** Whether another call can go on with it: tool calls, refusals and further choices can't be joined. */
	readonly isResumable: boolean;
	add(chunk: Chunk): void;
}

/** In characters. */
const toldMax = 16_000;

export function openTold({ request, rescue }: ChatCall): Told {
	let text = "";
	let isResumable =
		rescue !== "off" &&
		(request.n ?? 1) === 1 &&
		!request.logprobs &&
		request.messages.at(-1)?.role !== "assistant";
	return {
		get text() {
			return text;
		},
		get isResumable() {
			return isResumable && text.length <= toldMax;
		},
		add({ deltas }) {
			for (const { index, delta } of deltas) {
				if (text.length <= toldMax) text += delta.content ?? "";
				if (index > 0 || delta.tool_calls || delta.refusal) isResumable = false;
			}
		},
	};
}

const goOn =
	"Your answer was cut off there. Go on exactly where it stopped, without a remark: begin by repeating its last twelve words, then continue.";

/** How a model is asked for the rest of an answer. */
export function wayOf(
	{ response_format: format, reasoning_effort: effort }: ChatRequest,
	{ prefill }: Model,
	told: string,
): Way {
	// JSON begins with its first brace, so only the same JSON can be joined.
	const isText = format === undefined || format.type === "text";
	if (!isText || told.trim() === "") return "again";
	const thinks = effort !== undefined && effort !== "none";
	return prefill !== undefined && !thinks ? "continues" : "repeats";
}

/** The request for the rest of an answer. */
export function askOn(
	request: ChatRequest,
	way: Way,
	told: string,
): ChatRequest {
	if (way === "again") return request;
	// A turn to continue must not end with a space.
	const said = { role: "assistant" as const, content: told.trimEnd() };
	const asked = { role: "user" as const, content: goOn };
	return {
		...request,
		messages: [
			...request.messages,
			said,
			...(way === "repeats" ? [asked] : []),
		],
	};
}

/**
 * Leaves out of a second answer what the caller has already, and its thoughts.
 *
 * @returns reads a chunk; throws a Fault if the answer doesn't go on with that
 */
export function openJoint(told: string, way: Way): (chunk: Chunk) => Chunk {
	let heard = "";
	let isJoined = false;

	function join(isOver: boolean): string {
		const reading = findRest(told, heard, way, isOver);
		if (reading === "apart") throw apart();
		if (reading === "undecided") return "";
		isJoined = true;
		return reading.rest;
	}

	function joinDelta(choiceDelta: ChoiceDelta): ChoiceDelta {
		const { index, finish } = choiceDelta;
		const { reasoning_content: _, seal: __, ...delta } = choiceDelta.delta;
		if (isJoined) return { ...choiceDelta, delta };
		heard += delta.content ?? "";
		const content = join(
			finish !== undefined || delta.tool_calls !== undefined,
		);
		if (index > 0 || delta.refusal || (delta.tool_calls && !isJoined))
			throw apart();
		const { content: ___, ...others } = delta;
		return {
			...choiceDelta,
			delta: content === "" ? others : { ...others, content },
		};
	}

	return ({ deltas }) => ({
		deltas: deltas
			.map(joinDelta)
			.filter(({ delta, finish }) => finish || Object.keys(delta).length > 0),
	});
}

/** Nobody's failure, so it counts against nobody's health. */
function apart(): Fault {
	return new Fault("client", "did not go on where the answer had stopped");
}
