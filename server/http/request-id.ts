import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";

export const requestIdHeader = "X-Request-Id";

interface CurrentRequest {
	id: string;
	/** Whose credentials it bears, or whose password it got wrong; undefined where that is not known. */
	userId?: string;
}

const current = new AsyncLocalStorage<CurrentRequest>();
/** What a proxy may have named it: enough for a UUID or a trace, and nothing that a log or a header could stumble over. */
const wellFormed = /^[\w.:-]{8,128}$/;

/** The request that is being worked on, if any. */
export function currentRequest(): Readonly<CurrentRequest> | undefined {
	return current.getStore();
}

/** Says who makes the current request, for the log. */
export function noteUser(userId: string | null | undefined): void {
	const request = current.getStore();
	if (request && userId) request.userId = userId;
}

/** Names each request in its answer and in its lines of the log: as a trusted proxy did, or anew. */
export function nameRequests(): RequestHandler {
	return (request, response, next) => {
		const { app, headers, socket } = request;
		const given = headers[requestIdHeader.toLowerCase()];
		const isTrusted =
			typeof given === "string" &&
			wellFormed.test(given) &&
			app.get("trust proxy fn")(socket.remoteAddress, 0);
		const id = isTrusted ? (given as string) : randomUUID();
		response.setHeader(requestIdHeader, id);
		current.run({ id }, next);
	};
}
