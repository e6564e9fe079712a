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

const heartbeatMs = 15_000;
/** How long a client may leave sent data unread. */
const stallMs = 60_000;

/** Keep proxies from caching, changing or buffering a stream. */
export const streamHeaders = {
	"Content-Type": "text/event-stream; charset=utf-8",
	"Cache-Control": "no-cache, no-transform",
	"X-Accel-Buffering": "no",
};

/** Sends an answer as server-sent events; clients take a silent end for success, so one that breaks off says so. */
export async function sendEvents(
	response: ServerResponse,
	chunks: AsyncIterable<Chunk>,
	writer: EventWriter,
): Promise<void> {
	let spokenAt = performance.now();
	const heartbeat = setInterval(() => {
		if (performance.now() - spokenAt > heartbeatMs)
			response.write(": keep-alive\n\n");
	}, heartbeatMs);
	let last = "";
	try {
		for await (const chunk of chunks) {
			const text = writer.write(chunk);
			if (text === "") continue;
			spokenAt = performance.now();
			if (!response.write(text)) await waitForDrain(response);
			if (response.destroyed) return;
		}
		last = writer.end();
	} catch (error) {
		if (!response.destroyed) last = writer.fail(toGatewayError(error));
	} finally {
		clearInterval(heartbeat);
		response.end(last);
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
