import type { Request, Response } from "express";
import type { Logger } from "pino";
import { HttpError } from "./http-error.ts";

/** How often a stream says that it is still there. */
const heartbeatMs = 15_000;
/** A reader that is further behind than this has stopped reading: it costs the server memory. */
const unreadMaxBytes = 64_000;

/** Server-sent events to one reader, until they or the server leave. */
export interface EventStream {
	send(event: string, data: unknown): void;
	/** Ends it; a fault is logged. */
	fail(error: unknown): void;
}

interface StreamOptions {
	log: Logger;
	/** Aborts when the server closes; the stream ends then. */
	closing: AbortSignal;
	/** Begins to listen. @returns what ends it */
	listen(stream: EventStream): () => void;
	/** Whether the reader is still welcome, and whatever else is looked at now and then; what it throws ends the stream. */
	beat(stream: EventStream): Promise<void>;
}

/** The heartbeat keeps proxies from hanging up. */
export function openEventStream(
	request: Request,
	response: Response,
	{ log, closing, listen, beat }: StreamOptions,
): EventStream | undefined {
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"cache-control": "no-store",
		"x-accel-buffering": "no",
	});
	if (request.method === "HEAD") {
		response.end();
		return undefined;
	}
	// Whoever waits for it to open need not wait for the first event.
	response.flushHeaders();

	function write(text: string): void {
		// What was being read when the stream ended comes too late, and a write would be a fault of this program.
		if (response.writableEnded || response.destroyed) return;
		response.write(text);
		if (response.writableLength > unreadMaxBytes) response.destroy();
	}

	function fail(error: unknown): void {
		if (!(error instanceof HttpError)) log.error({ err: error });
		end();
	}

	/** One who has stopped reading closes late or never: nothing more is done for them. */
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
