import type * as z from "zod";
import { compactType, fromCompact, toCompact } from "../protocol/compact.ts";
import { type ErrorCode, pauseAdvice, ShopError } from "../protocol/errors.ts";
import {
	answerResponse,
	assertSameBusiness,
	type BlockRowsResponse,
	type BlocksResponse,
	blockRowsResponse,
	blocksResponse,
	type DigestResponse,
	digestResponse,
	headEvent,
	type OlderFactsResponse,
	type OlderSalesRequest,
	type OlderSalesResponse,
	olderFactsResponse,
	olderSalesResponse,
	type PullResponse,
	type PushResponse,
	pullResponse,
	pushResponse,
	type SnapshotResponse,
	snapshotResponse,
} from "../protocol/protocol.ts";
import { readRetryAfter } from "../protocol/retry-after.ts";
import { tolerant } from "../rows/tolerant.ts";

/**
 * A replica's connection to its business's server. Failures are ShopError `unreachable`, `unauthorized`,
 * `wrong_business`, `too_large` or `storage_*`, with `waitMs` if the server named a wait.
 */
export interface Transport extends Partial<Comparison> {
	/** @param request a PushRequest as JSON */
	push(request: string): Promise<PushResponse>;
	pull(cursor: string, limit: number): Promise<PullResponse>;
	/**
	 * Fetches a part of a snapshot, to join by.
	 *
	 * @param cursor of the snapshot of the parts before; empty for any
	 * @returns undefined if the server has no snapshots
	 */
	snapshot?(
		cursor: string,
		part: number,
	): Promise<SnapshotResponse | undefined>;
	/** Fetches the block of facts that ends at a version. */
	olderFacts?(
		cursor: string,
		upTo: number,
		window: number,
	): Promise<OlderFactsResponse>;
	/**
	 * Fetches what a till with a window needs from before it, or one sale.
	 *
	 * @returns undefined if the server knows no windows
	 */
	olderSales?(
		request: OlderSalesRequest,
	): Promise<OlderSalesResponse | undefined>;
	/** Asks the server a query that a till may leave to it. */
	answer?(query: string, args: unknown): Promise<unknown>;
	/** Calls back at each move of the server's head, until the stream ends or `signal` aborts. */
	watch(onMove: (cursor: string) => void, signal: AbortSignal): Promise<void>;
	/** Resolves to true if the server itself answers, and not a captive portal or a proxy. */
	isReachable(): Promise<boolean>;
}

/** One HTTP request. Redirects are not followed. */
export interface HttpRequest {
	method?: "POST";
	headers?: Record<string, string>;
	body?: string | Uint8Array<ArrayBuffer>;
	signal: AbortSignal;
	/** Milliseconds without any data, after which the request fails: a connection may break silently. */
	timeout: number;
}

/** A response whose body has not been read. */
export interface HttpResponse {
	status: number;
	header(name: string): string | undefined;
	/** @throws if it breaks off, or its compression is invalid */
	readBytes(): Promise<Uint8Array>;
	/** The lines of an uncompressed body as they arrive. */
	lines(): AsyncIterable<string>;
}

/**
 * Sends a request.
 *
 * @throws any error that prevented a response
 */
type SendRequest = (url: URL, question: HttpRequest) => Promise<HttpResponse>;

/** What a comparison asks of a server. */
export interface Comparison {
	/** The server's digest at its head. @param window facts up to this version don't count */
	digest(window?: number): Promise<DigestResponse>;
	/** The digest with the sum of each block of versions. */
	blocks(window?: number): Promise<BlocksResponse>;
	/** The rows of a block. */
	blockRows(block: number): Promise<BlockRowsResponse>;
}

export type HttpTransport = Transport & Comparison;

export interface HttpOptions {
	/** `https://shop.example` */
	baseUrl: string;
	/** Sent with each pull, and expected in each answer. A push names its own. */
	businessId: string;
	/** Read before each request, because a new sign-in changes it. */
	token(): string | undefined;
	/** Milliseconds for an answer, and for silence of a stream. Default: four of the server's heartbeats. */
	timeoutMs?: number;
}

// The server may be newer or older than this program.
const readPush = readerOf(pushResponse);
const readPull = readerOf(pullResponse);
const readSnapshot = readerOf(snapshotResponse);
const readOlderFacts = readerOf(olderFactsResponse);
const readOlderSales = readerOf(olderSalesResponse);
const readAnswerTo = readerOf(answerResponse);
const readDigest = readerOf(digestResponse);
const readBlocks = readerOf(blocksResponse);
const readBlockRows = readerOf(blockRowsResponse);
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

/** Opens a transport over HTTP, with any implementation of requests. */
export function openTransport(
	ask: SendRequest,
	{ baseUrl, businessId, token, timeoutMs = 60_000 }: HttpOptions,
): HttpTransport {
	/** Whether the server reads the compact form, and gzip. */
	let isCompactRead = false;

	/** Sends a request without following redirects, which only lead to other servers' sign-in pages. */
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
					accept: `${compactType}, application/json`,
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

	function syncPath(query: Record<string, string>, below = ""): string {
		const params = new URLSearchParams({ businessId, ...query });
		return `/api/sync${below}?${params}`;
	}

	const digestPath = (digest: string, window = 0) =>
		syncPath({ digest, ...(window > 0 && { window: `${window}` }) });

	async function exchange<T extends { businessId: string }>(
		read: (body: unknown) => T,
		path: string,
		question?: Partial<HttpRequest>,
	): Promise<T> {
		return readAnswer(read, await request(path, question));
	}

	/** @returns undefined if the server is older than the path */
	async function exchangeIfKnown<T extends { businessId: string }>(
		read: (body: unknown) => T,
		path: string,
	): Promise<T | undefined> {
		const answer = await request(path);
		if (answer.status !== 404) return readAnswer(read, answer);
		await readJson(answer);
		return undefined;
	}

	async function readAnswer<T extends { businessId: string }>(
		read: (body: unknown) => T,
		answer: HttpResponse,
	): Promise<T> {
		// An older program may have taken the server's place.
		if (!isOk(answer)) isCompactRead = false;
		else if (answer.header("accept-post") === compactType) isCompactRead = true;
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
		async push(text) {
			const compact = isCompactRead ? toCompact(text) : undefined;
			const gzip = isCompactRead && !compact ? await toGzip(text) : undefined;
			return exchange(readPush, "/api/sync", {
				method: "POST",
				headers: {
					"content-type": compact ? compactType : "application/json",
					...(gzip && { "content-encoding": "gzip" }),
				},
				body: compact ?? gzip ?? text,
			});
		},

		pull: (cursor, limit) =>
			exchange(readPull, syncPath({ cursor, limit: `${limit}` })),

		snapshot: (cursor, part) =>
			exchangeIfKnown(
				readSnapshot,
				syncPath({ cursor, part: `${part}` }, "/snapshot"),
			),

		olderFacts: (cursor, upTo, window) =>
			exchange(
				readOlderFacts,
				syncPath(
					{ cursor, upTo: `${upTo}`, window: `${window}` },
					"/older-facts",
				),
			),

		olderSales: (asked) =>
			exchangeIfKnown(
				readOlderSales,
				syncPath({ ...asked } as Record<string, string>, "/older-sales"),
			),

		async answer(query, args) {
			const asked = { query, args: JSON.stringify(args) };
			const path = syncPath(asked, "/answer");
			const found = await exchangeIfKnown(readAnswerTo, path);
			if (!found) throw new ShopError("not_found", "Not found on the server");
			return found.answer;
		},

		digest: (window) => exchange(readDigest, digestPath("1", window)),

		blocks: (window) => exchange(readBlocks, digestPath("blocks", window)),

		blockRows: (block) =>
			exchange(readBlockRows, syncPath({ digest: "rows", block: `${block}` })),

		async watch(onMove, signal) {
			const answer = await request(syncPath({}), {
				// Uncompressed, because it is read as it arrives.
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

/** @throws ShopError `unreachable` for a body that is not JSON, because the server sends nothing else */
async function readJson(answer: HttpResponse): Promise<unknown> {
	try {
		const bytes = await answer.readBytes();
		return JSON.parse(
			isCompact(answer) ? fromCompact(bytes) : new TextDecoder().decode(bytes),
		);
	} catch (cause) {
		throw unreachable(
			`Something other than the server answered (status ${answer.status})`,
			cause,
		);
	}
}

async function toGzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
	const stream = new Blob([text]).stream();
	const gzip = stream.pipeThrough(new CompressionStream("gzip"));
	return new Uint8Array(await new Response(gzip).arrayBuffer());
}

function isCompact({ header }: HttpResponse): boolean {
	return header("content-type") === compactType;
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

/** The lines of a body, from its chunks as they arrive. */
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
