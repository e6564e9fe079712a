import type { Express, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { SyncServer } from "../sync/shop.ts";
import type { Gate } from "./auth/identity.ts";
import type { Passwords } from "./auth/passwords.ts";
import type { Tokens } from "./auth/tokens.ts";
import { HttpError } from "./errors.ts";
import type { ReleaseHost } from "./releases/upstream.ts";

/** What a resource's file is given. */
export interface Deps {
	shop: SyncServer;
	gate: Gate;
	tokens: Tokens;
	passwords: Passwords;
	adminEmails: ReadonlySet<string>;
	releaseHost: ReleaseHost;
	log: Logger;
	/** Aborts when the server closes: streams end then. */
	closing: AbortSignal;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";
export type Handler = (
	request: Request<Record<string, string>>,
	response: Response,
) => Promise<void>;
/** Handlers by path and method. */
export type Routes = Record<string, Partial<Record<Method, Handler>>>;

/** Mounts each path; any other method on it is answered 405 with what is allowed. */
export function mount(app: Express, routes: Routes): void {
	for (const [path, handlers] of Object.entries(routes)) {
		const methods = Object.keys(handlers) as Method[];
		const allowed = methods.flatMap((method) =>
			method === "GET" ? ["GET", "HEAD"] : [method],
		);
		const handle: RequestHandler<Record<string, string>> = async (
			request,
			response,
		) => {
			const method = request.method === "HEAD" ? "GET" : request.method;
			const handler = handlers[method as Method];
			if (handler) {
				await handler(request, response);
				return;
			}
			response.set("Allow", allowed.join(", "));
			throw new HttpError(405, "Method not allowed");
		};
		app.all(path, handle);
	}
}

/** A query parameter, where it was given once and as text. */
export function queryText(request: Request, name: string): string | undefined {
	const value = request.query[name];
	return typeof value === "string" && value !== "" ? value : undefined;
}

/** A whole number that is not negative, or the default for anything else. */
export function queryCount(
	request: Request,
	name: string,
	ifAbsent: number,
): number {
	const value = Number.parseInt(queryText(request, name) ?? "", 10);
	return Number.isSafeInteger(value) && value >= 0 ? value : ifAbsent;
}
