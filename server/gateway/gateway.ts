import type { Logger } from "pino";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Store } from "../../sync/store/store.ts";
import {
	type AnswerCache,
	cacheKeyOf,
	isCacheable,
	openCache,
} from "./answer-cache.ts";
import { type Model, readCatalogue } from "./catalogue.ts";
import type { ChatRequest, Completion, Usage } from "./chat.ts";
import {
	autoModel,
	planAutoRoute,
	planNamedRoute,
	type RoutePlan,
	type RoutingContext,
} from "./choose.ts";
import { openCollector, replay } from "./chunk-collector.ts";
import { GatewayError } from "./errors.ts";
import { callWithFailover } from "./failover.ts";
import { Fault } from "./fault.ts";
import { type Flight, openFlight } from "./flight.ts";
import { openHealth } from "./health.ts";
import { openInternet } from "./internet.ts";
import { type ListedModel, openKnownModels } from "./known-models.ts";
import { openLocalModels } from "./local-models.ts";
import {
	type CacheUse,
	hasLimit,
	type Meter,
	openMeter,
	type Payer,
} from "./meter.ts";
import { type PreparedCall, prepare } from "./prepare.ts";
import { providers } from "./providers/index.ts";
import type { Chunk, Provider } from "./providers/provider.ts";
import type { GatewaySettings, Policy } from "./settings.ts";
import {
	bytesOfChunk,
	bytesOfCompletion,
	freeRecord,
	openSettlement,
	type Settlement,
} from "./settlement.ts";
import { openTokenCounter, type PromptSize, sizeOfPrompt } from "./tokens.ts";
import { openUpstream, patience, type UpstreamStream } from "./upstream.ts";

/** A request with what its headers say. */
export interface ChatCall {
	request: ChatRequest;
	payer: Payer;
	policy?: Policy;
	/** `on` keeps and gives kept answers, `refresh` only keeps; without it, what has no randomness is cached. */
	cache?: "on" | "off" | "refresh";
	cacheSeconds?: number;
	fallback?: string[];
	/** Aborts when the client is gone. */
	signal: AbortSignal;
}

/** How an answer came about, for its headers. */
export interface AnswerInfo {
	model: string;
	/** Why that model. */
	route: string;
	attempts: number;
	/** The models that failed before. */
	failed: string[];
	cache: CacheUse;
	ageSeconds?: number;
	/** Parameters that were dropped or changed. */
	report: string[];
}

interface ChatAnswer {
	info: AnswerInfo;
	/** One part, or those of a stream. Throws GatewayError where a stream breaks off. */
	parts(): AsyncGenerator<Chunk | Completion, void>;
}

/** Executes chat completions on whichever model is named or fits. */
export interface Gateway {
	/**
	 * Resolves when there is content, so that whatever fails before can be told with a status.
	 *
	 * @throws GatewayError
	 */
	complete(asked: ChatCall): Promise<ChatAnswer>;
	models(): Promise<ListedModel[]>;
	/** What is in memory is in the database then. */
	flush(): Promise<void>;
	/** Gives up the calls that still wait, and writes down what they cost. */
	close(): Promise<void>;
}

interface Options {
	store: Store;
	env: Env;
	dataDir: string;
	settings: GatewaySettings;
	log: Logger;
}

/** @throws SettingsError for a catalogue in the data directory that can't be read */
export function openGateway({
	store,
	env,
	dataDir,
	settings,
	log,
}: Options): Gateway {
	const listed = readCatalogue(dataDir).models;
	const providerById = new Map(providers.map((it) => [it.id, it]));
	const providerOf = (model: Model) =>
		providerById.get(model.provider) as Provider;
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
	const models = openKnownModels({
		listed,
		local,
		providerById,
		hasKey,
		health,
		tokens,
	});
	const upstream = openUpstream(settings.providers, settings.timings, internet);
	const onFault = (err: unknown) => log.error({ err });
	const meter: Meter = openMeter(store, env, onFault);
	const cache: AnswerCache = openCache(
		store,
		env,
		settings.cacheBytes,
		onFault,
	);
	/** Those that can be joined, and all that go on. */
	const flights = new Map<string, Flight<AnswerInfo, Chunk | Completion>>();
	const underWay = new Set<Flight<AnswerInfo, Chunk | Completion>>();
	let isClosed = false;

	async function plan(asked: ChatCall, size: PromptSize): Promise<RoutePlan> {
		const standing = (await models.known()).context;
		const field: RoutingContext = {
			...standing,
			isOffline: internet.isOffline,
		};
		const { request, policy = settings.policy } = asked;
		return request.model === autoModel
			? planAutoRoute(request, size, policy, field)
			: planNamedRoute(
					request,
					size,
					asked.fallback ?? settings.fallback,
					field,
				);
	}

	/** Makes one call, with the means to make it again elsewhere. */
	async function call(
		asked: ChatCall,
		key: string,
		signal: AbortSignal,
	): Promise<{
		head: AnswerInfo;
		parts: Completion[] | AsyncGenerator<Chunk, void>;
	}> {
		const { request, payer } = asked;
		const begun = performance.now();
		const size = sizeOfPrompt(request);
		const { candidates, reasonFor: why } = await plan(asked, size);
		const stream = request.stream === true;
		const prepared = new Map(
			candidates.map((model) => [
				model.id,
				prepare(
					asked,
					model,
					providerOf(model),
					size,
					tokens.estimate(size, model),
				),
			]),
		);
		const boundOf = ({ id }: Model) => prepared.get(id)?.bound() ?? 0;
		const reservation = await meter.reserve(payer, request.model, () =>
			candidates.map(boundOf),
		);
		const { held } = reservation;
		const affordable = held
			? candidates.filter((model) => boundOf(model) <= held.amount)
			: candidates;
		const settle = openSettlement({
			meter,
			reservation,
			call: asked,
			size,
			boundOf,
			tokens,
			reason: why(candidates[0] as Model),
			begun,
		});
		try {
			const recovered = await callWithFailover<UpstreamStream | Completion>(
				affordable,
				async (model) => {
					const { provider, call: it } = prepared.get(model.id) as PreparedCall;
					signal.throwIfAborted();
					settle.attemptStarted(model);
					try {
						return stream
							? await upstream.stream(provider, it, signal)
							: await upstream.complete(provider, it, signal);
					} catch (error) {
						if (error instanceof Fault) settle.attemptFailed(model, error);
						throw error;
					}
				},
				{
					providerById,
					health,
					internet,
					signal,
					isRouted: request.model === autoModel,
					isAffordable: settle.affords,
					deadline:
						begun +
						(stream
							? (patience + 2) * settings.timings.firstTokenMs
							: 2 * settings.timings.answerMs),
				},
			);
			const { model, value, attempts, failed } = recovered;
			const told: AnswerInfo = {
				model: model.id,
				route: why(model),
				attempts,
				failed,
				cache: isCacheable(asked) ? "miss" : "off",
				report: [...new Set(prepared.get(model.id)?.report)],
			};
			settle.contentStarted(told, model);
			log.info(
				{ ...told, asked: request.model, business: payer.businessId },
				"A model was chosen",
			);
			if ("rest" in value)
				return {
					head: told,
					parts: readStream(value, model, signal, settle, asked, told, key),
				};
			const usage = settle.completed(value.usage, bytesOfCompletion(value));
			const counted = { ...value, usage };
			keep(asked, told, key, counted);
			return { head: told, parts: [counted] };
		} catch (error) {
			throw settle.failed(error, signal);
		}
	}

	async function* readStream(
		{ first, rest }: UpstreamStream,
		model: Model,
		signal: AbortSignal,
		settle: Settlement,
		asked: ChatCall,
		told: AnswerInfo,
		key: string,
	): AsyncGenerator<Chunk, void> {
		const collector = isCacheable(asked) ? openCollector() : undefined;
		let usage: Usage | undefined;
		let bytes = 0;
		let isOver = false;
		const note = (reading: Chunk) => {
			collector?.add(reading);
			usage = reading.usage ?? usage;
			bytes += bytesOfChunk(reading);
			return reading;
		};
		try {
			yield note(first);
			for await (const reading of rest) yield note(reading);
			isOver = true;
			const counted = settle.completed(usage, bytes);
			if (usage === undefined) yield note({ deltas: [], usage: counted });
			if (collector) keep(asked, told, key, collector.completion());
		} catch (error) {
			isOver = true;
			settle.interrupted(model, usage, bytes, signal.aborted ? null : error);
			if (signal.aborted || !(error instanceof Fault)) throw error;
			health.fail(model, error);
			log.warn({ err: error, model: model.id }, "A stream broke off");
			throw interrupted(model, error);
		} finally {
			if (!isOver) settle.interrupted(model, usage, bytes, null);
		}
	}

	function interrupted(model: Model, fault: Fault): GatewayError {
		const { name } = providerOf(model);
		return new GatewayError(
			502,
			`${name}: ${fault.message}; the answer is incomplete`,
			{ code: "upstream_stream_interrupted" },
			{ cause: fault },
		);
	}

	function keep(
		{ payer, cacheSeconds = settings.cacheSeconds, ...asked }: ChatCall,
		{ model, route }: AnswerInfo,
		key: string,
		completion: Completion,
	): void {
		if (!isCacheable({ payer, ...asked })) return;
		// What was filtered may not be next time, and what may be incomplete may be whole.
		if (
			completion.isUncertain ||
			completion.choices.some(
				({ finish_reason }) => finish_reason === "content_filter",
			)
		)
			return;
		cache.store(
			payer.businessId,
			key,
			{ ...completion, model, route },
			cacheSeconds,
		);
	}

	async function findKept(
		asked: ChatCall,
		key: string,
	): Promise<ChatAnswer | undefined> {
		if (!isCacheable(asked) || asked.cache === "refresh") return undefined;
		const found = await cache.find(asked.payer.businessId, key);
		if (!found) return undefined;
		const { answer, ageSeconds } = found;
		const told: AnswerInfo = {
			model: answer.model,
			route: answer.route,
			attempts: 0,
			failed: [],
			cache: "hit",
			ageSeconds,
			report: [],
		};
		meter.settle(meter.open(asked.payer), freeRecord(asked, told));
		return {
			info: told,
			parts: () =>
				asked.request.stream === true ? replay(answer) : once(answer),
		};
	}

	return {
		async complete(asked) {
			const key = cacheKeyOf(asked);
			const kept = await findKept(asked, key);
			if (kept) return kept;
			// Answers that differ each time are not shared: that is how several are asked for.
			const name = isCacheable(asked) ? nameOfFlight(asked, key) : undefined;
			const inFlight = name === undefined ? undefined : flights.get(name);
			inFlight?.join();
			const flight = inFlight ?? begin(asked, key, name);
			return {
				info: await join(flight, inFlight !== undefined, asked),
				parts: () => flight.parts(),
			};
		},

		models: async () => (await models.known()).all,

		async flush() {
			await Promise.all([meter.flush(), cache.flush()]);
		},

		async close() {
			isClosed = true;
			internet.close();
			for (const flight of underWay) flight.abort();
			// What they cost is written down by then.
			await Promise.all([...underWay].map(({ over }) => over));
			await upstream.close();
			await Promise.all([meter.close(), cache.flush()]);
		},
	};

	function begin(
		asked: ChatCall,
		key: string,
		name: string | undefined,
	): Flight<AnswerInfo, Chunk | Completion> {
		if (isClosed) throw new GatewayError(503, "The server is shutting down");
		const flight = openFlight<AnswerInfo, Chunk | Completion>(
			(signal) => call(asked, key, signal),
			() => {
				if (name !== undefined && flights.get(name) === flight)
					flights.delete(name);
			},
		);
		if (name !== undefined) flights.set(name, flight);
		underWay.add(flight);
		void flight.over.then(() => underWay.delete(flight));
		return flight;
	}

	/** Waits for what is known before the first part; the flight is left when the client is gone. */
	async function join(
		flight: Flight<AnswerInfo, unknown>,
		isShared: boolean,
		asked: ChatCall,
	): Promise<AnswerInfo> {
		asked.signal.addEventListener("abort", flight.leave, { once: true });
		if (asked.signal.aborted) flight.leave();
		const told = await flight.head;
		if (!isShared) return told;
		const shared: AnswerInfo = { ...told, cache: "shared" };
		meter.settle(meter.open(asked.payer), freeRecord(asked, shared));
		return shared;
	}
}

/**
 * What is equal is one call: but a stream and an answer in one piece are not, and what a budget allows, and is told when
 * it does not, is for its own account.
 */
function nameOfFlight({ request, payer }: ChatCall, key: string): string {
	const { businessId, budgets } = payer;
	const budget = hasLimit(payer) ? budgets.at(-1)?.account : "";
	return `${businessId} ${key} ${request.stream === true} ${budget}`;
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
	yield value;
}
