import { once } from "node:events";
import {
	createServer,
	type IncomingHttpHeaders,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { responses } from "./responses-wire.ts";
import { type Act, type Dialect, dialects } from "./wire-formats.ts";

export type { Act, Dialect } from "./wire-formats.ts";

/** Fake providers that speak each real provider's wire format, correctly or with faults. */

export interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	// biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary request bodies
	body: any;
	/** The body's text as sent. */
	text: string;
	/** Becomes true when the caller aborts. */
	isAborted: boolean;
	/** The number of events written. */
	written: number;
	/** Nothing more is written, although the caller waits. */
	isSilent: boolean;
}

export interface FakeProvider {
	/** Includes the path of the provider's real base URL. */
	url: string;
	port: number;
	received: Received[];
	/** Sets the next acts, in order, some of which depend on the request; the last one repeats. */
	act(...acts: Part[]): void;
	close(): Promise<void>;
}

type Part = Act | ((asked: Received) => Act);

/** A model as the fake Ollama reports it. */
export interface LocalModel {
	name: string;
	capabilities: string[];
	contextLength: number;
	/** Its context, if the model is loaded. */
	loadedContext?: number;
	/** The context set in its model file. */
	numCtx?: number;
	/** Listed, but its details fail to load. */
	isBroken?: true;
}

export async function openFakeProvider(
	dialect: Dialect,
	{
		path = "",
		models = [] as LocalModel[],
		port = 0,
		/** Refusals of chats that take precedence over the act. */
		wall = (_body: object, _path?: string): string | undefined => undefined,
	} = {},
): Promise<FakeProvider> {
	const received: Received[] = [];
	let acts: Part[] = [{}];
	const server = createServer(async (request, response) => {
		if (request.url === "/api/tags") {
			response.end(
				JSON.stringify({
					models: models.map(({ name }) => ({ name, model: name })),
				}),
			);
			return;
		}
		if (request.url === "/api/ps") {
			const loaded = models.filter((it) => it.loadedContext !== undefined);
			response.end(
				JSON.stringify({
					models: loaded.map(({ name, loadedContext }) => ({
						name,
						model: name,
						context_length: loadedContext,
					})),
				}),
			);
			return;
		}
		// Who is killed or hangs up while it sends leaves no whole request.
		const sent = await text(request).catch(() => undefined);
		if (sent === undefined) return;
		const body: { model?: string; stream?: boolean } = JSON.parse(sent);
		if (request.url === "/api/show") {
			const shown = models.find(({ name }) => name === body.model);
			if (shown?.isBroken) response.statusCode = 500;
			response.end(
				JSON.stringify({
					capabilities: shown?.capabilities,
					model_info: { "llama.context_length": shown?.contextLength },
					...(shown?.numCtx !== undefined && {
						parameters: `stop "<|end|>"\nnum_ctx ${shown.numCtx}`,
					}),
				}),
			);
			return;
		}
		const one: Received = {
			path: request.url ?? "",
			headers: request.headers,
			body,
			text: sent,
			isAborted: false,
			written: 0,
			isSilent: false,
		};
		received.push(one);
		response.on("close", () => {
			one.isAborted = !response.writableFinished;
			one.isSilent = false;
		});
		const message = /embed/i.test(one.path) ? undefined : wall(body, one.path);
		if (message !== undefined) {
			response.writeHead(400, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message } }));
			return;
		}
		const part = (acts.length > 1 ? acts.shift() : acts[0]) ?? {};
		const act = typeof part === "function" ? part(one) : part;
		await perform(dialect, act, one, response);
	});
	server.listen(port, "127.0.0.1");
	await once(server, "listening");
	const close = async () => {
		if (!server.listening) return;
		server.close();
		server.closeAllConnections();
		await once(server, "close");
	};
	onTestFinished(close);
	const own = (server.address() as AddressInfo).port;
	return {
		url: `http://127.0.0.1:${own}${path}`,
		port: own,
		received,
		act: (...next) => {
			acts = next;
		},
		close,
	};
}

/** The vector of a text here: its length, and its first letter's code. */
export const vectorOf = (text: string): [number, number] => [
	text.length,
	text.charCodeAt(0),
];

/** Answers a request for vectors; OpenAI's format in the wrong order. */
function embeddedIn({ path, body }: Received): object | undefined {
	if (path.endsWith(":batchEmbedContents"))
		return {
			embeddings: (
				body.requests as { content: { parts: { text: string }[] } }[]
			).map(({ content }) => ({
				values: vectorOf(content.parts[0]?.text ?? ""),
			})),
		};
	if (path.endsWith("/embed"))
		return {
			embeddings: { float: (body.texts as string[]).map(vectorOf) },
			meta: { billed_units: { input_tokens: 5 } },
		};
	if (!path.endsWith("/embeddings")) return undefined;
	return {
		object: "list",
		data: (body.input as string[])
			.map((text, index) => ({ index, embedding: vectorOf(text) }))
			.toReversed(),
		usage: { prompt_tokens: 5, total_tokens: 5 },
	};
}

async function perform(
	dialect: Dialect,
	act: Act,
	one: Received,
	response: ServerResponse,
): Promise<void> {
	const fallSilent = () => {
		one.isSilent = !response.destroyed;
	};
	if (act.isSilent) return fallSilent();
	await sleep(act.delayMs ?? 0);
	if (act.heldAfter === undefined) await act.until;
	const { promptTokens: _, ...rest } = act;
	if (act.status !== undefined) {
		response.writeHead(act.status, {
			"content-type": "application/json",
			...act.headers,
		});
		response.end(
			typeof rest.body === "string" ? rest.body : JSON.stringify(rest.body),
		);
		return;
	}
	const embedded = embeddedIn(one);
	if (embedded) {
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(embedded));
		return;
	}
	const isResponse = one.path.endsWith("/responses");
	const wire = isResponse ? responses : dialects[dialect];
	const isStream =
		one.body.stream === true || one.path.includes("streamGenerateContent");
	if (!isStream) {
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(wire.whole(act, one.body.model, one.body)));
		return;
	}
	response.writeHead(200, { "content-type": "text/event-stream" });
	if (act.isMute) {
		response.write(": OPENROUTER PROCESSING\n\n");
		return fallSilent();
	}
	const events = wire.events(act, one.body.model, one.body);
	if (act.insert) events.splice(act.insert.at, 0, act.insert.raw);
	const { pause } = act;
	if (pause) response.flushHeaders();
	for (const event of events.slice(0, act.cutAfter ?? act.stopAfter)) {
		if (pause?.before === one.written) await sleep(pause.ms);
		if (act.heldAfter === one.written) await act.until;
		if (response.destroyed) return;
		await writeIn(response, event, act.pieceBytes);
		one.written += 1;
		if (act.betweenMs !== undefined) await sleep(act.betweenMs);
	}
	if (act.stopAfter !== undefined) return fallSilent();
	if (act.cut === "reset") {
		if (one.written === 0) response.socket?.resetAndDestroy();
		response.destroy();
		return;
	}
	response.end();
}

async function writeIn(
	response: ServerResponse,
	text: string,
	pieceBytes: number | undefined,
): Promise<void> {
	const bytes = Buffer.from(text);
	const step = pieceBytes ?? bytes.length;
	for (let at = 0; at < bytes.length; at += step) {
		response.write(bytes.subarray(at, at + step));
		// Keeps the system from merging the writes.
		if (step < bytes.length) await new Promise(setImmediate);
	}
}
