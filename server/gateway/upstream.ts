import { Agent } from "./agent.ts";
import type { Completion } from "./chat.ts";
import { openCollector } from "./chunk-collector.ts";
import { parseJson } from "./exact-json.ts";
import { type Answer, exchange, readBody } from "./exchange.ts";
import {
	Fault,
	faultOfConnection,
	faultOfStatus,
	faultOfText,
} from "./fault.ts";
import type { Internet } from "./internet.ts";
import {
	type AnswerReader,
	apiOf,
	type Chunk,
	type Provider,
	type ProviderCall,
	type ProviderRequest,
} from "./providers/provider.ts";
import { readEvents, readFirst } from "./read-events.ts";
import { sanitizeChunk } from "./sanitize.ts";
import type { ProviderSettings, Timings } from "./settings.ts";
import { openTimeLimit } from "./time-limit.ts";

/** A stream whose first content has arrived. */
export interface UpstreamStream {
	first: Chunk;
	/** Yields the rest as it arrives. @throws Fault if the stream breaks off or ends without a finish reason */
	rest: AsyncGenerator<Chunk, void>;
}

/** Calls providers over HTTP with keep-alive connections. */
export interface Upstream {
	/** @throws Fault; the signal's reason if it aborted */
	complete(
		provider: Provider,
		call: ProviderCall,
		signal: AbortSignal,
	): Promise<Completion>;
	/** Sends any request and reads its JSON answer. @throws as above */
	ask<T>(
		provider: Provider,
		request: ProviderRequest,
		signal: AbortSignal,
		read: (body: unknown) => T,
	): Promise<T>;
	/** @throws as above, until the first content */
	stream(
		provider: Provider,
		call: ProviderCall,
		signal: AbortSignal,
		/** Another model may answer instead, so wait a third of the time for this one. */
		isHurried?: boolean,
	): Promise<UpstreamStream>;
	close(): Promise<void>;
}

/** A provider's base URL, split the way undici's pools need it. */
interface Address {
	key: string | undefined;
	origin: string;
	prefix: string;
}

const answerMaxBytes = 64_000_000;
const faultMaxBytes = 64_000;
const keepAliveMs = 60_000;
/**
 * Multiplies the time to the first content for a local model, which may have to load from disk, and for a model that
 * reasons silently, once its provider has begun to answer.
 */
export const patience = 4;
/** Divides the time to the first content while another model may answer instead. */
const hurry = 3;

export function openUpstream(
	settings: Record<string, ProviderSettings>,
	timings: Timings,
	internet: Internet,
): Upstream {
	const agent = new Agent({
		connect: { timeout: timings.connectMs },
		// This file has its own timeouts, which tell content from keep-alive comments.
		headersTimeout: 0,
		bodyTimeout: 0,
		keepAliveTimeout: keepAliveMs,
		keepAliveMaxTimeout: keepAliveMs,
		connections: 512,
	});

	const addresses = new Map<string, Address>();

	function addressOf(id: string): Address {
		let address = addresses.get(id);
		if (!address) {
			const { key, baseUrl } = settings[id] as ProviderSettings;
			const { origin, pathname } = new URL(baseUrl);
			address = { key, origin, prefix: pathname.replace(/\/$/, "") };
			addresses.set(id, address);
		}
		return address;
	}

	async function post(
		provider: Provider,
		{ path, body }: ProviderRequest,
		signal: AbortSignal,
		accept = "application/json",
	): Promise<Answer> {
		const { key, origin, prefix } = addressOf(provider.id);
		const request = {
			origin,
			path: prefix + path,
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept,
				"user-agent": "counterfoil",
				...provider.headers(key),
			},
			body: JSON.stringify(body),
		} as const;
		let answer: Answer;
		try {
			answer = await exchange(agent, request, signal);
		} catch (error) {
			signal.throwIfAborted();
			throw faultOfConnection(error);
		}
		if (answer.status === 200) return answer;
		const text = await readText(answer, faultMaxBytes, signal);
		throw faultOfStatus(answer.status, parseJson(text) ?? text, answer.headers);
	}

	return {
		async complete(provider, call, signal) {
			const api = apiOf(provider, call.params.over);
			return this.ask(provider, api.toRequest(call), signal, (body) =>
				readWhole(api.openReader(call), body),
			);
		},

		async ask(provider, request, signal, read) {
			const limit = openTimeLimit(signal, watched(provider));
			limit.restart(timings.answerMs);
			try {
				const answer = await post(provider, request, limit.signal);
				return await billable(async () => {
					const text = await readText(answer, answerMaxBytes, limit.signal);
					return read(parseJson(text));
				});
			} finally {
				limit.end();
			}
		},

		async stream(provider, call, signal, isHurried) {
			const api = apiOf(provider, call.params.over);
			const limit = openTimeLimit(signal, watched(provider));
			const firstMs = timings.firstTokenMs / (isHurried ? hurry : 1);
			limit.restart(firstMs * (provider.isLocal ? patience : 1));
			let chunks: AsyncGenerator<Chunk, void> | undefined;
			try {
				const answer = await post(
					provider,
					api.toRequest(call),
					limit.signal,
					"text/event-stream",
				);
				if (
					String(answer.headers["content-type"]).startsWith("application/json")
				)
					throw faultOfWhole(
						await readText(answer, answerMaxBytes, limit.signal),
					);
				if (isThinking(call)) limit.restart(firstMs * patience);
				const reader = api.openReader(call);
				const rest = readEvents(answer, reader, limit, timings.idleMs);
				chunks = rest;
				const first = await billable(() => readFirst(rest));
				limit.hasContent = true;
				limit.pause();
				return { first, rest };
			} catch (error) {
				limit.end();
				await chunks?.return();
				throw error;
			}
		},

		close: () => agent.destroy(),
	};

	/** The internet check that ends a call when the server goes offline; undefined for a local provider. */
	function watched({ isLocal }: Provider): Internet | undefined {
		return isLocal ? undefined : internet;
	}
}

/** @throws Fault */
function readWhole(reader: AnswerReader, parsed: unknown): Completion {
	if (typeof parsed !== "object" || parsed === null)
		throw new Fault("server", "answered with invalid JSON");
	const chunk = sanitizeChunk(() => reader.readWhole(parsed));
	if (chunk.deltas.length === 0)
		throw new Fault("server", "answered without a choice");
	const collector = openCollector();
	collector.add(chunk);
	return collector.completion();
}

/** Marks faults after a 2xx status as possibly billed, unless the provider itself reported the failure. */
async function billable<T>(read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof Fault && !error.isReported) error.mayBeBilled = true;
		throw error;
	}
}

async function readText(
	answer: Answer,
	maxBytes: number,
	signal: AbortSignal,
): Promise<string> {
	const body = await readBody(answer, maxBytes).catch((error) => {
		signal.throwIfAborted();
		throw faultOfConnection(error);
	});
	if (!body) throw new Fault("server", `answered with over ${maxBytes} bytes`);
	return body.toString();
}

/** Reads a failure that arrives with status 200 and without a stream. */
function faultOfWhole(text: string): Fault {
	const { error } = (parseJson(text) ?? {}) as { error?: unknown };
	return error === undefined
		? new Fault("server", "answered without a stream", {
				mayBeBilled: true,
			})
		: faultOfText(error);
}

function isThinking({ model, request }: ProviderCall): boolean {
	return model.capabilities.reasoning && request.reasoning_effort !== "none";
}
