import type { Model } from "./catalogue.ts";
import type { Usage } from "./chat.ts";

/**
 * Costs are whole nanodollars, billionths of a USD. A price per million tokens has at most six decimals, so a token costs
 * whole picodollars, and only the sum is rounded.
 */
const nanosPerDollar = 1_000_000_000;

/** Computes a call's cost from the provider's own charge, or else from the list prices. Rounds half a nanodollar up. */
export function costOf({ pricing }: Model, usage: Usage): number {
	if (usage.costNanos !== undefined) return usage.costNanos;
	const { promptTokens, completionTokens } = usage.billed ?? usage;
	const tier = pricing.tiers?.findLast(
		({ input_tokens_above }) => promptTokens > input_tokens_above,
	);
	const input = tier?.input ?? pricing.input;
	const cached = Math.min(usage.cachedTokens ?? 0, promptTokens);
	const written = Math.min(usage.cacheWriteTokens ?? 0, promptTokens - cached);
	const tokens = nanosOf([
		[promptTokens - cached - written, input],
		[cached, tier?.cache_read ?? pricing.cache_read ?? input],
		[written, writePriceOf(pricing, input)],
		[completionTokens, tier?.output ?? pricing.output],
	]);
	return tokens + toNanos(pricing.request ?? 0);
}

/** Catalogues give one cache-write price; for longer prompts it rises in proportion to the input price. */
export function writePriceOf(
	{ cache_write, input: usual }: Model["pricing"],
	input: number,
): number {
	if (cache_write === undefined || usual === 0) return cache_write ?? input;
	return (cache_write * input) / usual;
}

/** Computes the most that a call can cost, with the whole prompt at the highest prompt price. */
export function costBound(
	model: Model,
	promptTokens: number,
	completionTokens: number,
): number {
	const { cache_write = 0, input } = model.pricing;
	return Math.max(
		costOf(model, { promptTokens, completionTokens }),
		cache_write > input
			? costOf(model, {
					promptTokens,
					completionTokens,
					cacheWriteTokens: promptTokens,
				})
			: 0,
	);
}

function nanosOf(parts: [tokens: number, usdPerMillion: number][]): number {
	let picos = 0n;
	for (const [tokens, usdPerMillion] of parts)
		picos += BigInt(tokens) * BigInt(Math.round(usdPerMillion * 1_000_000));
	return Number((picos + 500n) / 1_000n);
}

/** @example toNanos(0.25) === 250_000_000 */
export function toNanos(dollars: number): number {
	return Math.round(dollars * nanosPerDollar);
}

/** @example toDollars(250_000_000) === 0.25 */
export function toDollars(nanos: number): number {
	return nanos / nanosPerDollar;
}
