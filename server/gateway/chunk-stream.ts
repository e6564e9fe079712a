import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type ChoiceDelta, toWireUsage, type Usage } from "./chat.ts";
import { type GatewayError, toErrorBody } from "./errors.ts";
import type { Chunk } from "./providers/provider.ts";

/** The fields that all chunks of one answer share. */
interface ChunkHead {
	id: string;
	created: number;
	model: string;
	includeUsage: boolean;
}

const heartbeatMs = 15_000;
/** How long a client may leave sent data unread. */
const stallMs = 60_000;

/** Keep proxies from caching, changing or buffering a stream. */
export const streamHeaders = {
	"Content-Type": "text/event-stream; charset=utf-8",
	"Cache-Control": "no-cache, no-transform",
	"X-Accel-Buffering": "no",
};

/**
 * Writes an answer as server-sent events, each a `chat.completion.chunk`, and `[DONE]`. An answer that breaks off ends with
 * an `error` event, since clients take a silent end for success.
 */
export async function writeStream(
	response: ServerResponse,
	chunks: AsyncIterable<Chunk>,
	head: ChunkHead,
	toError: (error: unknown) => GatewayError,
): Promise<void> {
	const { id, created, model, includeUsage } = head;
	const opening = `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model }).slice(0, -1)},"choices":`;
	const closing = includeUsage ? ',"usage":null}\n\n' : "}\n\n";
	const begun = new Set<number>();
	let usage: Usage | undefined;
	let spokenAt = performance.now();
	const heartbeat = setInterval(() => {
		if (performance.now() - spokenAt > heartbeatMs)
			response.write(": keep-alive\n\n");
	}, heartbeatMs);

	function toChunk({ index, delta, finish, logprobs }: ChoiceDelta): string {
		return `${opening}[{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":${JSON.stringify(logprobs ?? null)},"finish_reason":${finish ? `"${finish}"` : "null"}}]${closing}`;
	}

	function toChunks(choiceDelta: ChoiceDelta): string {
		const { index, delta, finish } = choiceDelta;
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

	try {
		for await (const chunk of chunks) {
			usage = chunk.usage ?? usage;
			const text = chunk.deltas.map(toChunks).join("");
			if (text === "") continue;
			spokenAt = performance.now();
			if (!response.write(text)) await waitForDrain(response);
			if (response.destroyed) return;
		}
		if (includeUsage)
			response.write(
				`${opening}[],"usage":${JSON.stringify(toWireUsage(usage))}}\n\n`,
			);
	} catch (error) {
		if (response.destroyed) return;
		const { status, message, details } = toError(error);
		const body = toErrorBody(status, message, details);
		response.write(`data: ${JSON.stringify(body)}\n\n`);
	} finally {
		clearInterval(heartbeat);
		response.end("data: [DONE]\n\n");
	}
}

/** Waits until the client has read more, and destroys the response if it stops reading. */
async function waitForDrain(response: ServerResponse): Promise<void> {
	const over = new AbortController();
	const { signal } = over;
	const timer = setTimeout(() => over.abort(), stallMs);
	await Promise.race([
		once(response, "drain", { signal }),
		once(response, "close", { signal }),
	]).catch(() => response.destroy());
	clearTimeout(timer);
	// Removes the other event's listener.
	over.abort();
}
