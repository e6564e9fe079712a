import type { Model } from "./catalogue.ts";
import type { Usage } from "./chat.ts";

/**
 * Costs are whole nanodollars, billionths of a USD: prices of up to six decimals per million tokens make whole
 * picodollars per token, and only their sum is rounded.
 */
const nanosPerDollar = 1_000_000_000;

/** What a call cost, by what the provider said or else by the list's prices. Half a nanodollar is rounded up. */
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

/** Lists give it once; of a longer prompt it is as much dearer as the rest. */
function writePriceOf(
	{ cache_write, input: usual }: Model["pricing"],
	input: number,
): number {
	if (cache_write === undefined || usual === 0) return cache_write ?? input;
	return (cache_write * input) / usual;
}

/** What a call can cost at most: its prompt at the dearest price that a prompt may have. */
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
