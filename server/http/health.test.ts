import { expect, onTestFinished, test } from "vitest";
import { serverLimits } from "../start.ts";
import { openTestServer } from "../testing/server.ts";
import { healthRoutes } from "./health.ts";
import { listen } from "./listener.ts";

test("a server that opens its database is alive, and refuses all else for the moment", async () => {
	const listener = await listen({ host: "127.0.0.1", port: 0 }, serverLimits);
	onTestFinished(() => listener.close());
	const ask = async (path: string) => {
		const answer = await fetch(new URL(path, listener.url));
		const { status, headers } = answer;
		return [status, headers.get("retry-after"), await answer.json()];
	};
	const starting = [503, "1", { error: "The server is starting" }];
	expect(await ask("/healthz")).toEqual([200, null, { ok: true }]);
	expect(await ask("/readyz")).toEqual(starting);
	expect(await ask("/api/products")).toEqual(starting);
	await listener.serve((_request, response) => response.end('"the shop"'));
	expect(await ask("/readyz")).toEqual([200, null, "the shop"]);
});

test("a server is ready with its version and schema, unless it stops or can't write", async () => {
	const server = await openTestServer();
	expect((await server.ask("GET", "/readyz")).body).toEqual({
		ok: true,
		version: expect.stringMatching(/^\d+\.\d+\.\d+/),
		schema: expect.any(Number),
	});
	const { shop, settings } = server;
	const { dataDir } = settings;
	for (const [error, parts] of [
		["The server is stopping", { dataDir, closing: AbortSignal.abort() }],
		["The data directory can't be written", { dataDir: `${dataDir}/none` }],
	] as const) {
		const routes = healthRoutes({
			shop,
			closing: new AbortController().signal,
			log: { error() {} } as never,
			...parts,
		});
		const said: unknown[] = [];
		const response = {
			status: (status: number) => ({
				json: (body: object) => said.push({ status, ...body }),
			}),
		};
		await routes["/readyz"]?.GET?.handle({ response } as never);
		expect(said).toEqual([{ status: 503, error, version: expect.any(String) }]);
	}
});
