import { type Model, promptMax } from "../catalogue.ts";
import { type ChatRequest, urlsOf } from "../chat.ts";
import { GatewayError } from "../errors.ts";
import type { Health } from "../health.ts";
import type { Provider } from "../providers/provider.ts";
import { isRefused } from "../refusals.ts";
import type { PromptSize, TokenCounter } from "../tokens.ts";
import type { FirstTokens } from "./first-tokens.ts";

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
	health: Pick<Health, "waitMs">;
	firstTokens: Pick<FirstTokens, "expected" | "isFresh">;
	/** Returns true if this request may go to a model that was not measured lately. */
	explore(): boolean;
	tokens: Pick<TokenCounter, "estimate">;
	isOffline: boolean;
}

/** The most candidates for one answer, besides a local model. */
export const candidatesMax = 4;

/** The features besides text that a request needs. */
export function needsOf(request: ChatRequest): string[] {
	const { tools, response_format, reasoning_effort } = request;
	const images = urlsOf(request, "image_url");
	const files = urlsOf(request, "file");
	const isLink = (url: string) => url.startsWith("http");
	return [
		tools?.length ? "tools" : "",
		images.length > 0 ? "image" : "",
		images.some(isLink) ? "image-url" : "",
		files.length > 0 ? "file" : "",
		files.some(isLink) ? "file-url" : "",
		response_format?.type === "json_object" ? "json" : "",
		response_format?.type === "json_schema" ? "json-schema" : "",
		reasoning_effort !== undefined && reasoning_effort !== "none"
			? "reasoning"
			: "",
	].filter((need) => need !== "");
}

export function canDo(
	{ capabilities, provider: id, refusals = [], pdf }: Model,
	needs: readonly string[],
	{ providerById }: RoutingContext,
): boolean {
	const { takes = [], lacks = [] } = providerById.get(id) ?? {};
	return needs.every((need) => {
		if (need === "tools") return capabilities.tool_use;
		if (need === "image") return capabilities.vision;
		if (need === "image-url") return !lacks.includes("image_url");
		if (need === "file") return pdf !== undefined;
		if (need === "file-url") return !lacks.includes("file_url");
		if (need === "reasoning") return capabilities.reasoning;
		if (!takes.includes("response_format")) return false;
		const format = need === "json" ? "json_object" : "json_schema";
		return (
			!(format === "json_object" && lacks.includes(format)) &&
			!refusals.some((one) =>
				isRefused(one, "response_format", { response_format: format }),
			)
		);
	});
}

/** The relative error of a typical estimate. */
export const margin = 1.15;

/** Leaves room for the estimate's error with Ollama, which silently truncates a prompt that is too long. */
export function fits(
	model: Model,
	size: PromptSize,
	{ tokens, providerById }: RoutingContext,
): boolean {
	const isLocal = providerById.get(model.provider)?.isLocal;
	const estimate = tokens.estimate(size, model);
	return estimate * (isLocal ? margin : 1) < promptMax(model);
}

/** True in doubt: the provider of a named model counts exactly and refuses a prompt that is too long. */
export function mayFit(
	model: Model,
	size: PromptSize,
	context: RoutingContext,
): boolean {
	const { isLocal } = context.providerById.get(model.provider) as Provider;
	return isLocal
		? fits(model, size, context)
		: context.tokens.estimate(size, model) < promptMax(model) * margin;
}

/** Refuses a prompt with both token counts and OpenAI's error code, before anything is sent. */
export function tooLong(
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
