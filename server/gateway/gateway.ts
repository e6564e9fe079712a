import type { Logger } from "pino";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Store } from "../../sync/store/store.ts";
import {
	type AnswerCache,
	cacheKeyOf,
	isCacheable,
	isWorthCaching,
	openCache,
} from "./answer-cache.ts";
import { autoModel, describeAuto, planAutoRoute } from "./auto-route.ts";
import type { AnswerInfo, ChatAnswer, ChatCall } from "./call.ts";
import { type Model, readCatalogue } from "./catalogue.ts";
import type { ChatRequest, Completion, Usage } from "./chat.ts";
import { openCollector, replay } from "./chunk-collector.ts";
import { type Embed, openEmbeddings } from "./embeddings.ts";
import { GatewayError } from "./errors.ts";
import { callWithFailover } from "./failover.ts";
import { Fault } from "./fault.ts";
import { type Flight, openFlights } from "./flight.ts";
import { type Health, openHealth } from "./health.ts";
import { type Internet, openInternet } from "./internet.ts";
import { type ListedModel, openKnownModels } from "./known-models.ts";
import { openLocalModels } from "./local-models.ts";
import { hasLimit, type Meter, openMeter, type Reservation } from "./meter.ts";
import { modelsNamed, planNamedRoute } from "./named-route.ts";
import { type PreparedCall, prepare } from "./prepare.ts";
import { providers } from "./providers/index.ts";
import type { Chunk, Provider } from "./providers/provider.ts";
import type { RoutePlan, RoutingContext } from "./route-plan.ts";
import type { GatewaySettings, Timings } from "./settings.ts";
import {
	bytesOfChunk,
	bytesOfCompletion,
	freeRecord,
	openSettlement,
	type Settlement,
} from "./settlement.ts";
import {
	openTokenCounter,
	type PromptSize,
	sizeOfPrompt,
	type TokenCounter,
} from "./tokens.ts";
import {
	openUpstream,
	patience,
	type Upstream,
	type UpstreamStream,
} from "./upstream.ts";

/** Executes chat completions on the named model, or on one that fits. */
export interface Gateway {
	/**
	 * Resolves at the first content, so that an earlier failure can still set the response's status.
	 *
	 * @throws GatewayError
	 */
	complete(call: ChatCall): Promise<ChatAnswer>;
	/** Estimates a prompt's tokens, for the model that counts the most if the request leaves the choice. @throws GatewayError 404 */
	count(request: ChatRequest): Promise<number>;
	embed: Embed;
	/** All models that chat, `gateway/auto` first. */
	models(): Promise<ListedModel[]>;
	/** The models that turn texts into vectors. */
	embeddingModels(): Promise<ListedModel[]>;
	/** Writes pending records to the database. */
	flush(): Promise<void>;
	/** Aborts the running calls and records their costs. */
	close(): Promise<void>;
}

interface Options {
	store: Store;
	env: Env;
	dataDir: string;
	settings: GatewaySettings;
	log: Logger;
}

/** @throws SettingsError if the data directory's catalogue can't be read */
export function openGateway(options: Options): Gateway {
	const parts = openParts(options);
	const { models, internet, upstream, meter, cache, tokens } = parts;
	const flights = openFlights<AnswerInfo, Chunk | Completion>();
	return {
		embed: openEmbeddings({ ...parts, timings: parts.settings.timings }),

		async embeddingModels() {
			const { running } = await models.known();
			return parts.embeddings.map((model) => {
				const { isLocal, ...provider } = parts.providerById.get(
					model.provider,
				) as Provider;
				const isAvailable = isLocal
					? running.length > 0
					: parts.hasKey(provider);
				return { model, isAvailable };
			});
		},

		async complete(call) {
			const key = cacheKeyOf(call);
			const cached = await findCached(parts, call, key);
			if (cached) return cached;
			// Calls that aren't cacheable don't share: a client repeats them to get different answers.
			const name = isCacheable(call) ? flightNameOf(call, key) : undefined;
			const { flight, isShared } = flights.board(name, (signal) =>
				execute(parts, call, key, signal),
			);
			return {
				info: await waitForContent(parts, flight, isShared, call),
				parts: () => flight.parts(),
			};
		},

		async count(request) {
			const size = sizeOfPrompt(request);
			const { all, context } = await models.known();
			const choice =
				request.model === autoModel
					? all.filter((it) => it.isAvailable).map(({ model }) => model)
					: modelsNamed(request.model, context);
			return Math.max(
				0,
				...choice.map((model) => tokens.estimate(size, model)),
			);
		},

		async models() {
			const { all } = await models.known();
			return [describeAuto(all), ...all];
		},

		async flush() {
			await Promise.all([meter.flush(), cache.flush()]);
		},

		async close() {
			internet.close();
			// Ending the flights records their costs, so they close before the meter.
			await flights.close();
			await upstream.close();
			await Promise.all([meter.close(), cache.flush()]);
		},
	};
}

/** The gateway's parts that all calls share. */
interface Parts {
	settings: GatewaySettings;
	log: Logger;
	providerById: ReadonlyMap<string, Provider>;
	hasKey(provider: Provider): boolean;
	models: ReturnType<typeof openKnownModels>;
	embeddings: readonly Model[];
	health: Health;
	internet: Internet;
	tokens: TokenCounter;
	upstream: Upstream;
	meter: Meter;
	cache: AnswerCache;
}

function openParts({ store, env, dataDir, settings, log }: Options): Parts {
	const { models: listed, embeddings } = readCatalogue(dataDir);
	const providerById = new Map(providers.map((it) => [it.id, it]));
	const hasKey = ({ id, isLocal }: Provider) =>
		isLocal === true || settings.providers[id]?.key !== undefined;
	const internet = openInternet(
		providers
			.filter((provider) => hasKey(provider) && !provider.isLocal)
			.map(({ id }) => settings.providers[id]?.baseUrl ?? ""),
	);
	const local = openLocalModels(
		settings.providers.ollama?.baseUrl ?? "",
		listed,
		settings.localContextLength,
	);
	const health = openHealth();
	const tokens = openTokenCounter();
	const onFault = (err: unknown) => log.error({ err });
	return {
		settings,
		log,
		providerById,
		hasKey,
		embeddings,
		models: openKnownModels({
			listed,
			local,
			providerById,
			hasKey,
			health,
			tokens,
		}),
		health,
		internet,
		tokens,
		upstream: openUpstream(settings.providers, settings.timings, internet),
		meter: openMeter(store, env, onFault),
		cache: openCache(store, env, settings.cacheBytes, onFault),
	};
}

async function findCached(
	{ cache, meter }: Parts,
	call: ChatCall,
	key: string,
): Promise<ChatAnswer | undefined> {
	if (!isCacheable(call) || call.cache === "refresh") return undefined;
	const found = await cache.find(call.payer.businessId, key);
	if (!found) return undefined;
	const { answer, ageSeconds } = found;
	const info: AnswerInfo = {
		model: answer.model,
		route: answer.route,
		attempts: 0,
		failed: [],
		cache: "hit",
		ageSeconds,
		report: [],
	};
	meter.settle(meter.open(call.payer), freeRecord(call, info));
	return {
		info,
		parts: () => (call.request.stream === true ? replay(answer) : once(answer)),
	};
}

/**
 * Names the flight that equal calls share. A stream and a whole answer don't share one; nor do calls on different budgets,
 * since a budget limits the request and is named in the refusal.
 */
export function flightNameOf(
	{ request, payer }: Pick<ChatCall, "request" | "payer">,
	key: string,
): string {
	const { businessId, budgets } = payer;
	const budget = hasLimit(payer) ? budgets.at(-1)?.account : "";
	return `${businessId} ${key} ${request.stream === true} ${budget}`;
}

/** Waits for the first content; leaves the flight when the client disconnects. */
async function waitForContent(
	{ meter }: Parts,
	flight: Flight<AnswerInfo, unknown>,
	isShared: boolean,
	call: ChatCall,
): Promise<AnswerInfo> {
	call.signal.addEventListener("abort", flight.leave, { once: true });
	if (call.signal.aborted) flight.leave();
	const info = await flight.head;
	if (!isShared) return info;
	const shared: AnswerInfo = { ...info, cache: "shared" };
	meter.settle(meter.open(call.payer), freeRecord(call, shared));
	return shared;
}

/** One execution of a call, and where its answer goes. */
interface Execution {
	call: ChatCall;
	/** The answer cache's key. */
	key: string;
	/** Aborts when no caller waits for the answer. */
	signal: AbortSignal;
	settlement: Settlement;
}

/** Makes one call: plans the route, reserves the cost, tries the candidates and settles the real cost. */
async function execute(
	parts: Parts,
	call: ChatCall,
	key: string,
	signal: AbortSignal,
): Promise<{ head: AnswerInfo; parts: Completion[] | AsyncGenerator<Chunk> }> {
	const { settings, tokens, meter, providerById, health, internet } = parts;
	const { request, payer } = call;
	const begun = performance.now();
	const size = sizeOfPrompt(request);
	const { candidates, reasonFor } = await planRoute(parts, call, size);
	const prepared = prepareAll(parts, call, size, candidates);
	const boundOf = ({ id }: Model) => prepared.get(id)?.bound() ?? 0;
	const reservation = await meter.reserve(payer, request.model, () =>
		candidates.map(boundOf),
	);
	const settlement = openSettlement({
		meter,
		reservation,
		call,
		size,
		boundOf,
		tokens,
		reason: reasonFor(candidates[0] as Model),
		begun,
	});
	const execution = { call, key, signal, settlement };
	try {
		const { model, value, attempts, failed } = await callWithFailover(
			affordableOf(candidates, reservation, boundOf),
			(model) =>
				attempt(
					parts,
					execution,
					model,
					prepared.get(model.id) as PreparedCall,
				),
			{
				providerById,
				health,
				internet,
				signal,
				isRouted: request.model === autoModel,
				isAffordable: settlement.affords,
				deadline: begun + patienceMs(request.stream === true, settings.timings),
			},
		);
		const info: AnswerInfo = {
			model: model.id,
			route: reasonFor(model),
			attempts,
			failed,
			cache: isCacheable(call) ? "miss" : "off",
			report: [...new Set(prepared.get(model.id)?.report)],
		};
		settlement.contentStarted(info, model);
		parts.log.info(
			{ ...info, asked: request.model, business: payer.businessId },
			"A model was chosen",
		);
		return {
			head: info,
			parts:
				"rest" in value
					? readStream(parts, execution, value, model, info)
					: [readWhole(parts, execution, value, info)],
		};
	} catch (error) {
		throw settlement.failed(error, signal);
	}
}

async function planRoute(
	{ models, internet, settings }: Parts,
	{ request, policy = settings.policy, fallback = settings.fallback }: ChatCall,
	size: PromptSize,
): Promise<RoutePlan> {
	const { context } = await models.known();
	const now: RoutingContext = { ...context, isOffline: internet.isOffline };
	return request.model === autoModel
		? planAutoRoute(request, size, policy, now)
		: planNamedRoute(request, size, fallback, now);
}

/** @returns the prepared calls by model */
function prepareAll(
	{ providerById, tokens }: Parts,
	call: ChatCall,
	size: PromptSize,
	candidates: readonly Model[],
): Map<string, PreparedCall> {
	return new Map(
		candidates.map((model) => [
			model.id,
			prepare(
				call,
				model,
				providerById.get(model.provider) as Provider,
				size,
				tokens.estimate(size, model),
			),
		]),
	);
}

/** The candidates that cost at most the reservation; all of them if no budget has a limit. */
export function affordableOf(
	candidates: readonly Model[],
	{ held }: Pick<Reservation, "held">,
	boundOf: (model: Model) => number,
): readonly Model[] {
	return held
		? candidates.filter((model) => boundOf(model) <= held.amount)
		: candidates;
}

/** How long the gateway may start new attempts. */
function patienceMs(isStream: boolean, timings: Timings): number {
	return isStream
		? (patience + 2) * timings.firstTokenMs
		: 2 * timings.answerMs;
}

/** Calls one provider once. @throws Fault */
async function attempt(
	{ upstream }: Parts,
	{ call, signal, settlement }: Execution,
	model: Model,
	{ provider, call: providerCall }: PreparedCall,
): Promise<UpstreamStream | Completion> {
	signal.throwIfAborted();
	settlement.attemptStarted(model);
	try {
		return call.request.stream === true
			? await upstream.stream(provider, providerCall, signal)
			: await upstream.complete(provider, providerCall, signal);
	} catch (error) {
		if (error instanceof Fault) settlement.attemptFailed(model, error);
		throw error;
	}
}

function readWhole(
	parts: Parts,
	{ call, key, settlement }: Execution,
	completion: Completion,
	info: AnswerInfo,
): Completion {
	const usage = settlement.completed(
		completion.usage,
		bytesOfCompletion(completion),
	);
	const counted = { ...completion, usage };
	store(parts, call, key, counted, info);
	return counted;
}

async function* readStream(
	parts: Parts,
	{ call, key, signal, settlement }: Execution,
	{ first, rest }: UpstreamStream,
	model: Model,
	info: AnswerInfo,
): AsyncGenerator<Chunk, void> {
	const collector = isCacheable(call) ? openCollector() : undefined;
	let usage: Usage | undefined;
	let bytes = 0;
	let isOver = false;
	const note = (chunk: Chunk) => {
		collector?.add(chunk);
		usage = chunk.usage ?? usage;
		bytes += bytesOfChunk(chunk);
		return chunk;
	};
	try {
		yield note(first);
		for await (const chunk of rest) yield note(chunk);
		isOver = true;
		const counted = settlement.completed(usage, bytes);
		if (usage === undefined) yield note({ deltas: [], usage: counted });
		if (collector) store(parts, call, key, collector.completion(), info);
	} catch (error) {
		isOver = true;
		settlement.interrupted(model, usage, bytes, signal.aborted ? null : error);
		if (signal.aborted || !(error instanceof Fault)) throw error;
		parts.health.fail(model, error);
		parts.log.warn({ err: error, model: model.id }, "A stream broke off");
		throw interruptedError(parts.providerById.get(model.provider), error);
	} finally {
		if (!isOver) settlement.interrupted(model, usage, bytes, null);
	}
}

function interruptedError(
	provider: Provider | undefined,
	fault: Fault,
): GatewayError {
	return new GatewayError(
		502,
		`${provider?.name}: ${fault.message}; the answer is incomplete`,
		{ code: "upstream_stream_interrupted" },
		{ cause: fault },
	);
}

/** Caches an answer that a later call may use. */
function store(
	{ cache, settings }: Parts,
	call: ChatCall,
	key: string,
	completion: Completion,
	{ model, route }: AnswerInfo,
): void {
	if (!isCacheable(call) || !isWorthCaching(completion)) return;
	cache.store(
		call.payer.businessId,
		key,
		{ ...completion, model, route },
		call.cacheSeconds ?? settings.cacheSeconds,
	);
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
	yield value;
}
