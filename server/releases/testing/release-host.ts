import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { openTestServer } from "../../testing/server.ts";

/** Starts a release host with the real one's API. */
export async function openHost(answer: RequestListener) {
	const asked: string[] = [];
	const host = createServer((request, response) => {
		asked.push(request.url ?? "");
		answer(request, response);
	});
	await new Promise<void>((resolve) =>
		host.listen(0, "127.0.0.1", () => resolve()),
	);
	onTestFinished(() => {
		host.closeAllConnections();
		host.close();
	});
	const { port } = host.address() as AddressInfo;
	const server = await openTestServer({
		RELEASES_API_URL: `http://127.0.0.1:${port}/`,
		RELEASES_REPO: "counterfoil/app",
	});
	return { server, asked };
}

export const hosted = (n: number, names = [`app-${n}.apk`]) => ({
	tag_name: `v1.0.${n}+${n}`,
	name: null,
	body: "Notes",
	draft: false,
	prerelease: false,
	created_at: "2026-11-01T09:00:00Z",
	published_at: "2026-11-01T10:00:00Z",
	html_url: "https://host.example/r",
	assets: names.map((name) => ({
		name,
		size: 5,
		browser_download_url: `https://host.example/${name}`,
		content_type: "x",
	})),
});

/** Serves releases in pages of at most 50, with the host's Link headers. */
export function pages(all: object[]): RequestListener {
	return (request, response) => {
		const url = new URL(request.url ?? "", "http://host.example");
		const size = Math.min(50, Number(url.searchParams.get("per_page")));
		const page = Number(url.searchParams.get("page"));
		const found = all.slice((page - 1) * size, page * size);
		const next =
			page * size < all.length
				? { link: '<http://host.example/?page=9>; rel="next"' }
				: { link: '<http://host.example/?page=1>; rel="first"' };
		response.writeHead(200, { "content-type": "application/json", ...next });
		response.end(JSON.stringify(found));
	};
}
