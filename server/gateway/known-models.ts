import type { Model } from "./catalogue.ts";
import type { LocalModels } from "./local-models.ts";
import type { Provider } from "./providers/provider.ts";
import type { RoutingContext } from "./route-plan.ts";

export interface ListedModel {
	model: Model;
	isAvailable: boolean;
}

type OnlineContext = Omit<RoutingContext, "isOffline">;

interface KnownModels {
	/** The models that Ollama listed. */
	running: Model[];
	all: ListedModel[];
	context: OnlineContext;
}

/** Lists the catalogue's models and those of a running Ollama, and tells which are available. */
export function openKnownModels({
	listed,
	local,
	providerById,
	hasKey,
	health,
	tokens,
}: {
	listed: readonly Model[];
	local: LocalModels;
	providerById: ReadonlyMap<string, Provider>;
	hasKey(provider: Provider): boolean;
	health: RoutingContext["health"];
	tokens: RoutingContext["tokens"];
}) {
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
			const all = [
				...listed
					.filter(
						({ id, upstream_id, provider }) =>
							providerById.has(provider) &&
							!ids.has(id) &&
							!names.has(upstream_id),
					)
					.map((model) => ({ model, isAvailable: isAvailable(model) })),
				...running.map((model) => ({ model, isAvailable: true })),
			];
			const available = new Set(
				all.filter((it) => it.isAvailable).map(({ model }) => model),
			);
			known = {
				running,
				all,
				context: {
					models: all.map(({ model }) => model),
					providerById,
					isAvailable: (model) =>
						model.isUnlisted ? isAvailable(model) : available.has(model),
					health,
					tokens,
				},
			};
			return known;
		},
	};
}
