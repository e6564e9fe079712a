import type { Request, Response } from "express";
import type { Logger } from "pino";
import { HttpError } from "./http-error.ts";

/** How often a stream sends a comment to stay open. */
const heartbeatMs = 15_000;
/** A reader with more unread data than this has stopped reading and only costs memory. */
const unreadMaxBytes = 64_000;

/** Server-sent events to one reader, until the reader or the server closes the stream. */
export interface EventStream {
	send(event: string, data: unknown): void;
	/** Ends the stream and logs a fault. */
	fail(error: unknown): void;
}

interface StreamOptions {
	log: Logger;
	/** Aborts when the server closes, which ends the stream. */
	closing: AbortSignal;
	/** Starts sending events. @returns a function that stops it */
	listen(stream: EventStream): () => void;
	/** Runs at each heartbeat, such as to check the reader's access; an error ends the stream. */
	beat(stream: EventStream): Promise<void>;
}

/**
 * Opens a stream; its heartbeat keeps proxies from closing the connection.
 *
 * @returns undefined if there is nobody to send events to
 */
export function openEventStream(
	request: Request,
	response: Response,
	{ log, closing, listen, beat }: StreamOptions,
): EventStream | undefined {
	// The reader left while its access was checked; such a response emits no further `close` to stop at.
	if (response.destroyed) return undefined;
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"cache-control": "no-store",
		"x-accel-buffering": "no",
	});
	if (request.method === "HEAD") {
		response.end();
		return undefined;
	}
	// Lets the client see the stream open before the first event.
	response.flushHeaders();

	function write(text: string): void {
		// An event may arrive after the end, and a write would then throw.
		if (response.writableEnded || response.destroyed) return;
		response.write(text);
		if (response.writableLength > unreadMaxBytes) response.destroy();
	}

	function fail(error: unknown): void {
		if (!(error instanceof HttpError)) log.error({ err: error });
		end();
	}

	/** Stops at once, since a reader that has stopped reading closes late or never. */
	function end(): void {
		stop();
		response.end();
	}

	function stop(): void {
		forget();
		clearInterval(timer);
		closing.removeEventListener("abort", end);
	}

	const stream: EventStream = {
		send: (event, data) =>
			write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
		fail,
	};
	const forget = listen(stream);
	const timer = setInterval(() => {
		beat(stream)
			.then(() => write(": still here\n\n"))
			.catch(fail);
	}, heartbeatMs);
	closing.addEventListener("abort", end);
	response.on("close", stop);
	if (closing.aborted) end();
	return stream;
}
