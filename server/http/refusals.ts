import type { Request } from "express";
import type { Logger } from "pino";
import { currentRequest } from "./request-id.ts";

/** Refusals that an operator looks for: sign-ins that failed, rights that are missing, conflicts, and too much. */
const notable = new Set([401, 403, 409, 413, 429]);

/**
 * Logs a request that was refused, in one line: the five statuses above at level info, other 4xx at debug. A 5xx is a
 * failure, which is logged with its cause instead.
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
		{ address: request.ip, method, path, status, ...whoOf() },
		isSignIn ? "Sign-in failed" : "Refused",
	);
}

/** Logs a session's beginning or end. One that was no session has no user, and no line. */
export function logSession(
	log: Logger,
	request: Request,
	userId: string | undefined,
	message: "Signed in" | "Signed out",
): void {
	if (userId !== undefined) log.info({ address: request.ip, userId }, message);
}

function whoOf(): { userId?: string } {
	const userId = currentRequest()?.userId;
	return userId === undefined ? {} : { userId };
}

/** The operation's path where there is one: some ids are secrets, and so is a query. */
function pathOf(request: Request): string {
	const { route, originalUrl } = request as Request & {
		route?: { path?: unknown };
	};
	if (typeof route?.path === "string") return route.path;
	return (originalUrl.split("?")[0] ?? "").slice(0, 200);
}
