import * as z from "zod";
import { type CallRecord, emptyRecord } from "./call-record.ts";
import { type Model, promptMax } from "./catalogue.ts";
import { errorOfFault, GatewayError } from "./errors.ts";
import { callWithFailover, Exhausted } from "./failover.ts";
import { Fault, failureOf } from "./fault.ts";
import type { Health } from "./health.ts";
import type { Internet } from "./internet.ts";
import type { Meter, Payer } from "./meter.ts";
import { costBound, costOf } from "./prices.ts";
import type { Embedder, EmbeddingAsk } from "./providers/embedder.ts";
import type { Provider } from "./providers/provider.ts";
import { margin } from "./routing/route-plan.ts";
import { toCount } from "./sanitize.ts";
import { keyVariable, type Timings } from "./settings.ts";
import { promptBound, sizeOfPrompt, type TokenCounter } from "./tokens.ts";
import type { Upstream } from "./upstream.ts";

const textsMax = 2_048;

/** OpenAI's request for the vectors of texts. */
export const embeddingBody = z
	.looseObject({
		model: z.string().min(1).max(200),
		input: z
			.union(
				[z.string().min(1), z.array(z.string().min(1)).min(1).max(textsMax)],
				`must be a text or up to ${textsMax} texts; tokens are not taken`,
			)
			.transform((input) => (typeof input === "string" ? [input] : input)),
		dimensions: z.int().min(1).max(100_000).nullish(),
		encoding_format: z.enum(["float", "base64"]).nullish(),
	})
	.meta({ id: "EmbeddingRequest" });

export const embeddingAnswer = z
	.object({
		object: z.literal("list"),
		model: z.string(),
		data: z.array(
			z.object({
				object: z.literal("embedding"),
				index: z.int(),
				/** Numbers, or base64 of little-endian 32-bit floats. */
				embedding: z.union([z.array(z.number()), z.string()]),
			}),
		),
		usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
	})
	.meta({ id: "Embeddings" });

/** Only the model that was named answers: two models' vectors can't be compared. */
interface EmbeddingCall {
	request: z.output<typeof embeddingBody>;
	purpose: EmbeddingAsk["purpose"];
	payer: Payer;
	signal: AbortSignal;
}

interface Options {
	embeddings: readonly Model[];
	providerById: ReadonlyMap<string, Provider>;
	hasKey(provider: Provider): boolean;
	health: Health;
	internet: Internet;
	tokens: TokenCounter;
	upstream: Upstream;
	meter: Meter;
	timings: Timings;
}

/** The requests that a call has made so far. */
interface Progress {
	attempts: number;
	promptTokens: number;
	/** Nanodollars that requests without an answer may be billed. */
	lost: number;
}

/** What a call may cost, and whether the budget still allows it. */
interface Price {
	/** The cost of a request for some of the texts, if it was billed without an answer. */
	ofPart(from: number, to: number): number;
	/** Whether the budget covers the whole call besides what is lost. */
	affords(): Promise<boolean>;
}

/**
 * Turns texts into vectors by the model that a request names.
 *
 * @throws GatewayError
 */
export type Embed = (
	call: EmbeddingCall,
) => Promise<z.input<typeof embeddingAnswer>>;

export function openEmbeddings(options: Options): Embed {
	const { tokens, meter } = options;
	return async (call) => {
		const begun = performance.now();
		const { input: texts, encoding_format: form, model: asked } = call.request;
		const target = findTarget(options, asked);
		const { model } = target;
		const sizes = texts.map(sizeOfText);
		const estimates = sizes.map((size) => tokens.estimate(size, model));
		assertFits(model, estimates);
		const bounds = sizes.map((size) => promptBound(size, model));
		const costOfAll = (counts: readonly number[]) =>
			costBound(model, sumOf(counts), 0);
		const most = costOfAll(bounds);
		const reservation = await meter.reserve(call.payer, () => [most]);
		const { held } = reservation;
		const progress: Progress = { attempts: 0, promptTokens: 0, lost: 0 };
		const price: Price = {
			ofPart: (from, to) =>
				costOfAll((held ? bounds : estimates).slice(from, to)),
			async affords() {
				const missing = progress.lost + most - (held?.amount ?? 0);
				return missing <= 0 || meter.extend(reservation, missing);
			},
		};
		const settle = (
			cost: number,
			ended: Pick<CallRecord, "status" | "error"> & Partial<CallRecord>,
		) => {
			const { lost, ...counted } = progress;
			meter.settle(reservation, {
				...{ ...emptyRecord, operation: "embeddings", ...counted },
				...{ askedModel: asked, model: model.id, route: "named", ...ended },
				cost: cost + lost,
				durationMs: Math.round(performance.now() - begun),
			});
		};
		const charged = () => costOf(model, { ...progress, completionTokens: 0 });
		try {
			const vectors = await askAll(
				...([options, call, target, estimates, progress, price] as const),
			);
			settle(charged(), { status: "ok", error: null });
			const { promptTokens } = progress;
			return {
				object: "list",
				model: model.id,
				data: vectors.map((vector, index) => ({
					object: "embedding",
					index,
					embedding: form === "base64" ? toBase64(vector) : vector,
				})),
				usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
			};
		} catch (error) {
			if (call.signal.aborted) {
				settle(charged(), { status: "cancelled", error: null });
				throw error;
			}
			const told = toldOf(error, target.provider);
			settle(charged(), {
				status: "failed",
				error: told.message,
				failure: failureOf(error),
			});
			throw told;
		}
	};
}

interface Target {
	model: Model;
	provider: Provider;
	embedder: Embedder;
}

/** @throws GatewayError 404 for an unknown model; 400 if its provider has no key */
function findTarget(
	{ embeddings, providerById, hasKey }: Options,
	asked: string,
): Target {
	const model = embeddings.find(({ id, upstream_id }) =>
		[id, upstream_id].includes(asked),
	);
	const provider = providerById.get(model?.provider ?? "");
	if (!model || !provider?.embedder)
		throw new GatewayError(
			404,
			`There is no embedding model ${JSON.stringify(asked)}`,
			{ param: "model", code: "model_not_found" },
		);
	if (!hasKey(provider))
		throw new GatewayError(
			400,
			`${provider.name} is not configured: ${keyVariable(provider.id)} is missing in this server's settings`,
			{ param: "model", code: "provider_not_configured" },
		);
	return { model, provider, embedder: provider.embedder };
}

/** In doubt the provider counts. @throws GatewayError 400 naming the first text that is too long */
function assertFits(model: Model, estimates: readonly number[]): void {
	const max = promptMax(model);
	const at = estimates.findIndex((count) => count > max * margin);
	if (at !== -1)
		throw new GatewayError(
			400,
			`Text ${at} is about ${estimates[at]} tokens long; ${model.id} takes ${max} at most`,
			{ param: `input.${at}`, code: "context_length_exceeded" },
		);
}

/** Asks for all vectors, in as many requests as the provider needs. */
async function askAll(
	{ providerById, health, internet, upstream, timings }: Options,
	{ request, purpose, signal }: EmbeddingCall,
	{ model, provider, embedder }: Target,
	estimates: readonly number[],
	progress: Progress,
	price: Price,
): Promise<number[][]> {
	const { input, dimensions } = request;
	const vectors: number[][] = [];
	const deadline = performance.now() + 2 * timings.answerMs;
	while (vectors.length < input.length) {
		const [from, to] = [vectors.length, vectors.length + embedder.textsMax];
		const texts = input.slice(from, to);
		const wire = embedder.toRequest({
			...{ model, texts, purpose },
			dimensions: dimensions ?? undefined,
		});
		const ask = async () => {
			signal.throwIfAborted();
			progress.attempts += 1;
			try {
				return await upstream.ask(provider, wire, signal, (body) =>
					readAnswer(embedder, body, texts.length),
				);
			} catch (error) {
				const mayBeBilled =
					error instanceof Fault ? error.mayBeBilled : signal.aborted;
				if (mayBeBilled) progress.lost += price.ofPart(from, to);
				throw error;
			}
		};
		const { value } = await callWithFailover([model], ask, {
			...{ providerById, health, internet, signal, deadline },
			...{ isRouted: false, isAffordable: price.affords },
		});
		progress.promptTokens +=
			toCount(value.promptTokens) ?? sumOf(estimates.slice(from, to));
		vectors.push(...value.vectors);
	}
	return vectors;
}

function toldOf(error: unknown, { name, id }: Provider): Error {
	return error instanceof Exhausted
		? errorOfFault(error.fault, { name, keyName: keyVariable(id) })
		: (error as Error);
}

const sumOf = (counts: readonly number[]) =>
	counts.reduce((sum, count) => sum + count, 0);

const sizeOfText = (content: string) =>
	sizeOfPrompt({ messages: [{ role: "user", content }] });

/** @throws Fault for an answer of another form, or without a vector for each text */
function readAnswer(embedder: Embedder, body: unknown, count: number) {
	try {
		const answer = embedder.read(body);
		if (answer.vectors.length === count) return answer;
	} catch (error) {
		if (!(error instanceof z.ZodError)) throw error;
	}
	throw new Fault("server", "answered without a vector for each text");
}

function toBase64(vector: readonly number[]): string {
	const bytes = Buffer.alloc(vector.length * 4);
	for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, i * 4);
	return bytes.toString("base64");
}
