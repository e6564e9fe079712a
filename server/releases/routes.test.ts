import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { openTestServer } from "../testing/server.ts";
import { hosted, openHost, pages } from "./testing/release-host.ts";

const promised = "s-maxage=300, stale-while-revalidate=60";
const nothing = {
	version: null,
	downloadUrl: null,
	message: "No release available yet",
};

describe("/api/releases", () => {
	test("the list of releases reads every page and omits drafts and releases without assets", async () => {
		const all = Array.from({ length: 120 }, (_, i) => hosted(200 - i));
		const { server, asked } = await openHost(
			pages([{ ...hosted(300), draft: true }, hosted(299, []), ...all]),
		);
		const answer = await server.ask("GET", "/api/releases");
		expect(answer.status).toBe(200);
		expect(answer.headers.get("cache-control")).toBe(promised);
		const { releases } = answer.body as { releases: { tag: string }[] };
		expect(releases.map(({ tag }) => tag)).toEqual(
			all.map(({ tag_name }) => tag_name),
		);
		expect(releases[0]).toMatchObject({
			version: "1.0.200",
			versionCode: 200,
			assets: [{ name: "app-200.apk", sizeBytes: 5 }],
		});
		expect(asked).toEqual(
			[1, 2, 3].map(
				(page) => `/repos/counterfoil/app/releases?per_page=100&page=${page}`,
			),
		);
		// The second request is answered from the cache.
		await server.ask("GET", "/api/releases");
		expect(asked).toHaveLength(3);
	});
});

test.each<[string, object | null | string, boolean]>([
	["prerelease is null", { prerelease: null }, true],
	["draft is null", { draft: null }, true],
	[
		"name, notes, dates and page are missing",
		{
			name: undefined,
			body: undefined,
			published_at: undefined,
			created_at: undefined,
			html_url: undefined,
		},
		true,
	],
	["notes are a number", { body: 5 }, true],
	["assets are null", { assets: null }, false],
	["assets are a string", { assets: "none" }, false],
	["tag is missing", { tag_name: undefined }, false],
	["draft is a string", { draft: "no" }, false],
	[
		"only asset has no size",
		{
			assets: [
				{ name: "a.apk", browser_download_url: "https://host.example/a" },
			],
		},
		false,
	],
	["record is null", null, false],
	["record is a string", "v9", false],
])("a release whose %s hides no other release", async (_what, odd, isShown) => {
	const record =
		typeof odd === "object" && odd !== null ? { ...hosted(9), ...odd } : odd;
	const { server } = await openHost(pages([record as object, hosted(2)]));
	const list = await server.ask("GET", "/api/releases");
	expect(list.status).toBe(200);
	const { releases } = list.body as {
		releases: { tag: string; prerelease: boolean }[];
	};
	expect(releases.map(({ tag }) => tag)).toEqual([
		...(isShown ? ["v1.0.9+9"] : []),
		"v1.0.2+2",
	]);
	expect(releases.every(({ prerelease }) => prerelease === false)).toBe(true);
	const latest = await server.ask("GET", "/api/latest-release");
	expect(latest.body).toMatchObject({
		tag: isShown ? "v1.0.9+9" : "v1.0.2+2",
	});
});

test("an invalid asset hides no other asset", async () => {
	const odd = { name: "b.apk", size: null, browser_download_url: "x" };
	const { assets } = hosted(3);
	const { server } = await openHost(
		pages([{ ...hosted(3), assets: [odd, null, ...assets] }]),
	);
	const { body } = await server.ask("GET", "/api/releases");
	expect(body).toMatchObject({
		releases: [{ assets: [{ name: "app-3.apk" }] }],
	});
});

describe("/api/latest-release", () => {
	test("the latest release is one flat object", async () => {
		const { server, asked } = await openHost(
			pages([hosted(3, ["x.zip"]), hosted(2)]),
		);
		const answer = await server.ask("GET", "/api/latest-release");
		expect(answer.body).toEqual({
			version: "1.0.2",
			versionCode: 2,
			tag: "v1.0.2+2",
			downloadUrl: "https://host.example/app-2.apk",
			apkName: "app-2.apk",
			sizeBytes: 5,
			releaseDate: "2026-11-01T10:00:00.000Z",
			releaseUrl: "https://host.example/r",
			notes: "Notes",
		});
		expect(answer.headers.get("cache-control")).toBe(promised);
		expect(asked).toEqual([
			"/repos/counterfoil/app/releases?per_page=20&page=1",
		]);
	});

	test("the latest release is one of the 20 most recent", async () => {
		const bare = Array.from({ length: 20 }, (_, i) =>
			hosted(50 - i, ["x.zip"]),
		);
		// The host returns more releases than requested.
		const { server } = await openHost((_request, response) => {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify([...bare, hosted(1)]));
		});
		const { body } = await server.ask("GET", "/api/latest-release");
		expect(body).toMatchObject({
			tag: "v1.0.50+50",
			downloadUrl: null,
			apkName: null,
			sizeBytes: null,
		});
	});
});

describe("a release host that fails", () => {
	const json =
		(text: string): RequestListener =>
		(_request, response) => {
			response.setHeader("content-type", "application/json");
			response.end(text);
		};

	test.each<[string, RequestListener]>([
		[
			"with an error",
			(_request, response) => void response.writeHead(403).end("{}"),
		],
		["by closing the connection", (request) => void request.socket.destroy()],
		["with HTML", json("<html>")],
		["with another object", json('{"message":"Not Found"}')],
	])(
		"a release host that answers %s leads to 404 without releases",
		async (_how, answer) => {
			const { server, asked } = await openHost(answer);
			const list = await server.ask("GET", "/api/releases");
			expect([list.status, list.body]).toEqual([404, { releases: [] }]);
			expect(list.headers.get("cache-control")).toBe(promised);
			const latest = await server.ask("GET", "/api/latest-release");
			expect([latest.status, latest.body]).toEqual([404, nothing]);
			// A moment later the host is not asked again.
			const before = asked.length;
			const again = await server.ask("GET", "/api/latest-release");
			expect([again.status, again.body]).toEqual([404, nothing]);
			expect(asked).toHaveLength(before);
		},
	);

	oneIn(4)(
		"a release host that never answers is given up after a few seconds",
		async () => {
			const { server } = await openHost(() => {});
			const started = performance.now();
			const latest = await server.ask("GET", "/api/latest-release");
			expect([latest.status, latest.body]).toEqual([404, nothing]);
			expect(performance.now() - started).toBeLessThan(8_000);
		},
	);

	test("without a reachable or configured release host there are no releases", async () => {
		const server = await openTestServer();
		expect((await server.ask("GET", "/api/releases")).body).toEqual({
			releases: [],
		});
		expect((await server.ask("GET", "/api/latest-release")).body).toEqual(
			nothing,
		);
		expect(
			await server.ask("POST", "/api/releases", { body: {} }),
		).toMatchObject({ status: 405, body: { error: "Method not allowed" } });
	});
});
