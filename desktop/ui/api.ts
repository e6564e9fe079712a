import type { PauseCode } from "../../sync/protocol/errors.ts";
import {
	errorCodeHeader,
	errorFieldHeader,
} from "../../sync/protocol/request-errors.ts";
import { readRetryAfter } from "../../sync/protocol/retry-after.ts";

interface Details {
	waitMs: number;
	code: string | undefined;
	field: string | undefined;
}

/** An error response of the server, or status 0 if it can't be reached. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly status: number;
	/** How long the server asked the client to wait. */
	readonly waitMs: number;
	/** What the app words in the user's language; the message is for developers. */
	readonly code: string | undefined;
	/** The path of the request's wrong field. */
	readonly field: string | undefined;

	constructor(
		status: number,
		message: string,
		{ waitMs = 0, code, field }: Partial<Details> = {},
	) {
		super(message);
		this.status = status;
		this.waitMs = waitMs;
		this.code = code;
		this.field = field;
	}

	get isOffline(): boolean {
		return this.status === 0;
	}

	/** Nobody is signed in, or a user of another shop; signing in to this shop fixes it. */
	get isSessions(): boolean {
		return this.status === 401 || this.isOtherShops;
	}

	get isOtherShops(): boolean {
		return this.status === 403 && this.message === wrongBusiness;
	}
}

const wrongBusiness = "wrong_business";

/** Reports that the server refused the session to another part of this page. */
export function refuseSession(code: PauseCode): void {
	const error =
		code === wrongBusiness
			? new ApiError(403, wrongBusiness)
			: new ApiError(401, "Unauthorized");
	for (const listener of onRefused) listener(error);
}

const answerMs = 15_000;
export const businessHeader = "x-business-id";
/** A 401 from these is about the password in the request, not about the session. */
const passwordPaths = /^\/(login|api\/till\/(join|connect))$/;
const onRefused = new Set<(error: ApiError) => void>();

/** Calls back when the session has ended or belongs to another shop. @returns a function that stops it */
export function whenSessionRefused(
	listener: (error: ApiError) => void,
): () => void {
	onRefused.add(listener);
	return () => onRefused.delete(listener);
}

/** Headers for every request: they name this page's shop, so that the server refuses a session of another shop. */
export const pageHeaders: Record<string, string> = {};

export function nameBusiness(businessId: string | null): void {
	if (businessId === null) delete pageHeaders[businessHeader];
	else pageHeaders[businessHeader] = businessId;
}

interface AskOptions {
	timeoutMs?: number;
	/** The page's own shop by default; none for a caller who isn't in the shop yet. */
	headers?: Record<string, string>;
}

/**
 * Sends a request to the server with the session cookie.
 *
 * @throws ApiError
 */
export async function ask<T>(
	method: "GET" | "POST" | "PATCH" | "DELETE",
	path: string,
	body?: unknown,
	{ timeoutMs = answerMs, headers = pageHeaders }: AskOptions = {},
): Promise<T> {
	const response = await fetch(path, {
		method,
		credentials: "same-origin",
		signal: AbortSignal.timeout(timeoutMs),
		headers: {
			...headers,
			...(body === undefined ? {} : { "content-type": "application/json" }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	}).catch(unreachable);
	const answer: { error?: string } = await response.json().catch((cause) => {
		// A truncated response or a proxy's page isn't an answer.
		if (response.ok) unreachable(cause);
		return {};
	});
	if (response.ok) return answer as T;
	const error = new ApiError(
		response.status,
		answer.error ?? `The server answered ${response.status}`,
		detailsOf(response),
	);
	if (error.isSessions && !passwordPaths.test(path))
		for (const listener of onRefused) listener(error);
	throw error;
}

/** What the headers of an error response say. */
export function detailsOf({ headers }: Response): Details {
	const read = (name: string) => headers.get(name) ?? undefined;
	const field = read(errorFieldHeader);
	return {
		waitMs: readRetryAfter(read) ?? 0,
		code: read(errorCodeHeader),
		field: field === undefined ? undefined : decodeURIComponent(field),
	};
}

function unreachable(cause: unknown): never {
	throw Object.assign(new ApiError(0, "The server can't be reached"), {
		cause,
	});
}
