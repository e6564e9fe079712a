import type { Request } from "express";
import type { Logger } from "pino";
import { currentRequest } from "./request-id.ts";

/** Refusals that an operator looks for: failed sign-ins, missing rights, conflicts and exceeded limits. */
const notable = new Set([401, 403, 409, 413, 429]);

/**
 * Logs a refused request in one line: the five statuses above at level info, other 4xx at debug. A 5xx is a failure and is
 * logged with its cause instead.
 */
export function logRefusal(
	log: Logger,
	request: Request,
	status: number,
): void {
	if (status < 400 || status >= 500) return;
	const { method } = request;
	const path = pathOf(request);
	const isSignIn =
		status === 401 && (path === "/login" || path === "/api/auth/mobile-login");
	log[notable.has(status) ? "info" : "debug"](
		{ address: request.ip, method, path, status, ...userOf() },
		isSignIn ? "Sign-in failed" : "Refused",
	);
}

/** Logs the start or end of a session; without a user there was no session, and no line. */
export function logSession(
	log: Logger,
	request: Request,
	userId: string | undefined,
	message: "Signed in" | "Signed out",
): void {
	if (userId !== undefined) log.info({ address: request.ip, userId }, message);
}

function userOf(): { userId?: string } {
	const userId = currentRequest()?.userId;
	return userId === undefined ? {} : { userId };
}

/** The operation's path pattern, if it has one, since ids and query strings may hold secrets. */
function pathOf(request: Request): string {
	const { route, originalUrl } = request as Request & {
		route?: { path?: unknown };
	};
	if (typeof route?.path === "string") return route.path;
	return (originalUrl.split("?")[0] ?? "").slice(0, 200);
}
