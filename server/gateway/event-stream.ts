import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { toGatewayError } from "./answer-errors.ts";
import type { GatewayError } from "./errors.ts";
import type { Chunk } from "./providers/provider.ts";

/** Turns an answer into the text of server-sent events, as one API has them. */
export interface EventWriter {
	write(chunk: Chunk): string;
	end(): string;
	/** The end of an answer that breaks off. */
	fail(error: GatewayError): string;
}

/** Some clients give up a connection that is silent for longer than this. */
const heartbeatMs = 5_000;
/** How long a client may leave sent data unread. */
const stallMs = 60_000;

/** Keep proxies from caching, changing or buffering a stream. */
const streamHeaders = {
	"Content-Type": "text/event-stream; charset=utf-8",
	"Cache-Control": "no-cache, no-transform",
	"X-Accel-Buffering": "no",
	"X-Content-Type-Options": "nosniff",
};

interface Answer {
	headers: Record<string, string>;
	chunks: AsyncIterable<Chunk>;
	writer: EventWriter;
}

/**
 * Sends an answer as server-sent events; clients take a silent end for success, so one that breaks off says so. If its first
 * content is slow to come, the stream begins with comments, and then has the headers in a comment too.
 *
 * @param openWriter for a failure after that
 * @throws what `answer` rejects with before that
 */
export async function sendEvents(
	response: ServerResponse,
	answer: Promise<Answer>,
	openWriter: () => EventWriter,
): Promise<void> {
	let writer: EventWriter | undefined;
	let last = "";
	const heartbeat = setInterval(() => {
		if (response.destroyed) return;
		if (!response.headersSent) response.writeHead(200, streamHeaders);
		response.write(": keep-alive\n\n");
	}, heartbeatMs);
	try {
		const { headers, chunks, ...opened } = await answer;
		writer = opened.writer;
		if (response.headersSent) response.write(toComment(headers));
		else response.writeHead(200, { ...headers, ...streamHeaders });
		for await (const chunk of chunks) {
			if (chunk.resumedBy !== undefined)
				response.write(toComment({ "x-gateway-resumed-by": chunk.resumedBy }));
			const text = writer.write(chunk);
			if (text === "") continue;
			heartbeat.refresh();
			if (!response.write(text)) await waitForDrain(response);
			if (response.destroyed) return;
		}
		last = writer.end();
	} catch (error) {
		if (!response.headersSent) throw error;
		writer ??= openWriter();
		if (!response.destroyed) last = writer.fail(toGatewayError(error));
	} finally {
		clearInterval(heartbeat);
		if (response.headersSent) response.end(last);
	}
}

function toComment(fields: Record<string, string>): string {
	const lines = Object.entries(fields).map(
		([name, value]) => `: ${name}: ${value}\n`,
	);
	return `${lines.join("")}\n`;
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
