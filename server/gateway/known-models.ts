import type { Model } from "./catalogue.ts";
import type { LocalModels } from "./local-models.ts";
import type { Provider } from "./providers/provider.ts";
import type { RoutingContext } from "./routing/route-plan.ts";

export interface ListedModel {
	model: Model;
	isAvailable: boolean;
	/** What it makes of a text: an answer, or a vector. */
	kind: "chat" | "embedding";
}

type OnlineContext = Omit<RoutingContext, "isOffline">;

interface KnownModels {
	/** The models that Ollama listed. */
	running: Model[];
	/** The models that chat. */
	all: ListedModel[];
	embeddings: ListedModel[];
	context: OnlineContext;
}

/** Lists the catalogue's models and those of a running Ollama, and tells which are available. */
export function openKnownModels({
	listed,
	embeddings,
	local,
	providerById,
	hasKey,
	...circumstances
}: {
	listed: readonly Model[];
	/** The catalogue's models that turn texts into vectors. */
	embeddings: readonly Model[];
	local: LocalModels;
	providerById: ReadonlyMap<string, Provider>;
	hasKey(provider: Provider): boolean;
} & Pick<RoutingContext, "health" | "firstTokens" | "tokens" | "explore">) {
	let known: KnownModels | undefined;

	function isAvailable({ provider: id }: Model): boolean {
		const provider = providerById.get(id);
		return provider !== undefined && !provider.isLocal && hasKey(provider);
	}

	return {
		async known(): Promise<KnownModels> {
			const running = await local.list();
			if (known?.running === running) return known;
			const names = new Set(running.map(({ upstream_id }) => upstream_id));
			const ids = new Set(running.map(({ id }) => id));
			const all: ListedModel[] = [
				...listed
					.filter(
						({ id, upstream_id, provider }) =>
							providerById.has(provider) &&
							!ids.has(id) &&
							!names.has(upstream_id),
					)
					.map((model) => ({
						model,
						isAvailable: isAvailable(model),
						kind: "chat" as const,
					})),
				...running.map((model) => ({
					model,
					isAvailable: true,
					kind: "chat" as const,
				})),
			];
			const available = new Set(
				all.filter((it) => it.isAvailable).map(({ model }) => model),
			);
			known = {
				running,
				all,
				embeddings: embeddings.map((model) => ({
					model,
					// Ollama doesn't list these with the models that chat.
					isAvailable: providerById.get(model.provider)?.isLocal
						? running.length > 0
						: isAvailable(model),
					kind: "embedding",
				})),
				context: {
					models: all.map(({ model }) => model),
					providerById,
					isAvailable: (model) =>
						model.isUnlisted ? isAvailable(model) : available.has(model),
					...circumstances,
				},
			};
			return known;
		},
	};
}
