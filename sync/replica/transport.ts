import type * as z from "zod";
import { type ErrorCode, pauseAdvice, ShopError } from "../protocol/errors.ts";
import {
	assertSameBusiness,
	type DigestResponse,
	digestResponse,
	headEvent,
	type PullResponse,
	type PushResponse,
	pullResponse,
	pushResponse,
} from "../protocol/protocol.ts";
import { readRetryAfter } from "../protocol/retry-after.ts";
import { tolerant } from "../rows/tolerant.ts";

/**
 * How a replica reaches its business's server. Failures are ShopError `unreachable`, `unauthorized`, `wrong_business`,
 * `too_large`, `storage_*`, with `waitMs` where the server named a wait.
 */
export interface Transport {
	/** @param request a PushRequest as JSON */
	push(request: string): Promise<PushResponse>;
	pull(cursor: string, limit: number): Promise<PullResponse>;
	/** Calls back whenever the server's head moves, until the stream ends or `signal` aborts. */
	watch(onMove: (cursor: string) => void, signal: AbortSignal): Promise<void>;
	/** True where the server itself answers: not a captive portal, not a proxy's page. */
	isReachable(): Promise<boolean>;
}

/** One request, as a transport makes it; a redirect is not followed. */
export interface HttpRequest {
	method?: "POST";
	headers?: Record<string, string>;
	body?: string;
	signal: AbortSignal;
	/** Milliseconds in which nothing comes or goes, after which it is given up: a line may break without a word. */
	timeout: number;
}

/** An answer, whose body is yet to come. */
export interface HttpResponse {
	status: number;
	header(name: string): string | undefined;
	/** @throws where it breaks off, or is not packed as it says */
	readText(): Promise<string>;
	/** Its lines as they come, of a body that is not packed. */
	lines(): AsyncIterable<string>;
}

/** Asks a server. @throws whatever kept the answer from coming */
type SendRequest = (url: URL, question: HttpRequest) => Promise<HttpResponse>;

export interface HttpTransport extends Transport {
	/** The server's own digest at its head. */
	digest(): Promise<DigestResponse>;
}

export interface HttpOptions {
	/** `https://shop.example` */
	baseUrl: string;
	/** Named in each pull, and expected in each answer; a push names its own. */
	businessId: string;
	/** Asked before each request: a new sign-in changes it. */
	token(): string | undefined;
	/** How long an answer may take, and a stream be silent: four of the server's heartbeats. */
	timeoutMs?: number;
}

// The server may be newer or older than this program.
const readPush = readerOf(pushResponse);
const readPull = readerOf(pullResponse);
const readDigest = readerOf(digestResponse);
const parseHead = readerOf(headEvent);
const readHead = (text: string) => parseHead(JSON.parse(text));

function readerOf<T>(schema: z.ZodType<T>): (body: unknown) => T {
	const known = tolerant(schema);
	return (body) => known.parse(body);
}

const codesByStatus: Record<number, ErrorCode> = {
	401: "unauthorized",
	413: "too_large",
	503: "storage_busy",
	507: "storage_full",
};

/** A transport over HTTP, whatever carries that here. */
export function openTransport(
	ask: SendRequest,
	{ baseUrl, businessId, token, timeoutMs = 60_000 }: HttpOptions,
): HttpTransport {
	/** A redirect is not followed. It is never ours: it leads to somebody's sign-in page. */
	async function request(
		path: string,
		question: Partial<HttpRequest> = {},
	): Promise<HttpResponse> {
		const bearer = token();
		try {
			return await ask(new URL(path, baseUrl), {
				signal: AbortSignal.timeout(timeoutMs),
				timeout: timeoutMs,
				...question,
				headers: {
					"accept-encoding": "gzip",
					"cache-control": "no-cache",
					...question.headers,
					...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
				},
			});
		} catch (cause) {
			throw unreachable("The server can't be reached", cause);
		}
	}

	function syncPath(query: Record<string, string>): string {
		return `/api/sync?${new URLSearchParams({ businessId, ...query })}`;
	}

	async function exchange<T extends { businessId: string }>(
		read: (body: unknown) => T,
		path: string,
		question?: Partial<HttpRequest>,
	): Promise<T> {
		const answer = await request(path, question);
		const body = await readJson(answer);
		if (!isOk(answer)) throw refusalOf(answer, body);
		return parseOwn(read, body);
	}

	function parseOwn<Body, T extends { businessId: string }>(
		read: (body: Body) => T,
		body: Body,
	): T {
		let answer: T;
		try {
			answer = read(body);
		} catch (cause) {
			throw unreachable("The answer is not a sync server's", cause);
		}
		assertSameBusiness(businessId, answer.businessId);
		return answer;
	}

	return {
		push: (body) =>
			exchange(readPush, "/api/sync", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body,
			}),

		pull: (cursor, limit) =>
			exchange(readPull, syncPath({ cursor, limit: `${limit}` })),

		digest: () => exchange(readDigest, syncPath({ digest: "1" })),

		async watch(onMove, signal) {
			const answer = await request(syncPath({}), {
				// Unpacked as it comes.
				headers: {
					accept: "text/event-stream",
					"accept-encoding": "identity",
				},
				signal,
			});
			const type = answer.header("content-type") ?? "";
			if (!isOk(answer) || !type.startsWith("text/event-stream"))
				throw refusalOf(answer, await readJson(answer));
			for await (const line of answer.lines())
				if (line.startsWith("data:"))
					onMove(parseOwn(readHead, line.slice(5)).cursor);
		},

		async isReachable() {
			try {
				const answer = await request("/healthz", {
					signal: AbortSignal.timeout(5_000),
				});
				const body = (await readJson(answer)) as { ok?: unknown } | null;
				return answer.status === 200 && body?.ok === true;
			} catch (error) {
				if (error instanceof ShopError) return false;
				throw error;
			}
		},
	};
}

/** @throws ShopError `unreachable` for anything that is not JSON: the server speaks nothing else */
async function readJson(answer: HttpResponse): Promise<unknown> {
	try {
		return JSON.parse(await answer.readText());
	} catch (cause) {
		throw unreachable(
			`Something other than the server answered (status ${answer.status})`,
			cause,
		);
	}
}

function isOk({ status }: HttpResponse): boolean {
	return status >= 200 && status < 300;
}

function refusalOf({ status, header }: HttpResponse, body: unknown): ShopError {
	const { error } = (body ?? {}) as { error?: unknown };
	if (status === 403 && error === "wrong_business")
		return new ShopError(error, pauseAdvice.wrong_business);
	const message =
		typeof error === "string" ? error : `The server answered ${status}`;
	const code = codesByStatus[status] ?? "unreachable";
	const waitMs = readRetryAfter(header);
	return new ShopError(code, message, undefined, { waitMs });
}

function unreachable(message: string, cause: unknown): ShopError {
	return new ShopError("unreachable", message, undefined, { cause });
}

/** The lines of a body, as its pieces come. */
export async function* linesOf(
	pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
	let rest = "";
	const decoder = new TextDecoder();
	for await (const piece of pieces) {
		const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
}
