import { findModels, type Model, promptMax } from "./catalogue.ts";
import type { ChatRequest } from "./chat.ts";
import { hasImages } from "./chat.ts";
import { GatewayError } from "./errors.ts";
import type { Health } from "./health.ts";
import { requestedMaxTokens } from "./params.ts";
import { costOf, toDollars } from "./prices.ts";
import type { Provider } from "./providers/provider.ts";
import { keyVariable, type Policy } from "./settings.ts";
import type { PromptSize, TokenCounter } from "./tokens.ts";

export const autoModel = "gateway/auto";

/** The models to call, in order of preference, and why. */
export interface RoutePlan {
	candidates: Model[];
	/** Why this model was chosen, for the header and the log. */
	reasonFor(model: Model): string;
}

/** The circumstances that a route depends on. */
export interface RoutingContext {
	/** The catalogue's models and those of a running Ollama. */
	models: readonly Model[];
	providerById: ReadonlyMap<string, Provider>;
	/** Whether the provider has a key, or is local and running. */
	isAvailable(model: Model): boolean;
	health: Pick<Health, "waitMs" | "latencyMs">;
	tokens: Pick<TokenCounter, "estimate">;
	isOffline: boolean;
}

/** The most candidates for one answer, besides a local model. */
const candidatesMax = 4;
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
/** Prompts of at least this many tokens need a stronger model. */
const longPrompt = 8_000;

/**
 * Plans a `gateway/auto` request: the healthy models that can do what it needs, in the policy's order. The same request
 * in the same circumstances gets the same plan.
 *
 * @throws GatewayError 503 if no model is configured or fits; 400 if the prompt is too long for each
 */
export function planAutoRoute(
	request: ChatRequest,
	size: PromptSize,
	policy: Policy,
	field: RoutingContext,
): RoutePlan {
	const available = field.models.filter(field.isAvailable);
	if (available.length === 0)
		throw new GatewayError(
			503,
			"No provider is configured: set the API key of one, such as OPENAI_API_KEY, or run Ollama on this machine",
			{ code: "no_provider", shouldRetry: false },
		);
	const needs = needsOf(request);
	const able = available.filter((model) => canDo(model, needs, field));
	if (able.length === 0)
		throw new GatewayError(
			400,
			`No configured model can do what this request needs: ${needs.join(", ")}`,
			{ param: "model", code: "unsupported_value" },
		);
	const fitting = able.filter((model) => fits(model, size, field));
	if (fitting.length === 0) {
		const widest = able.reduce((a, b) => (promptMax(a) < promptMax(b) ? b : a));
		throw tooLong(widest, size, field, "any configured model");
	}
	const isLocal = ({ provider }: Model) =>
		field.providerById.get(provider)?.isLocal;
	const reachable = fitting.filter(
		(model) => !field.isOffline || isLocal(model),
	);
	if (reachable.length === 0) throw offlineError();
	const well = reachable.filter((model) => field.health.waitMs(model) === 0);
	// If every circuit is open, the first to half-open gives the Retry-After.
	if (well.length === 0)
		throw new GatewayError(
			503,
			"Every fitting model is failing now; try again later",
			{
				code: "overloaded",
				retryAfterMs: Math.min(...reachable.map(field.health.waitMs)),
			},
		);

	const latency = (model: Model) => latencyOf(model, field.health);
	const cost = (model: Model) =>
		costOf(model, {
			promptTokens: field.tokens.estimate(size, model),
			completionTokens: Math.min(requestedMaxTokens(request), usualAnswer),
		});
	const isLong = field.tokens.estimate(size, well[0] as Model) > longPrompt;
	const tierWanted = isLong || isHard(request, needs) ? 4 : 3;
	const rank = rankBy(policy, { latency, cost, tierWanted });
	// Perplexity charges a search fee for each request, so a caller has to name it.
	const usual = well.filter(({ provider }) => provider !== "perplexity");
	const ranked = (usual.length > 0 ? usual : well)
		.map((model) => ({ model, rank: rank(model) }))
		.sort((a, b) => compare(a.rank, b.rank) || compareIds(a.model, b.model))
		.map(({ model }) => model);
	const chosen = ranked[0] as Model;
	const why = (model: Model) =>
		[
			`policy=${policy}`,
			needs.length > 0 ? `needs=${needs.join("+")}` : "",
			field.isOffline ? "offline" : "",
			`fits=${well.length}/${available.length}`,
			model === chosen ? "" : `instead of=${chosen.id}`,
			`tier=${model.tier}`,
			`usd=${toDollars(cost(model)).toFixed(6)}`,
			`ms=${Math.round(latency(model))}`,
		]
			.filter((part) => part !== "")
			.join("; ");
	const candidates = spread(ranked);
	const local = ranked.find(isLocal);
	// The internet may fail while the other candidates are tried.
	if (local && !candidates.some(isLocal)) candidates.push(local);
	return { candidates, reasonFor: why };
}

/** The features besides text that a request needs. */
function needsOf(request: ChatRequest): string[] {
	const { tools, response_format, messages, reasoning_effort } = request;
	const hasUrls = messages.some(
		({ content }) =>
			Array.isArray(content) &&
			content.some(
				(part) => part.type === "image_url" && /^http/.test(part.image_url.url),
			),
	);
	return [
		tools?.length ? "tools" : "",
		hasImages(request) ? "image" : "",
		hasUrls ? "image-url" : "",
		response_format?.type === "json_object" ? "json" : "",
		response_format?.type === "json_schema" ? "json-schema" : "",
		reasoning_effort !== undefined && reasoning_effort !== "none"
			? "reasoning"
			: "",
	].filter((need) => need !== "");
}

function canDo(
	{ capabilities, provider: id, lacks: ownLacks = [] }: Model,
	needs: readonly string[],
	{ providerById }: RoutingContext,
): boolean {
	const { takes = [], lacks = [] } = providerById.get(id) ?? {};
	return needs.every((need) => {
		if (need === "tools") return capabilities.tool_use;
		if (need === "image") return capabilities.vision;
		if (need === "image-url") return !lacks.includes("image_url");
		if (need === "reasoning") return capabilities.reasoning;
		if (!takes.includes("response_format")) return false;
		const format = need === "json" ? "json_object" : "json_schema";
		return !lacks.includes(format) && !ownLacks.includes(format);
	});
}

/** The relative error of a typical estimate. */
const margin = 1.15;

/** Leaves room for the estimate's error with Ollama, which silently truncates a prompt that is too long. */
function fits(
	model: Model,
	size: PromptSize,
	{ tokens, providerById }: RoutingContext,
): boolean {
	const isLocal = providerById.get(model.provider)?.isLocal;
	const estimate = tokens.estimate(size, model);
	return estimate * (isLocal ? margin : 1) < promptMax(model);
}

/** True in doubt: the provider of a named model counts exactly and refuses a prompt that is too long. */
function mayFit(
	model: Model,
	size: PromptSize,
	field: RoutingContext,
): boolean {
	const { isLocal } = field.providerById.get(model.provider) as Provider;
	return isLocal
		? fits(model, size, field)
		: field.tokens.estimate(size, model) < promptMax(model) * margin;
}

/** Refuses a prompt with both token counts and OpenAI's error code, before anything is sent. */
function tooLong(
	model: Model,
	size: PromptSize,
	{ tokens }: RoutingContext,
	what: string,
): GatewayError {
	return new GatewayError(
		400,
		`The prompt is about ${tokens.estimate(size, model)} tokens long; ${what} takes ${promptMax(model)} at most`,
		{ param: "messages", code: "context_length_exceeded" },
	);
}

function offlineError(): GatewayError {
	return new GatewayError(
		503,
		"The internet can't be reached, and no model on this machine fits",
		{ code: "offline", retryAfterMs: 5_000, shouldRetry: false },
	);
}

function isHard(
	{ reasoning_effort }: ChatRequest,
	needs: readonly string[],
): boolean {
	return (
		needs.includes("json-schema") ||
		["high", "xhigh", "max"].includes(reasoning_effort ?? "")
	);
}

function latencyOf(
	{ id, provider, capabilities, tier }: Model,
	health: RoutingContext["health"],
): number {
	const measured = health.latencyMs({ id } as Model);
	if (measured !== undefined) return measured;
	const usual = usualLatency[provider] ?? latencyDefault;
	return usual + (capabilities.reasoning ? reasoningLatency * (tier / 5) : 0);
}

interface RankingInput {
	latency(model: Model): number;
	cost(model: Model): number;
	tierWanted: number;
}

/** Sort keys for a policy: the first number counts before the second, and smaller is better. */
function rankBy(
	policy: Policy,
	{ latency, cost, tierWanted }: RankingInput,
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

/**
 * Plans a request that names its model: that model, then the configured fallbacks.
 *
 * @throws GatewayError 404 for an unknown model; 400 if its provider has no key or it can't take the request
 */
export function planNamedRoute(
	request: ChatRequest,
	size: PromptSize,
	fallback: readonly string[],
	field: RoutingContext,
): RoutePlan {
	const requested = request.model;
	const found = findModels(field.models, requested);
	if (found.length === 0)
		throw new GatewayError(
			404,
			`There is no model ${JSON.stringify(requested)}`,
			{
				param: "model",
				code: "model_not_found",
			},
		);
	const named = found.find(field.isAvailable);
	if (!named) {
		const [{ provider }] = found as [Model];
		const { name, isLocal } = field.providerById.get(provider) as Provider;
		throw isLocal
			? new GatewayError(
					503,
					`${name} does not run on this machine, or does not have this model`,
					{ param: "model", code: "provider_not_running", shouldRetry: false },
				)
			: new GatewayError(
					400,
					`${name} is not configured: ${keyVariable(provider)} is missing in this server's settings`,
					{ param: "model", code: "provider_not_configured" },
				);
	}
	const needs = needsOf(request).filter((need) => need.startsWith("image"));
	if (!canDo(named, needs, field))
		throw new GatewayError(
			400,
			needs.includes("image-url") && named.capabilities.vision
				? `${named.id} takes images as data: URLs only`
				: `${named.id} takes no images`,
			{ param: "messages", code: "unsupported_value" },
		);
	if (!mayFit(named, size, field)) throw tooLong(named, size, field, named.id);
	const standIns = fallback
		.flatMap((id) => findModels(field.models, id).slice(0, 1))
		.filter(
			(model) =>
				model.id !== named.id &&
				field.isAvailable(model) &&
				canDo(model, needsOf(request), field) &&
				fits(model, size, field),
		);
	return {
		candidates: [named, ...standIns].slice(0, candidatesMax),
		reasonFor: (model) =>
			model === named
				? standIns.length > 0
					? "named; with fallback"
					: "named"
				: `instead of=${named.id}`,
	};
}
