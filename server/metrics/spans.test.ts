import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { emptyRecord } from "../gateway/call-record.ts";
import type { Meter, Reservation } from "../gateway/meter.ts";
import { open } from "../gateway/testing/spending.ts";
import { openLogger } from "../operations/logger.ts";
import { openSpans } from "./spans.ts";

interface Span {
	traceId: string;
	name: string;
	attributes: { key: string; value: Record<string, unknown> }[];
	status?: { code: number };
}

/** A collector that keeps what it takes. @param statuses of its next answers, before 200 */
async function openCollector(statuses: number[] = []) {
	const received: { path?: string; token: unknown; text: string }[] = [];
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const part of request) text += part;
		const { url: path = "", headers } = request;
		const status = statuses.shift() ?? 200;
		if (status === 200) received.push({ path, token: headers.token, text });
		response.writeHead(status).end("{}");
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, received };
}

test("a collector gets a span of each AI call by provider, model, key, cache and failure, and never what was said", async () => {
	const { url, received } = await openCollector();
	const gateway = await open(["openai"], {
		OTEL_EXPORTER_OTLP_ENDPOINT: url,
		OTEL_EXPORTER_OTLP_HEADERS: "token=a%20secret",
	});
	const { id, bearer } = await gateway.addKey({ monthlyBudget: 1 });
	const authorization = bearer;
	await gateway.ask({ temperature: 0 }, { authorization });
	await gateway.ask({ temperature: 0 }, { authorization });
	gateway.fakes.openai?.act({
		...{ status: 400, body: { error: { message: "You said: Habari?" } } },
	});
	await gateway.ask({ seed: 3 });
	const { body } = await gateway.server.ask("GET", "/api/usage/calls", {
		as: gateway.asha,
	});
	const { calls } = body as { calls: { id: string }[] };
	await gateway.server.close();

	// More than one comes where the calls took longer than five seconds.
	const spans = received.flatMap(({ path, token, text }) => {
		expect([path, token]).toEqual(["/v1/traces", "a secret"]);
		expect(text).not.toMatch(/Habari|mkate|You said/);
		const [resource] = JSON.parse(text).resourceSpans;
		expect(resource.resource.attributes).toContainEqual({
			key: "service.name",
			value: { stringValue: "counterfoil" },
		});
		return resource.scopeSpans[0].spans as Span[];
	});
	expect(spans.map(({ traceId }) => traceId).sort()).toEqual(
		calls.map((call) => call.id.replaceAll("-", "")).sort(),
	);
	const told = spans.map(({ name, status, attributes }) => ({
		...{ name, isError: status?.code === 2 },
		...Object.fromEntries(
			attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
		),
	}));
	const asked = {
		...{ name: "chat gpt-4o", "gen_ai.operation.name": "chat" },
		...{ "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o" },
	};
	expect(told).toMatchObject([
		{
			...{ ...asked, isError: false, "counterfoil.key": id },
			...{ "gen_ai.response.model": "gpt-4o", "counterfoil.cache": "miss" },
			...{ "gen_ai.usage.input_tokens": "11" },
			...{ "gen_ai.usage.output_tokens": "7" },
			"counterfoil.cost_usd": 0.0000975,
		},
		{ ...asked, "counterfoil.cache": "hit", "counterfoil.cost_usd": 0 },
		{ ...asked, isError: true, "error.type": "client" },
	]);
	expect(told[2]).not.toHaveProperty("counterfoil.key");
});

test("spans wait while a collector is away, and are dropped if it refuses them", async () => {
	const statuses = [503];
	const { url, received } = await openCollector(statuses);
	const lines: string[] = [];
	const log = openLogger("warn", { write: (line) => lines.push(line) });
	const collector = { url, headers: {}, serviceName: "shop" };
	const spans = openSpans(collector, log);
	const meter = spans?.tracing({ settle() {} } as Partial<Meter> as Meter);
	const settle = (id: string) =>
		meter?.settle(
			{ id, payer: { key: null } } as Partial<Reservation> as Reservation,
			{
				...{ ...emptyRecord, askedModel: "gpt-4o", status: "ok" },
			},
		);
	settle("a-1");
	await spans?.close();
	settle("a-2");
	await spans?.close();
	statuses.push(400);
	settle("a-3");
	await spans?.close();
	settle("a-4");
	await spans?.close();
	expect(received.map(({ text }) => text.match(/"a\d"/g))).toEqual([
		['"a1"', '"a2"'],
		['"a4"'],
	]);
	expect(lines).toHaveLength(2);
});
