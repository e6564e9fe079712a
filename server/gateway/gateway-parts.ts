import type { Logger } from "pino";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Store } from "../../sync/store/store.ts";
import { type AnswerCache, openCache } from "./answer-cache.ts";
import { type Model, readCatalogue } from "./catalogue.ts";
import { type Health, openHealth } from "./health.ts";
import { type Internet, openInternet } from "./internet.ts";
import { openKnownModels } from "./known-models.ts";
import { openLocalModels } from "./local-models.ts";
import { type Meter, openMeter } from "./meter.ts";
import { providers } from "./providers/index.ts";
import type { Provider } from "./providers/provider.ts";
import {
	type Conversations,
	openConversations,
} from "./routing/conversations.ts";
import { type FirstTokens, openFirstTokens } from "./routing/first-tokens.ts";
import type { GatewaySettings } from "./settings.ts";
import { openTokenCounter, type TokenCounter } from "./tokens.ts";
import { openUpstream, type Upstream } from "./upstream.ts";

export interface Options {
	store: Store;
	env: Env;
	dataDir: string;
	settings: GatewaySettings;
	log: Logger;
	/** Makes a meter that also counts elsewhere. */
	counting?: ((meter: Meter) => Meter) | undefined;
}

/** The gateway's parts that all calls share. */
export interface Parts {
	settings: GatewaySettings;
	log: Logger;
	providerById: ReadonlyMap<string, Provider>;
	hasKey(provider: Provider): boolean;
	models: ReturnType<typeof openKnownModels>;
	embeddings: readonly Model[];
	health: Health;
	firstTokens: FirstTokens;
	conversations: Conversations;
	internet: Internet;
	tokens: TokenCounter;
	upstream: Upstream;
	meter: Meter;
	cache: AnswerCache;
}

/** @throws SettingsError if the data directory's catalogue can't be read */
export function openParts({
	store,
	env,
	dataDir,
	settings,
	log,
	counting = (meter) => meter,
}: Options): Parts {
	const { models: listed, embeddings } = readCatalogue(dataDir);
	const providerById = new Map(providers.map((it) => [it.id, it]));
	const hasKey = ({ id, isLocal }: Provider) =>
		isLocal === true || settings.providers[id]?.key !== undefined;
	const internet = openInternet(
		providers
			.filter((provider) => hasKey(provider) && !provider.isLocal)
			.map(({ id }) => settings.providers[id]?.baseUrl ?? ""),
	);
	const local = openLocalModels(
		settings.providers.ollama?.baseUrl ?? "",
		listed,
		settings.localContextLength,
	);
	const health = openHealth();
	const firstTokens = openFirstTokens();
	const tokens = openTokenCounter();
	const onFault = (err: unknown) => log.error({ err });
	return {
		settings,
		log,
		providerById,
		hasKey,
		embeddings,
		models: openKnownModels({
			listed,
			embeddings,
			local,
			providerById,
			hasKey,
			health,
			firstTokens,
			tokens,
			explore: () => Math.random() < settings.exploring,
		}),
		health,
		firstTokens,
		conversations: openConversations(),
		internet,
		tokens,
		upstream: openUpstream(settings.providers, settings.timings, internet),
		meter: counting(openMeter(store, env, onFault)),
		cache: openCache(store, env, settings.cacheBytes, onFault),
	};
}
