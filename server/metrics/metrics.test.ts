import { expect, test } from "vitest";
import { emptyRecord } from "../gateway/call-record.ts";
import type { Meter } from "../gateway/meter.ts";
import { openTestServer } from "../testing/server.ts";
import { openMetrics } from "./metrics.ts";
import { openRegistry } from "./registry.ts";

test("numbers are written as Prometheus reads them, and too many series become one", async () => {
	const registry = openRegistry();
	const calls = registry.counter("calls_total", "Calls.");
	calls.add({ model: 'a"b\\c\n' });
	calls.add({ model: 'a"b\\c\n' }, 2);
	const seconds = registry.histogram("seconds", "Times.", [1, 5]);
	for (const value of [0.5, 1, 3, 9]) seconds.observe({ at: "x" }, value);
	registry.gauge("lost", "Not known.", () => {
		throw new Error("no disk");
	});
	registry.gauge("free", "Known.", async () => 7);
	expect(await registry.text()).toBe(
		[
			"# HELP calls_total Calls.",
			"# TYPE calls_total counter",
			'calls_total{model="a\\"b\\\\c\\n"} 3',
			"# HELP seconds Times.",
			"# TYPE seconds histogram",
			'seconds_bucket{at="x",le="1"} 2',
			'seconds_bucket{at="x",le="5"} 3',
			'seconds_bucket{at="x",le="+Inf"} 4',
			'seconds_sum{at="x"} 13.5',
			'seconds_count{at="x"} 4',
			"# HELP free Known.",
			"# TYPE free gauge",
			"free 7",
			"",
		].join("\n"),
	);
	for (let i = 0; i < 2_000; i += 1) calls.add({ model: `m${i}` });
	const text = await registry.text();
	expect(text.match(/^calls_total\{/gm)).toHaveLength(1_501);
	expect(text).toContain('calls_total{model="other"} 501');
});

test("only the token opens the server's numbers, which count requests by pattern, mutations, and feeds, and name no shop", async () => {
	const shut = await openTestServer();
	expect(await shut.ask("GET", "/metrics")).toMatchObject({ status: 404 });
	const token = "a token of sixteen or more";
	const server = await openTestServer({ METRICS_TOKEN: token });
	const asha = await server.addUser("Asha");
	const scrape = (authorization: string) =>
		server.ask("GET", "/metrics", { headers: { authorization } });
	for (const wrong of ["", "Bearer", `Bearer ${token}x`, asha.bearer])
		expect((await scrape(wrong)).status).toBe(401);

	await server.ask("GET", "/api/products/secret-id", { as: asha });
	const category = (id: string, name: string) => ({
		...{ id, name: "category.create", args: { id, name } },
		at: new Date().toISOString(),
	});
	await server.ask("POST", "/api/sync", {
		as: asha,
		body: {
			mutations: [
				category("a", "Drinks"),
				category("a", "Drinks"),
				category("b", ""),
			],
		},
	});
	const leaving = new AbortController();
	await fetch(new URL("/api/sync", server.url), {
		headers: { authorization: asha.bearer, accept: "text/event-stream" },
		signal: leaving.signal,
	});
	const { text, headers } = await scrape(`Bearer ${token}`);
	leaving.abort();
	expect(headers.get("content-type")).toBe(
		"text/plain; version=0.0.4; charset=utf-8",
	);
	for (const line of [
		'counterfoil_http_request_duration_seconds_count{method="GET",route="/api/products/:id",status="404"} 1',
		'counterfoil_http_request_duration_seconds_count{method="GET",route="/metrics",status="401"} 4',
		'counterfoil_mutations_total{result="applied"} 1',
		'counterfoil_mutations_total{result="duplicate"} 1',
		'counterfoil_mutations_total{result="rejected"} 1',
		"counterfoil_open_feeds 1",
	])
		expect(text.split("\n")).toContain(line);
	for (const metric of [
		"counterfoil_database_bytes",
		"counterfoil_disk_free_bytes",
		"counterfoil_changes_not_backed_up",
		'nodejs_eventloop_lag_seconds{quantile="0.99"}',
		"process_resident_memory_bytes",
	])
		expect(text).toMatch(
			new RegExp(`^${metric.replaceAll(/[{}]/g, "\\$&")} [\\d.e-]+$`, "m"),
		);
	for (const secret of ["Asha", "Drinks", "secret", asha.businessId, token])
		expect(text).not.toContain(secret);
	await expect
		.poll(async () => (await scrape(`Bearer ${token}`)).text)
		.toContain("counterfoil_open_feeds 0");
});

test("the gateway's calls are counted by provider, model, outcome and cache, with tokens and cost", async () => {
	const { shop, settings } = await openTestServer();
	const metrics = openMetrics("a token", {
		...{ store: shop.store, place: settings },
		backups: { standing: () => [] },
	});
	const settled: unknown[] = [];
	const meter = metrics?.counting({
		settle: (_reservation, record) => settled.push(record),
	} as Partial<Meter> as Meter);
	const record = { ...emptyRecord, askedModel: "a secret", durationMs: 400 };
	const answered = { model: "openai/gpt-4o", promptTokens: 9, cost: 2_500_000 };
	meter?.settle({} as never, { ...record, ...answered, status: "ok" });
	meter?.settle({} as never, { ...record, status: "failed", failure: "quota" });
	expect(settled).toHaveLength(2);
	const text = (await metrics?.text()) ?? "";
	metrics?.close();
	for (const line of [
		'counterfoil_gateway_calls_total{provider="openai",model="gpt-4o",outcome="ok",failure="",cache="off"} 1',
		'counterfoil_gateway_calls_total{provider="none",model="",outcome="failed",failure="quota",cache="off"} 1',
		'counterfoil_gateway_tokens_total{provider="openai",model="gpt-4o",kind="prompt"} 9',
		'counterfoil_gateway_cost_usd_total{provider="openai",model="gpt-4o"} 0.0025',
		'counterfoil_gateway_call_duration_seconds_bucket{provider="openai",le="0.5"} 1',
	])
		expect(text.split("\n")).toContain(line);
	expect(text).not.toContain("secret");
});
