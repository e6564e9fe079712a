import { type Model, promptMax } from "../catalogue.ts";
import type { ChatRequest } from "../chat.ts";
import { GatewayError } from "../errors.ts";
import type { ListedModel } from "../known-models.ts";
import { requestedMaxTokens } from "../params.ts";
import { costOf } from "../prices.ts";
import type { Policy } from "../settings.ts";
import type { PromptSize } from "../tokens.ts";
import { type Difficulty, difficultyOf } from "./difficulty.ts";
import {
	type Measures,
	numbersOf,
	othersThan,
	type Placed,
} from "./reasons.ts";
import {
	canDo,
	candidatesMax,
	fits,
	needsOf,
	type RoutePlan,
	type RoutingContext,
	tooLong,
} from "./route-plan.ts";

export const autoModel = "gateway/auto";

/** Describes `gateway/auto` in the list of models, as the most that it can be. */
export function describeAuto(all: readonly ListedModel[]): ListedModel {
	const chosen = all.filter(({ isAvailable }) => isAvailable);
	const models = (chosen.length > 0 ? chosen : all).map(({ model }) => model);
	const most = (of: (model: Model) => number) => Math.max(0, ...models.map(of));
	const can = (what: keyof Model["capabilities"]) =>
		models.some(({ capabilities }) => capabilities[what]);
	const model: Model = {
		...{ id: autoModel, upstream_id: autoModel, provider: "gateway" },
		...{ owned_by: "counterfoil", display_name: "Automatic", created: 0 },
		context_window: most((one) => one.context_window),
		capabilities: {
			streaming: can("streaming"),
			tool_use: can("tool_use"),
			vision: can("vision"),
			reasoning: can("reasoning"),
		},
		pricing: {
			input: most(({ pricing }) => pricing.input),
			output: most(({ pricing }) => pricing.output),
		},
		...{ tier: 1 },
	};
	return { model, isAvailable: chosen.length > 0, kind: "chat" };
}

/** The assumed length of an answer in tokens. */
const usualAnswer = 800;
/** Assumed milliseconds to the first content, until some are measured. */
const usualLatency: Record<string, number> = {
	groq: 300,
	cerebras: 300,
	ollama: 900,
	perplexity: 2_500,
};
const latencyDefault = 1_000;
const reasoningLatency = 1_500;
/** The tier of models that is strong enough. */
const tierByDifficulty: Record<Difficulty, number> = {
	...{ plain: 2, usual: 3, hard: 4 },
};
/** What a model that is tried out may cost, as a multiple of the first choice. */
const triedCostMax = 2;

/**
 * Plans a `gateway/auto` request: the healthy models that can do what it needs, in the policy's order. A conversation stays with
 * its model, and now and then one is tried of which little is known.
 *
 * @param last the model that answered the conversation so far
 * @throws GatewayError 503 if no model is configured or fits; 400 if the prompt is too long for each
 */
export function planAutoRoute(
	request: ChatRequest,
	size: PromptSize,
	{ policy, last }: { policy: Policy; last?: string | undefined },
	context: RoutingContext,
): RoutePlan {
	const needs = needsOf(request);
	const { available, healthy } = healthyModels(needs, size, context);
	const isLocal = ({ provider }: Model) =>
		context.providerById.get(provider)?.isLocal;
	const latency = (model: Model) => latencyOf(model, context);
	const cost = (model: Model) =>
		costOf(model, {
			promptTokens: context.tokens.estimate(size, model),
			completionTokens: Math.min(requestedMaxTokens(request), usualAnswer),
		});
	const tierWanted =
		tierByDifficulty[
			difficultyOf(request, context.tokens.estimate(size, healthy[0] as Model))
		];
	const measures: Measures = { latency, cost, tierWanted };
	const rank = rankBy(policy, measures);
	// Perplexity charges a search fee for each request, so a caller has to name it.
	const usual = healthy.filter(({ provider }) => provider !== "perplexity");
	const ranked = (usual.length > 0 ? usual : healthy)
		.map((model) => ({ model, rank: rank(model) }))
		.sort((a, b) => compare(a.rank, b.rank) || compareIds(a.model, b.model))
		.map(({ model }) => model);
	const { first, placed } = placeFirst(ranked, last, () =>
		policy === "balanced" || policy === "fast"
			? toTry(ranked, rank, measures, context)
			: undefined,
	);
	const reasonFor = (model: Model) =>
		[
			`policy=${policy}`,
			needs.length > 0 ? `needs=${needs.join("+")}` : "",
			context.isOffline ? "offline" : "",
			`wanted=${tierWanted}`,
			`fits=${healthy.length}/${available.length}`,
			model === first ? "" : `instead of=${first.id}`,
			model === first && placed !== "ranked" ? placed : "",
			...numbersOf(model, measures),
			othersThan(
				model,
				ranked,
				{ policy, placed, isFirst: model === first },
				measures,
			),
		]
			.filter((part) => part !== "")
			.join("; ");
	const candidates = spread([first, ...ranked.filter((one) => one !== first)]);
	const local = ranked.find(isLocal);
	// The internet may fail while the other candidates are tried.
	if (local && !candidates.some(isLocal)) candidates.push(local);
	return { candidates, reasonFor };
}

/** Decides which model is asked first. */
function placeFirst(
	ranked: readonly Model[],
	last: string | undefined,
	tried: () => Model | undefined,
): { first: Model; placed: Placed } {
	const stays = ranked.find(({ id }) => id === last);
	if (stays) return { first: stays, placed: "stays" };
	const other = tried();
	if (other) return { first: other, placed: "tried" };
	return { first: ranked[0] as Model, placed: "ranked" };
}

/** Now and then, the best model whose latency is not known, as strong as the first choice and not much dearer. */
function toTry(
	ranked: readonly Model[],
	rank: (model: Model) => number[],
	{ cost }: Measures,
	{ firstTokens, explore }: RoutingContext,
): Model | undefined {
	const [best, ...others] = ranked as [Model, ...Model[]];
	if (!explore()) return undefined;
	return others.find(
		(model) =>
			!firstTokens.isFresh(model) &&
			rank(model)[0] === rank(best)[0] &&
			model.tier >= best.tier &&
			cost(model) <= cost(best) * triedCostMax,
	);
}

/**
 * The configured models, and those of them that are healthy and can do what a request needs.
 *
 * @throws GatewayError like `planAutoRoute`
 */
function healthyModels(
	needs: readonly string[],
	size: PromptSize,
	context: RoutingContext,
): { available: Model[]; healthy: Model[] } {
	const available = context.models.filter(context.isAvailable);
	if (available.length === 0)
		throw new GatewayError(
			503,
			"No provider is configured: set the API key of one, such as OPENAI_API_KEY, or run Ollama on this machine",
			{ code: "no_provider", shouldRetry: false },
		);
	const able = available.filter((model) => canDo(model, needs, context));
	if (able.length === 0)
		throw new GatewayError(
			400,
			`No configured model can do what this request needs: ${needs.join(", ")}`,
			{ param: "model", code: "unsupported_value" },
		);
	const fitting = able.filter((model) => fits(model, size, context));
	if (fitting.length === 0) {
		const widest = able.reduce((a, b) => (promptMax(a) < promptMax(b) ? b : a));
		throw tooLong(widest, size, context, "any configured model");
	}
	const reachable = fitting.filter(
		({ provider }) =>
			!context.isOffline || context.providerById.get(provider)?.isLocal,
	);
	if (reachable.length === 0) throw offlineError();
	const healthy = reachable.filter(
		(model) => context.health.waitMs(model) === 0,
	);
	// If every circuit is open, the first to half-open gives the Retry-After.
	if (healthy.length === 0)
		throw new GatewayError(
			503,
			"Every fitting model is failing now; try again later",
			{
				code: "overloaded",
				retryAfterMs: Math.min(...reachable.map(context.health.waitMs)),
			},
		);
	return { available, healthy };
}

function offlineError(): GatewayError {
	return new GatewayError(
		503,
		"The internet can't be reached, and no model on this machine fits",
		{ code: "offline", retryAfterMs: 5_000, shouldRetry: false },
	);
}

function latencyOf(
	model: Model,
	{ firstTokens }: Pick<RoutingContext, "firstTokens">,
): number {
	const { provider, capabilities, tier } = model;
	const usual = usualLatency[provider] ?? latencyDefault;
	const thinking = capabilities.reasoning ? reasoningLatency * (tier / 5) : 0;
	return firstTokens.expected(model, usual + thinking);
}

/** Sort keys for a policy: the first number counts before the second, and smaller is better. */
function rankBy(
	policy: Policy,
	{ latency, cost, tierWanted }: Measures,
): (model: Model) => number[] {
	switch (policy) {
		case "cheap":
			return (model) => [cost(model), -model.tier, latency(model)];
		case "fast":
			// A fast but useless model helps nobody.
			return (model) => [Number(model.tier < 2), latency(model), cost(model)];
		case "best":
			return (model) => [-model.tier, cost(model), latency(model)];
		case "balanced":
			// First the models strong enough, or the nearest; then by cost, where each second of latency adds the cost again.
			return (model) => [
				Math.max(0, tierWanted - model.tier),
				cost(model) * (1 + latency(model) / 1_000),
				latency(model),
			];
	}
}

function compare(a: readonly number[], b: readonly number[]): number {
	const at = a.findIndex((value, i) => value !== b[i]);
	return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function compareIds(a: Model, b: Model): number {
	return a.id < b.id ? -1 : 1;
}

/** Puts each provider's first model before any second one, since a provider's models often fail together. */
function spread(ranked: readonly Model[]): Model[] {
	const seen = new Set<string>();
	const firsts = ranked.filter(({ provider }) => {
		if (seen.has(provider)) return false;
		seen.add(provider);
		return true;
	});
	const others = ranked.filter((model) => !firsts.includes(model));
	return [...firsts, ...others].slice(0, candidatesMax);
}
