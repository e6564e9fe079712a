import { describeUnlisted, findModels, type Model } from "../catalogue.ts";
import type { ChatRequest } from "../chat.ts";
import { GatewayError } from "../errors.ts";
import type { Provider } from "../providers/provider.ts";
import { keyVariable } from "../settings.ts";
import type { PromptSize } from "../tokens.ts";
import {
	canDo,
	candidatesMax,
	fits,
	mayFit,
	needsOf,
	type RoutePlan,
	type RoutingContext,
	tooLong,
} from "./route-plan.ts";

/**
 * Plans a request that names its model: that model, then the configured fallbacks.
 *
 * @throws GatewayError 404 for an unknown model; 400 if its provider has no key or it can't take the request
 */
export function planNamedRoute(
	request: ChatRequest,
	size: PromptSize,
	fallback: readonly string[],
	context: RoutingContext,
): RoutePlan {
	const found = modelsNamed(request.model, context);
	const named = found.find(context.isAvailable);
	if (!named) {
		const [{ provider }] = found as [Model];
		const { name, isLocal } = context.providerById.get(provider) as Provider;
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
	if (!canDo(named, needs, context))
		throw new GatewayError(
			400,
			needs.includes("image-url") && named.capabilities.vision
				? `${named.id} takes images as data: URLs only`
				: `${named.id} takes no images`,
			{ param: "messages", code: "unsupported_value" },
		);
	if (!mayFit(named, size, context))
		throw tooLong(named, size, context, named.id);
	const unknown = fallback.filter(
		(id) => findModels(context.models, id).length === 0,
	);
	const standIns = fallback
		.flatMap((id) => findModels(context.models, id).slice(0, 1))
		.filter(
			(model) =>
				model.id !== named.id &&
				context.isAvailable(model) &&
				canDo(model, needsOf(request), context) &&
				fits(model, size, context),
		);
	return {
		candidates: [named, ...standIns].slice(0, candidatesMax),
		reasonFor: (model) =>
			model === named
				? [
						"named",
						named.isUnlisted && "unlisted: priced as its provider's dearest",
						standIns.length > 0 && "with fallback",
						unknown.length > 0 && `unknown fallback: ${listOfNames(unknown)}`,
					]
						.filter(Boolean)
						.join("; ")
				: `instead of=${named.id}`,
	};
}

/** The first of the names, as far as they fit into a record. */
function listOfNames(names: readonly string[]): string {
	return names
		.slice(0, 3)
		.map((name) => name.slice(0, 60))
		.join(", ");
}

/**
 * The models with that name; or one of a provider in use that no catalogue lists.
 *
 * @throws GatewayError 404
 */
export function modelsNamed(
	name: string,
	context: Pick<RoutingContext, "models" | "providerById">,
): Model[] {
	const found = findModels(context.models, name);
	if (found.length > 0) return found;
	const other = unwritable.test(name)
		? undefined
		: describeUnlisted(context.models, name);
	if (!other || context.providerById.get(other.provider)?.isLocal)
		throw new GatewayError(404, `There is no model ${JSON.stringify(name)}`, {
			param: "model",
			code: "model_not_found",
		});
	return [other];
}

/** What neither an address nor every database takes: control characters and halves of letters. */
const unwritable = /[\p{Cc}\p{Cs}]/u;
