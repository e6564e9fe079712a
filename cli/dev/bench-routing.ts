import { type Model, readCatalogue } from "../../server/gateway/catalogue.ts";
import type { ChatRequest } from "../../server/gateway/chat.ts";
import { costOf, toDollars } from "../../server/gateway/prices.ts";
import { providers } from "../../server/gateway/providers/index.ts";
import { planAutoRoute } from "../../server/gateway/routing/auto-route.ts";
import {
	type Difficulty,
	difficultyOf,
} from "../../server/gateway/routing/difficulty.ts";
import { openFirstTokens } from "../../server/gateway/routing/first-tokens.ts";
import type { RoutingContext } from "../../server/gateway/routing/route-plan.ts";
import { policies } from "../../server/gateway/settings.ts";
import {
	heldOutSet,
	settledSet,
} from "../../server/gateway/testing/judged-requests.ts";
import { openTokenCounter, sizeOfPrompt } from "../../server/gateway/tokens.ts";
import type { Figure } from "./bench-kept.ts";

/** The least tier that a person finds strong enough. */
const tierFor: Record<Difficulty, number> = { plain: 1, usual: 3, hard: 4 };
const answerTokens = 500;

const requestOf = (content: string) =>
	({
		model: "gateway/auto",
		messages: [{ role: "user", content }],
	}) as ChatRequest;

/**
 * Scores how requests are judged, and each policy by the models that it chooses for them: how often they are strong enough,
 * and what they cost. No provider is called: prices and tiers are the catalogue's.
 */
export async function benchRouting(): Promise<Figure[]> {
	const tokens = openTokenCounter();
	const { models } = readCatalogue("/nowhere");
	const providerById = new Map(providers.map((one) => [one.id, one]));
	const context: RoutingContext = {
		...{ models, providerById, tokens, isOffline: false },
		isAvailable: ({ provider }) => !providerById.get(provider)?.isLocal,
		health: { waitMs: () => 0 },
		firstTokens: openFirstTokens(),
		explore: () => false,
	};
	const right = (set: typeof settledSet) =>
		percent(
			set,
			([wanted, text]) =>
				difficultyOf(requestOf(text), text.length / 4) === wanted,
		);
	const figures: Figure[] = [
		{
			what: "judged right, of those settled with",
			value: right(settledSet),
			unit: "%",
			reach: 90,
		},
		{
			what: "judged right, of those held out",
			value: right(heldOutSet),
			unit: "%",
			reach: 80,
		},
	];
	const all = [...settledSet, ...heldOutSet];
	for (const policy of policies) {
		const chosen = all.map(([wanted, text]) => {
			const request = requestOf(text);
			const size = sizeOfPrompt(request);
			const [model] = planAutoRoute(request, size, { policy }, context)
				.candidates as [Model];
			const promptTokens = tokens.estimate(size, model);
			const cost = costOf(model, {
				promptTokens,
				completionTokens: answerTokens,
			});
			return { isStrong: model.tier >= tierFor[wanted], cost };
		});
		const cost = chosen.reduce((sum, one) => sum + one.cost, 0);
		figures.push(
			{
				what: `${policy}: strong enough`,
				value: percent(chosen, ({ isStrong }) => isStrong),
				unit: "%",
				...(policy === "balanced" && { reach: 90 }),
			},
			{
				what: `${policy}: a thousand requests`,
				value: Number(((toDollars(cost) * 1_000) / all.length).toFixed(2)),
				unit: "USD",
			},
		);
	}
	return figures;
}

function percent<One>(all: readonly One[], is: (one: One) => boolean): number {
	return Math.round((all.filter(is).length * 100) / all.length);
}
