import { ask, type Execution, prepareFor } from "./asking.ts";
import type { AnswerInfo, ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import type { Completion } from "./chat.ts";
import type { Parts } from "./gateway-parts.ts";
import { keep } from "./keep-answer.ts";
import type { PreparedCall } from "./prepare.ts";
import type { Chunk } from "./providers/provider.ts";
import { autoModel, planAutoRoute } from "./routing/auto-route.ts";
import { planNamedRoute } from "./routing/named-route.ts";
import type { RoutePlan, RoutingContext } from "./routing/route-plan.ts";
import { bytesOfCompletion, openSettlement } from "./settlement.ts";
import { readStream } from "./stream-answer.ts";
import { type PromptSize, sizeOfPrompt } from "./tokens.ts";

/** Makes one call: plans the route, reserves the cost, tries the candidates and settles the real cost. */
export async function execute(
	parts: Parts,
	call: ChatCall,
	key: string | undefined,
	signal: AbortSignal,
): Promise<{ head: AnswerInfo; parts: Completion[] | AsyncGenerator<Chunk> }> {
	const { tokens, meter } = parts;
	const { request, payer } = call;
	const begun = performance.now();
	const size = sizeOfPrompt(request);
	const { candidates, reasonFor } = await planRoute(parts, call, size);
	const prepared = new Map(
		candidates.map((model) => [model.id, prepareFor(parts, call, size, model)]),
	);
	const preparedOf = ({ id }: Model) => prepared.get(id) as PreparedCall;
	const boundOf = (model: Model) => preparedOf(model).bound();
	const reservation = await meter.reserve(payer, () => candidates.map(boundOf));
	const reason = reasonFor(candidates[0] as Model);
	const settlement = openSettlement({
		...{ meter, reservation, call, preparedOf, tokens, reason, begun },
	});
	const execution: Execution = { call, key, signal, settlement, prepared };
	try {
		const { model, value, attempts, failed } = await ask(
			parts,
			execution,
			affordableOf(candidates, reservation, boundOf),
			{ begun, isRouted: request.model === autoModel },
		);
		const info: AnswerInfo = {
			model: model.id,
			route: reasonFor(model),
			attempts,
			failed,
			cache: key === undefined ? "off" : "miss",
			report: [...new Set(preparedOf(model).report)],
		};
		settlement.contentStarted(info, model);
		if (request.model === autoModel) parts.conversations.note(call, model.id);
		parts.log.info(
			{ ...info, asked: request.model, business: payer.businessId },
			"A model was chosen",
		);
		return {
			head: info,
			parts:
				"rest" in value
					? readStream(
							parts,
							execution,
							{ model, stream: value, others: othersOf(candidates, model) },
							info,
						)
					: [readWhole(parts, execution, value, info)],
		};
	} catch (error) {
		throw settlement.failed(error, signal);
	}
}

async function planRoute(
	{ models, internet, settings, conversations }: Parts,
	call: ChatCall,
	size: PromptSize,
): Promise<RoutePlan> {
	const { request, policy = settings.policy } = call;
	const { fallback = settings.fallback } = call;
	const { context } = await models.known();
	const now: RoutingContext = { ...context, isOffline: internet.isOffline };
	return request.model === autoModel
		? planAutoRoute(
				request,
				size,
				{ policy, last: conversations.modelOf(call) },
				now,
			)
		: planNamedRoute(request, size, fallback, now);
}

/** The candidates that cost at most the reservation; all of them if no budget has a limit. */
export function affordableOf(
	candidates: readonly Model[],
	{ held }: { held?: { amount: number } },
	boundOf: (model: Model) => number,
): readonly Model[] {
	return held
		? candidates.filter((model) => boundOf(model) <= held.amount)
		: candidates;
}

/** Those behind the model that answers, and at last it again. */
function othersOf(candidates: readonly Model[], model: Model): Model[] {
	return [...candidates.slice(candidates.indexOf(model) + 1), model];
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
	keep(parts, call, key, counted, info);
	return counted;
}
