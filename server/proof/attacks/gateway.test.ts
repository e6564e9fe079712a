import { expect, test } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { providers } from "../../gateway/providers/index.ts";
import { fakeKey, openTestGateway } from "../../gateway/testing/gateway.ts";
import {
	hosted,
	openHost,
	pages,
} from "../../releases/testing/release-host.ts";
import { stopClocks } from "../../testing/clocks.ts";
import { key, openBehind, openPeer } from "./testing/upstream.ts";

const messages = [{ role: "user", content: "Habari?" }];

/** Fields by which callers of other gateways choose the URL or the key. */
const steering = (url: string) => ({
	api_base: url,
	base_url: url,
	baseURL: url,
	baseUrl: url,
	api_key: "sk-mine",
	apiKey: "sk-mine",
	api_version: "../../x",
	headers: { host: "evil", authorization: "Bearer mine" },
	extra_headers: { host: "evil" },
	extra_body: { model: "other", api_base: url },
	extra_query: { x: "1" },
	default_headers: { host: "evil" },
	proxy: url,
	organization: "mine",
	custom_llm_provider: "openai",
	provider: { order: ["mine"], base_url: url },
	models: ["other"],
	route: "fallback",
	transforms: [],
	plugins: [{ id: "web" }],
	fallbacks: [{ model: "other", api_base: url }],
	litellm_params: { api_base: url },
	mock_response: "mocked",
	businessId: "other",
	__proto: { api_base: url },
});

test("no request field changes the provider's URL, key or other headers", async () => {
	const localModels = [
		{ name: "qwen3:4b", capabilities: ["tools"], contextLength: 40_960 },
	];
	const names = providers.map(({ id }) => id);
	const trap = await openPeer();
	const { server, asha, fakes } = await openTestGateway(names, { localModels });
	const { body } = await server.ask("GET", "/v1/models", { as: asha });
	const { data } = body as {
		data: { id: string; provider: string; available: boolean }[];
	};
	for (const name of names) {
		const model = data.find((it) => it.provider === name && it.available)?.id;
		for (const stream of [false, true]) {
			const { url } = trap;
			const answer = await server.ask(
				"POST",
				`/v1/chat/completions?api_base=${url}&api_key=mine&key=mine`,
				{
					as: asha,
					headers: {
						"x-api-key": "sk-mine",
						"x-goog-api-key": "sk-mine",
						"api-key": "sk-mine",
						"openai-organization": "mine",
						"x-api-base": url,
						"x-portkey-custom-host": url,
						"x-forwarded-host": "evil.example",
					},
					body: { model, stream, messages, ...steering(url) },
				},
			);
			expect([name, answer.status]).toEqual([name, 200]);
			const received = fakes[name]?.received.at(-1);
			const told = JSON.stringify([received?.path, received?.headers]);
			expect(received?.headers.host).toBe(new URL(fakes[name]?.url ?? "").host);
			if (name !== "ollama") expect(told).toContain(fakeKey(name));
			expect(told).not.toMatch(/mine|evil/);
			const passedOn = Object.keys(steering(url)).filter(
				(field) => field in (received?.body ?? {}),
			);
			expect([name, passedOn]).toEqual([name, []]);
			expect(JSON.stringify(received?.body)).not.toContain(url);
			expect(answer.text).not.toContain(fakeKey(name));
		}
	}
	expect(trap.visits).toEqual([]);
	for (const name of names)
		expect(server.logged()).not.toContain(fakeKey(name));
});

oneIn(4)(
	"a provider's redirect is not followed, so the key doesn't leak",
	async () => {
		const trap = await openPeer();
		for (const status of [302, 308]) {
			const { ask, server } = await openBehind((response) => {
				response.writeHead(status, {
					location: `${trap.url}/latest/meta-data`,
				});
				response.end(`moved; your key is ${key}`);
			});
			for (const stream of [false, true]) {
				const answer = await ask(stream);
				expect([status, answer.status]).toEqual([status, 502]);
				expect(answer.text).not.toContain(key);
				expect(answer.text).not.toContain(trap.url);
			}
			expect(server.logged()).not.toContain(key);
			await server.close();
		}
		expect(trap.visits).toEqual([]);
	},
);

test("a reader can't change the source of releases", async () => {
	const trap = await openPeer();
	const { server, asked } = await openHost(
		pages([hosted(1, ["../../etc/cron.d/x.apk"])]),
	);
	for (const path of ["/api/releases", "/api/latest-release"]) {
		const plain = await server.ask("GET", path);
		const steered = await server.ask(
			"GET",
			`${path}?url=${trap.url}&repo=evil/app&apiUrl=${trap.url}&page=../../x&per_page=1`,
			{ headers: { "x-forwarded-host": "evil.example" } },
		);
		expect([steered.status, steered.text]).toEqual([200, plain.text]);
	}
	expect(trap.visits).toEqual([]);
	for (const path of asked)
		expect(path).toMatch(/^\/repos\/counterfoil\/app\/releases\?/);
});

test("fifty concurrent calls can't exceed their key's budget or rate limit", async () => {
	stopClocks();
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const made = async (limits: object) => {
		const { body } = await server.ask("POST", "/api/keys", {
			as: asha,
			body: { name: "Till", ...limits },
		});
		return body as { id: string; key: string };
	};
	const ask = ({ key }: { key: string }, n: number) =>
		server.ask("POST", "/v1/chat/completions", {
			headers: { authorization: `Bearer ${key}` },
			// Each call differs, since equal calls would share one.
			body: {
				model: "gpt-4o",
				max_tokens: 100,
				messages: [{ role: "user", content: `${n}` }],
			},
		});
	const all = (key: { key: string }) =>
		Promise.all(Array.from({ length: 50 }, (_, n) => ask(key, n)));
	const count = (answers: { status: number }[], status: number) =>
		answers.filter((answer) => answer.status === status).length;

	fakes.openai.act({ delayMs: 200 });
	const poor = await made({ monthlyBudget: 0.01 });
	const answers = await all(poor);
	expect(count(answers, 200) + count(answers, 429)).toBe(50);
	expect(count(answers, 200)).toBe(fakes.openai.received.length);
	expect(count(answers, 429)).toBeGreaterThan(0);
	expect(count(answers, 200)).toBeGreaterThan(0);
	await server.ask("GET", "/api/keys", { as: asha });
	const [month] = await server.rows(
		"SELECT spent, reserved FROM ai_months WHERE account = ?",
		poor.id,
	);
	expect(month?.reserved).toBe(0);
	expect(month?.spent).toBeGreaterThan(0);
	expect(month?.spent).toBeLessThanOrEqual(10_000_000);

	const before = fakes.openai.received.length;
	const slow = await made({ requestsPerMinute: 5 });
	const limited = await all(slow);
	expect([count(limited, 200), count(limited, 429)]).toEqual([5, 45]);
	expect(fakes.openai.received.length - before).toBe(5);
	expect(
		limited.find(({ status }) => status === 429)?.headers.get("retry-after"),
	).not.toBeNull();
});

test("requests that a slow provider keeps waiting make room for others', the oldest of who has the most first", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"], {
		limits: { arrivingBytes: 1_000_000 },
	});
	const baraka = await server.addUser("Baraka");
	await server.allowAi(baraka);
	const provider = Promise.withResolvers<void>();
	fakes.openai.act(() => ({ until: provider.promise }));
	const { received } = fakes.openai;
	const answers: Promise<number | "cut off">[] = [];
	for (const [i, as] of [baraka, asha, asha, asha, asha, baraka].entries()) {
		const content = `${i} ${"a".repeat(190_000)}`;
		const body = { model: "gpt-4o", messages: [{ role: "user", content }] };
		const answer = server.ask("POST", "/v1/chat/completions", { as, body });
		answers.push(
			answer.then(
				({ status }) => status,
				() => "cut off",
			),
		);
		await expect.poll(() => received.length).toBe(i + 1);
	}
	await expect.poll(() => received[1]?.isAborted).toBe(true);
	provider.resolve();
	expect(await Promise.all(answers)).toEqual([
		...[200, "cut off", 200],
		...[200, 200, 200],
	]);
});
