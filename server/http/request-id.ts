import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";

export const requestIdHeader = "X-Request-Id";

interface CurrentRequest {
	id: string;
	/** The user of the credentials, also after a wrong password; undefined if unknown. */
	userId?: string;
}

const current = new AsyncLocalStorage<CurrentRequest>();
/** The ids accepted from a proxy: long enough for a UUID or a trace id, and safe in logs and headers. */
const wellFormed = /^[\w.:-]{8,128}$/;

/** The request that this async context handles, if any. */
export function currentRequest(): Readonly<CurrentRequest> | undefined {
	return current.getStore();
}

/** Notes the current request's user for the log. */
export function noteUser(userId: string | null | undefined): void {
	const request = current.getStore();
	if (request && userId) request.userId = userId;
}

/** Gives each request an id, from a trusted proxy or new, for its answer and its log lines. */
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
