import type * as z from "zod";
import { type ErrorCode, ShopError } from "./errors.ts";
import {
	type DigestAnswer,
	digestAnswer,
	type PullAnswer,
	type PushAnswer,
	pullAnswer,
	pushAnswer,
} from "./protocol.ts";

/**
 * How a replica reaches its server. Failures are ShopError `unreachable`, `unauthorized`, `too_large`, `storage_*`, with
 * `waitMs` where the server named a wait.
 */
export interface Transport {
	/** @param request a PushRequest as JSON */
	push(request: string): Promise<PushAnswer>;
	pull(cursor: string, limit: number): Promise<PullAnswer>;
	/** Calls back whenever the server's head moves, until the stream ends or `signal` aborts. */
	watch(onMove: (cursor: string) => void, signal: AbortSignal): Promise<void>;
	/** True where the server itself answers: not a captive portal, not a proxy's page. */
	isReachable(): Promise<boolean>;
}

export interface HttpTransport extends Transport {
	/** The server's own digest at its head. */
	digest(): Promise<DigestAnswer>;
}

export interface HttpOptions {
	/** `https://shop.example` */
	baseUrl: string;
	/** Asked before each request: a new sign-in changes it. */
	token(): string | undefined;
	fetch?: typeof fetch;
	timeoutMs?: number;
}

const codesByStatus: Record<number, ErrorCode> = {
	401: "unauthorized",
	413: "too_large",
	503: "storage_busy",
	507: "storage_full",
};

export function httpTransport({
	baseUrl,
	token,
	fetch: send = fetch,
	timeoutMs = 60_000,
}: HttpOptions): HttpTransport {
	async function request(
		path: string,
		init: RequestInit = {},
	): Promise<Response> {
		const headers = new Headers(init.headers);
		const bearer = token();
		if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
		try {
			return await send(new URL(path, baseUrl), {
				signal: AbortSignal.timeout(timeoutMs),
				...init,
				headers,
				cache: "no-store",
				// A redirect is never ours: it leads to somebody's sign-in page.
				redirect: "manual",
			});
		} catch (cause) {
			throw unreachable("The server can't be reached", cause);
		}
	}

	async function ask<Answer extends z.ZodType>(
		answer: Answer,
		path: string,
		init?: RequestInit,
	): Promise<z.output<Answer>> {
		const response = await request(path, init);
		const body = await readJson(response);
		if (!response.ok) throw refusalOf(response, body);
		const parsed = answer.safeParse(body);
		if (!parsed.success)
			throw unreachable("The answer is not a sync server's", parsed.error);
		return parsed.data;
	}

	return {
		push: (body) =>
			ask(pushAnswer, "/api/sync", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body,
			}),

		pull: (cursor, limit) =>
			ask(
				pullAnswer,
				`/api/sync?${new URLSearchParams({ cursor, limit: `${limit}` })}`,
			),

		digest: () => ask(digestAnswer, "/api/sync?digest=1"),

		async watch(onMove, signal) {
			const response = await request("/api/sync", {
				headers: { accept: "text/event-stream" },
				signal,
			});
			const type = response.headers.get("content-type") ?? "";
			if (!response.ok || !type.startsWith("text/event-stream"))
				throw refusalOf(response, await readJson(response));
			for await (const line of linesOf(response))
				if (line.startsWith("data:")) onMove(line.slice(5).trim());
		},

		async isReachable() {
			try {
				const response = await request("/healthz", {
					signal: AbortSignal.timeout(5_000),
				});
				const body = (await readJson(response)) as { ok?: unknown };
				return response.status === 200 && body.ok === true;
			} catch (error) {
				if (error instanceof ShopError) return false;
				throw error;
			}
		},
	};
}

/** @throws ShopError `unreachable` for anything that is not JSON: the server speaks nothing else */
async function readJson(response: Response): Promise<unknown> {
	try {
		return await response.json();
	} catch (cause) {
		throw unreachable(
			`Something other than the server answered (status ${response.status})`,
			cause,
		);
	}
}

function refusalOf(response: Response, body: unknown): ShopError {
	const { error } = (body ?? {}) as { error?: unknown };
	const message =
		typeof error === "string"
			? error
			: `The server answered ${response.status}`;
	const code = codesByStatus[response.status] ?? "unreachable";
	const waitMs = readRetryAfter(response.headers);
	return new ShopError(code, message, undefined, { waitMs });
}

/**
 * Seconds or a date (RFC 9110, section 10.2.3). A date is taken by the clock that it was written by, as a till's own may
 * be wrong.
 *
 * @returns milliseconds; undefined for a time that has passed, and for nonsense
 */
function readRetryAfter(headers: Headers): number | undefined {
	const value = headers.get("retry-after");
	if (value && /^\d+$/.test(value)) return Number(value) * 1_000;
	const waitMs = parseHttpDate(value) - parseHttpDate(headers.get("date"));
	return waitMs > 0 ? waitMs : undefined;
}

/** @returns NaN for anything else: `Date.parse` alone takes "-5" for a day in May */
function parseHttpDate(value: string | null): number {
	const at = new Date(value ?? "");
	return at.toUTCString() === value ? at.getTime() : Number.NaN;
}

function unreachable(message: string, cause: unknown): ShopError {
	return new ShopError("unreachable", message, undefined, { cause });
}

async function* linesOf(response: Response): AsyncGenerator<string> {
	let rest = "";
	const decoder = new TextDecoder();
	for await (const chunk of response.body ?? []) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
}
