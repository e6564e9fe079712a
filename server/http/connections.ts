import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Express, RequestHandler } from "express";
import {
	type ConnectionShares,
	shareConnections,
} from "./connection-shares.ts";
import { HttpError } from "./http-error.ts";

/** What a stranger may hold of the server before anything has been asked of it. */
export interface ConnectionLimits extends ConnectionShares {
	/** Until the headers of a request are there, counted from its connection for the first. */
	headersMs: number;
	/** Until all of a request is there. */
	requestMs: number;
	/** How often connections are looked at for these. */
	checkMs: number;
}

/** A batch of five megabytes arrives in five minutes where a till has 140 kbit a second. */
export const connectionLimits: ConnectionLimits = {
	connections: 4_000,
	perAddress: 1_000,
	headersMs: 20_000,
	requestMs: 300_000,
	checkMs: 5_000,
};

/** An HTTP server that is not held up by those who begin and never end. */
export function openHttpServer(
	app: Express,
	{ headersMs, requestMs, checkMs, ...shares }: ConnectionLimits,
): Server {
	const server = createServer(
		{
			headersTimeout: headersMs,
			requestTimeout: requestMs,
			connectionsCheckingInterval: checkMs,
			// Asked for below: what refuses it here has no body.
			requireHostHeader: false,
		},
		app,
	);
	shareConnections(server, shares);
	server.on("clientError", refuse);
	return server;
}

/** Why the parser gave a request up, by its code; all else is 400. */
const refusalByCode: Record<string, [status: string, message: string]> = {
	ERR_HTTP_REQUEST_TIMEOUT: [
		"408 Request Timeout",
		"The request took too long",
	],
	HPE_HEADER_OVERFLOW: [
		"431 Request Header Fields Too Large",
		"The address and the headers are too long",
	],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [
		"413 Payload Too Large",
		"Too much in a chunk",
	],
};

/** Answers what never became a request, as failures are answered (ERR-3). */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
	const [status, message] = refusalByCode[error.code ?? ""] ?? [
		"400 Bad Request",
		"Not an HTTP request",
	];
	const body = JSON.stringify({ error: message });
	// In the middle of an answer, these bytes would be taken for a part of it.
	if (socket.writable && !isAnswering(socket))
		socket.write(
			`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
		);
	socket.destroy(error);
}

/** Node's own way to know it, as its documentation gives it. */
function isAnswering(socket: Duplex): boolean {
	const { _httpMessage: response } = socket as Duplex & {
		_httpMessage?: { headersSent: boolean } | null;
	};
	return response?.headersSent === true;
}

/**
 * Refuses a request that names no host, several, or one in its first line: a proxy may have judged it by another than the
 * one that counts here (RFC 9112, section 3.2).
 */
export const assertOneHost: RequestHandler = (request, _response, next) => {
	let hosts = 0;
	for (let i = 0; i < request.rawHeaders.length; i += 2)
		if (request.rawHeaders[i]?.toLowerCase() === "host") hosts += 1;
	// A probe that speaks HTTP/1.0 may name none.
	const isNameless = hosts === 0 && request.httpVersion === "1.0";
	if (hosts !== 1 && !isNameless)
		throw new HttpError(400, "A request names one host");
	if (!request.url.startsWith("/"))
		throw new HttpError(400, "A request names a path and not an address");
	next();
};
