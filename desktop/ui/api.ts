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
}

const answerMs = 15_000;
/** Their 401 is of the password that was sent along, here or to another server. */
const passwordPaths = /^\/(login|api\/till\/(join|connect))$/;
const onUnauthorized = new Set<() => void>();

/** Calls back when the session has ended. @returns a function that ends it */
export function whenUnauthorized(listener: () => void): () => void {
	onUnauthorized.add(listener);
	return () => onUnauthorized.delete(listener);
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
	timeoutMs = answerMs,
): Promise<T> {
	const response = await fetch(path, {
		method,
		credentials: "same-origin",
		signal: AbortSignal.timeout(timeoutMs),
		...(body === undefined
			? {}
			: {
					headers: { "content-type": "application/json" },
					body: JSON.stringify(body),
				}),
	}).catch(unreachable);
	const answer: { error?: string } = await response.json().catch((cause) => {
		// An answer that broke off, or that is somebody else's page, is none.
		if (response.ok) unreachable(cause);
		return {};
	});
	if (response.ok) return answer as T;
	if (response.status === 401 && !passwordPaths.test(path))
		for (const listener of onUnauthorized) listener();
	throw new ApiError(
		response.status,
		answer.error ?? `The server answered ${response.status}`,
		readWaitMs(response.headers),
	);
}

/** Retry-After: seconds, or the moment by the server's own clock. */
function readWaitMs(headers: Headers): number {
	const value = headers.get("retry-after") ?? "";
	const ms = /^\d+$/.test(value)
		? Number(value) * 1_000
		: Date.parse(value) - Date.parse(headers.get("date") ?? "");
	return ms > 0 ? ms : 0;
}

function unreachable(cause: unknown): never {
	throw Object.assign(new ApiError(0, "The server can't be reached"), {
		cause,
	});
}
