import type { Model } from "../catalogue.ts";
import { toDollars } from "../prices.ts";
import type { Policy } from "../settings.ts";

/** What a route compares models by. */
export interface Measures {
	/** In nanodollars. */
	cost(model: Model): number;
	/** Milliseconds until the first token. */
	latency(model: Model): number;
	tierWanted: number;
}

/** How the first candidate came to its place: by rank, as its conversation's model, or to be measured. */
export type Placed = "ranked" | "stays" | "tried";

/** How many models the reason says something of, besides the one that answers. */
const runnersUp = 2;

/** Says of the model that answers what it was chosen by. */
export function numbersOf(model: Model, { cost, latency }: Measures): string[] {
	return [
		`tier=${model.tier}`,
		`usd=${toDollars(cost(model)).toFixed(6)}`,
		`ms=${Math.round(latency(model))}`,
	];
}

/**
 * Says why the best of the other models did not answer: `not a/b is dearer: usd=0.002, c/d is slower: ms=900`.
 *
 * @param ranked the models by rank, whatever their places became
 */
export function othersThan(
	model: Model,
	ranked: readonly Model[],
	how: { policy: Policy; placed: Placed; isFirst: boolean },
	measures: Measures,
): string {
	const others = ranked.filter((one) => one !== model).slice(0, runnersUp);
	const at = ranked.indexOf(model);
	const reasons = others.map((other) => {
		const isBetter = ranked.indexOf(other) < at;
		const why = !isBetter
			? whyBehind(other, model, how.policy, measures)
			: !how.isFirst
				? "was before it"
				: how.placed === "stays"
					? "would begin the conversation again"
					: "was measured lately";
		return `${other.id} ${why}`;
	});
	return reasons.length > 0 ? `not ${reasons.join(", ")}` : "";
}

function whyBehind(
	other: Model,
	model: Model,
	policy: Policy,
	{ cost, latency, tierWanted }: Measures,
): string {
	const dearer = cost(other) / cost(model) || 1;
	const slower = latency(other) / latency(model);
	const isWeaker =
		policy === "best"
			? other.tier < model.tier
			: policy === "balanced" && other.tier < Math.min(tierWanted, model.tier);
	if (isWeaker) return `is weaker: tier=${other.tier}`;
	if (policy !== "fast" && dearer >= slower && dearer > 1)
		return `is dearer: usd=${toDollars(cost(other)).toFixed(6)}`;
	if (slower > 1) return `is slower: ms=${Math.round(latency(other))}`;
	return dearer > 1
		? `is dearer: usd=${toDollars(cost(other)).toFixed(6)}`
		: "is as good";
}
