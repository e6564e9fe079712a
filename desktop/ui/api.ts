import type { PauseCode } from "../../sync/protocol/errors.ts";
import { readRetryAfter } from "../../sync/protocol/retry-after.ts";

/** A failure that the server explained, or that it could not be reached (status 0). */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly status: number;
	/** How long the server asked to be left alone. */
	readonly waitMs: number;

	constructor(status: number, message: string, waitMs = 0) {
		super(message);
		this.status = status;
		this.waitMs = waitMs;
	}

	get isOffline(): boolean {
		return this.status === 0;
	}

	/** Nobody is signed in, or somebody of another shop: signing in to this one mends it. */
	get isSessions(): boolean {
		return this.status === 401 || this.isOtherShops;
	}

	get isOtherShops(): boolean {
		return this.status === 403 && this.message === wrongBusiness;
	}
}

const wrongBusiness = "wrong_business";

/** Says that the server refused the session to somebody else of this page. */
export function refuseSession(code: PauseCode): void {
	const error =
		code === wrongBusiness
			? new ApiError(403, wrongBusiness)
			: new ApiError(401, "Unauthorized");
	for (const listener of onRefused) listener(error);
}

const answerMs = 15_000;
const businessHeader = "x-business-id";
/** Their 401 is of the password that was sent along, here or to another server. */
const passwordPaths = /^\/(login|api\/till\/(join|connect))$/;
const onRefused = new Set<(error: ApiError) => void>();

/** Calls back when the session has ended, or is another shop's. @returns a function that ends it */
export function whenSessionRefused(
	listener: (error: ApiError) => void,
): () => void {
	onRefused.add(listener);
	return () => onRefused.delete(listener);
}

/** The headers of every request: the shop that this page shows, so that the server refuses it to a session of another. */
export const pageHeaders: Record<string, string> = {};

export function nameBusiness(businessId: string | null): void {
	if (businessId === null) delete pageHeaders[businessHeader];
	else pageHeaders[businessHeader] = businessId;
}

interface AskOptions {
	timeoutMs?: number;
	/** The page's own, unless whoever asks is not of its shop yet. */
	headers?: Record<string, string>;
}

/**
 * Asks the server, with the session's cookie.
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
		// An answer that broke off, or that is somebody else's page, is none.
		if (response.ok) unreachable(cause);
		return {};
	});
	if (response.ok) return answer as T;
	const error = new ApiError(
		response.status,
		answer.error ?? `The server answered ${response.status}`,
		readRetryAfter((name) => response.headers.get(name)) ?? 0,
	);
	if (error.isSessions && !passwordPaths.test(path))
		for (const listener of onRefused) listener(error);
	throw error;
}

function unreachable(cause: unknown): never {
	throw Object.assign(new ApiError(0, "The server can't be reached"), {
		cause,
	});
}
