import OpenAI from "openai";
import type { ServerLimits } from "../../start.ts";
import { openTestServer, type TestUser } from "../../testing/server.ts";
import { providers } from "../providers/index.ts";
import { wallOf } from "./provider-limits.ts";
import {
	type Dialect,
	type FakeProvider,
	type LocalModel,
	openFakeProvider,
} from "./providers.ts";

const dialectByProvider: Record<string, Dialect> = {
	anthropic: "anthropic",
	google: "gemini",
	cohere: "cohere",
};

export const fakeKey = (provider: string) =>
	`sk-fake-${provider}-0123456789abcdef`;

/** Opens a server with fake providers, and an owner who calls it with OpenAI's client. */
export async function openTestGateway<Name extends string>(
	names: readonly Name[],
	{
		env = {},
		limits = {},
		localModels,
	}: {
		env?: NodeJS.ProcessEnv;
		limits?: Partial<ServerLimits>;
		localModels?: LocalModel[];
	} = {},
) {
	const fakes = {} as Record<Name, FakeProvider>;
	const settings: Record<string, string> = {
		// Keeps an Ollama on this machine out of the tests.
		OLLAMA_BASE_URL: "http://127.0.0.1:9",
		GATEWAY_EXPLORING: "0",
	};
	for (const name of names) {
		const provider = providers.find(({ id }) => id === name);
		const path = new URL(provider?.baseUrl ?? "").pathname.replace(/\/$/, "");
		const fake = await openFakeProvider(dialectByProvider[name] ?? "chat", {
			path,
			models: localModels,
			wall: wallOf(name),
		});
		fakes[name] = fake;
		settings[`${name.toUpperCase()}_BASE_URL`] = fake.url;
		if (!provider?.isLocal)
			settings[`${name.toUpperCase()}_API_KEY`] = fakeKey(name);
	}
	const server = await openTestServer({ ...settings, ...env }, limits);
	const asha = await server.addUser("Asha");
	return { server, asha, fakes, client: openClient(server.url, asha) };
}

export function openClient(
	url: string,
	{ bearer }: Pick<TestUser, "bearer">,
	options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {},
): OpenAI {
	return new OpenAI({
		baseURL: `${url}/v1`,
		apiKey: bearer.replace("Bearer ", ""),
		maxRetries: 0,
		...options,
	});
}
