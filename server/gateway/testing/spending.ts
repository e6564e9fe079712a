import { expect } from "vitest";
import type { Answer } from "../../testing/server.ts";
import { openClient, openTestGateway } from "./gateway.ts";

export const messages = [{ role: "user" as const, content: "Habari?" }];
export const named = { model: "gpt-4o", messages };
export const said = "Habari ya dunia: ☕ chai na 🍞 mkate";

type Opened = Awaited<ReturnType<typeof open>>;

/** Opens a gateway whose callers have keys, and reads their usage. */
export async function open(
	names: string[] = ["openai"],
	env: NodeJS.ProcessEnv = {},
) {
	const gateway = await openTestGateway(names, { env });
	const { server, asha } = gateway;
	return {
		...gateway,
		async addKey(limits: object = {}, as = asha) {
			const { status, body } = await server.ask("POST", "/api/keys", {
				as,
				body: { name: "Till", ...limits },
			});
			expect(status).toBe(201);
			const { key, id } = body as { key: string; id: string };
			const bearer = `Bearer ${key}`;
			return { id, key, bearer, client: openClient(server.url, { bearer }) };
		},
		async usage(as = asha) {
			const { body } = await server.ask("GET", "/api/usage", { as });
			return body as {
				totals: Record<string, number>;
				days: object[];
				models: { model: string; cost: number; calls: number }[];
				keys: { keyId: string | null; cost: number; calls: number }[];
			};
		},
		async ask(body: object = {}, headers: Record<string, string> = {}) {
			return server.ask("POST", "/v1/chat/completions", {
				...(headers.authorization ? {} : { as: asha }),
				headers,
				body: { ...named, ...body },
			});
		},
	};
}

/** Makes calls at once, of which the provider answers none before so many others are refused. */
export async function callAtOnce(
	{ fakes }: Pick<Opened, "fakes">,
	call: () => Promise<Answer>[],
	refused: number,
): Promise<Answer[]> {
	const { promise: until, resolve: answer } = Promise.withResolvers<void>();
	fakes.openai?.act({ until });
	const calls = call();
	let count = 0;
	for (const one of calls)
		void one.then(({ status }) => {
			if (status === 429) count += 1;
		});
	await expect.poll(() => count).toBe(refused);
	answer();
	return Promise.all(calls);
}

/** The number of calls that reached the provider. */
export const asks = ({ fakes }: Pick<Opened, "fakes">) =>
	fakes.openai?.received.length ?? 0;
