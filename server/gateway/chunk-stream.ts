import { type ChoiceDelta, toWireUsage, type Usage } from "./chat.ts";
import { toErrorBody } from "./errors.ts";
import type { EventWriter } from "./event-stream.ts";

/** The fields that all chunks of one answer share. */
interface ChunkHead {
	id: string;
	created: number;
	model: string;
	includeUsage: boolean;
}

/** Writes an answer's events, each a `chat.completion.chunk`, and `[DONE]`; one that breaks off ends with an `error` event. */
export function openChunkWriter(head: ChunkHead): EventWriter {
	const { id, created, model, includeUsage } = head;
	/** What all chunks begin with; a whole answer has none. */
	let opening: string | undefined;
	const closing = includeUsage ? ',"usage":null}\n\n' : "}\n\n";
	const begun = new Set<number>();
	let usage: Usage | undefined;

	function openChunk(): string {
		opening ??= `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model }).slice(0, -1)},"choices":`;
		return opening;
	}

	function toChunk({ index, delta, finish, logprobs }: ChoiceDelta): string {
		return `${openChunk()}[{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":${logprobs ? JSON.stringify(logprobs) : "null"},"finish_reason":${finish ? `"${finish}"` : "null"}}]${closing}`;
	}

	function toChunks(choiceDelta: ChoiceDelta): string {
		const { index, delta, finish } = choiceDelta;
		// Clients of this API have no place for it.
		if (delta.seal !== undefined) {
			const { seal: _, ...said } = delta;
			return toChunks({ ...choiceDelta, delta: said });
		}
		let text = "";
		if (!begun.has(index)) {
			begun.add(index);
			const first = { role: "assistant", content: "" } as const;
			text += toChunk({ index, delta: first });
		}
		const says = Object.keys(delta).length > 0;
		// OpenAI sends the finish reason in its own chunk after the last content.
		if (finish && says)
			return (
				text +
				toChunk({ ...choiceDelta, finish: undefined }) +
				toChunk({ index, delta: {}, finish })
			);
		return says || finish ? text + toChunk(choiceDelta) : text;
	}

	return {
		write(chunk) {
			usage = chunk.usage ?? usage;
			let text = "";
			for (const choiceDelta of chunk.deltas) text += toChunks(choiceDelta);
			return text;
		},
		end() {
			const counted = includeUsage
				? `${openChunk()}[],"usage":${JSON.stringify(toWireUsage(usage))}}\n\n`
				: "";
			return `${counted}data: [DONE]\n\n`;
		},
		fail({ status, message, details }) {
			const body = toErrorBody(status, message, details);
			return `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`;
		},
	};
}
