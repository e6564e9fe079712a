import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import { type Completion, urlsOf } from "./chat.ts";
import { callWithFailover } from "./failover.ts";
import { Fault } from "./fault.ts";
import type { Parts } from "./gateway-parts.ts";
import { type PreparedCall, prepare } from "./prepare.ts";
import {
	apiOf,
	type Provider,
	type ProviderCall,
} from "./providers/provider.ts";
import { startOf } from "./routing/first-tokens.ts";
import type { Timings } from "./settings.ts";
import { bytesOfCompletion, type Settlement } from "./settlement.ts";
import { answerEstimate, type PromptSize } from "./tokens.ts";
import { patience, type UpstreamStream } from "./upstream.ts";

/** One execution of a call, and where its answer goes. */
export interface Execution {
	call: ChatCall;
	/** The answer cache's key; undefined for a call that may not be cached. */
	key: string | undefined;
	/** Aborts when no caller waits for the answer. */
	signal: AbortSignal;
	settlement: Settlement;
	/** The call for each candidate, as it is made now. */
	prepared: Map<string, PreparedCall>;
}

export function prepareFor(
	{ providerById, tokens }: Parts,
	call: ChatCall,
	size: PromptSize,
	model: Model,
): PreparedCall {
	return prepare(
		call,
		model,
		providerById.get(model.provider) as Provider,
		size,
		tokens.estimate(size, model),
	);
}

/** Tries the candidates in order until one answers. @throws as `callWithFailover` */
export function ask(
	parts: Parts,
	execution: Execution,
	candidates: readonly Model[],
	{ begun, isRouted }: { begun: number; isRouted: boolean },
) {
	const { providerById, health, internet, settings } = parts;
	const { call, signal, settlement } = execution;
	const isStream = call.request.stream === true;
	return callWithFailover(
		candidates,
		(model, isLast) => attempt(parts, execution, model, isLast),
		{
			...{ providerById, health, internet, signal, isRouted },
			isAffordable: settlement.affords,
			deadline: begun + patienceMs(isStream, settings.timings),
		},
	);
}

/** How long the gateway may start new attempts. */
function patienceMs(isStream: boolean, timings: Timings): number {
	return isStream
		? (patience + 2) * timings.firstTokenMs
		: 2 * timings.answerMs;
}

/** The first token of a longer prompt takes its time. */
const hurriedTokensMax = 16_000;

/** Calls one provider once. @throws Fault */
async function attempt(
	{ upstream, firstTokens }: Parts,
	{ call, signal, settlement, prepared }: Execution,
	model: Model,
	isLast: boolean,
): Promise<UpstreamStream | Completion> {
	const {
		provider,
		call: providerCall,
		promptTokens,
	} = prepared.get(model.id) as PreparedCall;
	signal.throwIfAborted();
	if (model.pdf === undefined && urlsOf(call.request, "file").length > 0)
		throw new Fault("client", `${model.display_name} doesn't read files`, {
			param: "messages",
		});
	settlement.attemptStarted(model);
	const isHurried = !isLast && promptTokens < hurriedTokensMax;

	async function send(sent: ProviderCall) {
		const begun = performance.now();
		const tookMs = () => performance.now() - begun;
		if (call.request.stream === true) {
			const stream = await upstream.stream(
				...([provider, sent, signal, isHurried] as const),
			);
			firstTokens.note(model, tookMs());
			return stream;
		}
		const answer = await upstream.complete(provider, sent, signal);
		const tokens =
			answer.usage?.completionTokens ??
			answerEstimate(bytesOfCompletion(answer));
		firstTokens.note(model, startOf(tookMs(), tokens));
		return answer;
	}

	try {
		return await send(providerCall).catch((error) => {
			if (!(error instanceof Fault)) throw error;
			const api = apiOf(provider, providerCall.params.over);
			const lesser = api.without?.(error, providerCall);
			if (!lesser) throw error;
			return send(lesser);
		});
	} catch (error) {
		if (error instanceof Fault) settlement.attemptFailed(model, error);
		throw error;
	}
}
