import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { RequestHandler } from "express";
import { createServer } from "../../sync/platform/node-http.ts";
import {
	type ConnectionShares,
	shareConnections,
} from "./connection-shares.ts";
import { HttpError } from "./http-error.ts";

/** Limits on connections that have not yet sent a whole request. */
export interface ConnectionLimits extends ConnectionShares {
	/** Until a request's headers have arrived; for a connection's first request, from its start. */
	headersMs: number;
	/** Until the whole request has arrived. */
	requestMs: number;
	/** How often connections are checked against these timeouts. */
	checkMs: number;
}

/** At 140 kbit/s a till uploads a batch of 5 MB in five minutes. */
export const connectionLimits: ConnectionLimits = {
	connections: 4_000,
	perAddress: 1_000,
	headersMs: 20_000,
	requestMs: 300_000,
	checkMs: 5_000,
};

/** Creates an HTTP server that closes connections whose requests never end. */
export function openHttpServer(
	app: RequestListener,
	{ headersMs, requestMs, checkMs, ...shares }: ConnectionLimits,
): Server {
	const server = createServer(
		{
			headersTimeout: headersMs,
			requestTimeout: requestMs,
			connectionsCheckingInterval: checkMs,
			// `assertOneHost` checks the header instead, since Node's refusal has no body.
			requireHostHeader: false,
		},
		app,
	);
	shareConnections(server, shares);
	server.on("clientError", refuse);
	return server;
}

/** Refusals by the parser's error code; other codes give 400. */
const refusalByCode: Record<string, [status: string, message: string]> = {
	ERR_HTTP_REQUEST_TIMEOUT: [
		"408 Request Timeout",
		"The request took too long",
	],
	HPE_HEADER_OVERFLOW: [
		"431 Request Header Fields Too Large",
		"The URL and headers are too long",
	],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [
		"413 Payload Too Large",
		"Chunk extensions are too long",
	],
};

/** Answers input that never became a request, in the form of other failures (ERR-3). */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
	const [status, message] = refusalByCode[error.code ?? ""] ?? [
		"400 Bad Request",
		"Not an HTTP request",
	];
	const body = JSON.stringify({ error: message });
	// While a response is being sent, the client would take these bytes for a part of it.
	if (socket.writable && !isAnswering(socket))
		socket.write(
			`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
		);
	socket.destroy(error);
}

/** Node's documented check for a response in progress. */
function isAnswering(socket: Duplex): boolean {
	const { _httpMessage: response } = socket as Duplex & {
		_httpMessage?: { headersSent: boolean } | null;
	};
	return response?.headersSent === true;
}

/**
 * Refuses a request with no Host header, several, or a host in the request line, since a proxy may have judged another host
 * than the one used here (RFC 9112, section 3.2).
 */
export const assertOneHost: RequestHandler = (request, _response, next) => {
	let hosts = 0;
	for (let i = 0; i < request.rawHeaders.length; i += 2)
		if (request.rawHeaders[i]?.toLowerCase() === "host") hosts += 1;
	// An HTTP/1.0 health probe may omit the header.
	const isNameless = hosts === 0 && request.httpVersion === "1.0";
	if (hosts !== 1 && !isNameless)
		throw new HttpError(400, "Exactly one Host header is required");
	if (!request.url.startsWith("/"))
		throw new HttpError(400, "The request line must have a path, not a URL");
	next();
};
