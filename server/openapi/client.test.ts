import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateApi } from "swagger-typescript-api";
import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { fill, idsByResource, requests } from "../testing/operations.ts";
import { openTestServer } from "../testing/server.ts";
import type { OpenApi } from "./document.ts";

const test = oneIn(3);

type Call = (...args: unknown[]) => Promise<{ status: number }>;

/** The generated client's operations by operationId, across all its groups. */
function operationsOf(client: object): Map<string, Call> {
	return new Map(
		Object.values(client)
			.filter((part) => typeof part === "object" && part !== null)
			.flatMap((part) => Object.entries(part as Record<string, Call>))
			.filter(([, call]) => typeof call === "function"),
	);
}

test("a generated client has a callable function for every operation", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const { body } = await server.ask("GET", "/api/openapi.json");
	const document = body as OpenApi;
	const dir = testDir();
	await generateApi({
		fileName: "client.ts",
		output: dir,
		spec: document as never,
		silent: true,
		hooks: { onFormatRouteName: ({ operationId }) => operationId },
	});
	const { Api } = await import(
		/* @vite-ignore */ pathToFileURL(join(dir, "client.ts")).href
	);
	const client = new Api({
		baseUrl: server.url.replace(/\/$/, ""),
		baseApiParams: { headers: { authorization: asha.bearer } },
	});
	const operations = operationsOf(client);

	const wrong: string[] = [];
	for (const [path, byMethod] of Object.entries(document.paths))
		for (const [method, described] of Object.entries(byMethod)) {
			const { operationId, parameters, requestBody, responses } = described;
			const call = operations.get(operationId);
			if (!call) throw new Error(`${operationId} is missing`);
			const route = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, path.startsWith("/v1/") ? "*$1" : ":$1")}`;
			const request = requests("none")[route] ?? {};
			const id = idsByResource[path.split("/")[2] ?? ""] ?? "none";
			const has = (place: string) =>
				parameters.some((parameter) => parameter.in === place);
			const args = [
				...(has("path") ? [id] : []),
				...(has("query") ? [{}] : []),
				...(requestBody ? [request.body] : []),
				// The event stream would never end, so ask for JSON.
				...(route === "GET /api/sync"
					? [{ headers: { accept: "application/json" } }]
					: []),
			];
			const { status } = await call(...args).catch((answer) => answer);
			if (!responses[status]) wrong.push(`${operationId}: ${status}`);
		}
	expect(wrong).toEqual([]);
});
