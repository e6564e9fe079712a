import { isCacheable, isWorthCaching } from "./answer-cache.ts";
import { autoModel, planAutoRoute } from "./auto-route.ts";
import type { AnswerInfo, ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import type { Completion, Usage } from "./chat.ts";
import { openCollector } from "./chunk-collector.ts";
import { GatewayError } from "./errors.ts";
import { callWithFailover } from "./failover.ts";
import { Fault } from "./fault.ts";
import type { Parts } from "./gateway-parts.ts";
import type { Reservation } from "./meter.ts";
import { planNamedRoute } from "./named-route.ts";
import { type PreparedCall, prepare } from "./prepare.ts";
import type { Chunk, Provider } from "./providers/provider.ts";
import type { RoutePlan, RoutingContext } from "./route-plan.ts";
import type { Timings } from "./settings.ts";
import {
	bytesOfChunk,
	bytesOfCompletion,
	openSettlement,
	type Settlement,
} from "./settlement.ts";
import { type PromptSize, sizeOfPrompt } from "./tokens.ts";
import { patience, type UpstreamStream } from "./upstream.ts";

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
export async function execute(
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
