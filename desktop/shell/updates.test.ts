import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openLogger } from "../../server/operations/logger.ts";
import { newestUpdate, watchUpdates } from "./updates.ts";

const release = (tag: string, more: object = {}) => ({
	tag,
	version: tag.replace(/^.*v/, ""),
	prerelease: false,
	url: `https://host.example/${tag}`,
	...more,
});

test.each([
	[
		"the newest desktop release",
		["desktop-v1.9.0", "desktop-v1.10.0", "v9.0.0", "linux-v8.0.0"],
		"1.10.0",
	],
	[
		"none if this is the newest",
		["desktop-v1.2.0", "desktop-v1.1.9"],
		undefined,
	],
	["none where nothing is published", [], undefined],
	["none that is no plain version", ["desktop-v2.0.0-beta.1"], undefined],
])("an update is %s", (_what, tags, version) => {
	const releases = tags.map((tag) => release(tag));
	expect(newestUpdate({ releases }, "1.2.0")?.version).toBe(version);
});

test("an update is never a prerelease, and its page uses https", () => {
	const releases = [
		release("desktop-v3.0.0", { prerelease: true }),
		release("desktop-v2.0.0", { url: "javascript:alert(1)" }),
	];
	expect(newestUpdate({ releases }, "1.0.0")).toEqual({
		version: "2.0.0",
		url: null,
	});
});

test("the shell asks the shop for releases with its secret, and announces and remembers an update", async () => {
	let status = 200;
	const seen: unknown[] = [];
	const server = createServer((request, response) => {
		seen.push([request.url, request.headers["x-counterfoil-window"]]);
		response.writeHead(status, { "content-type": "application/json" });
		response.end(JSON.stringify({ releases: [release("desktop-v2.0.0")] }));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const told: unknown[] = [];
	let isOpen = false;
	const watch = watchUpdates({
		current: "1.0.0",
		place: () =>
			isOpen ? { url, headers: { "x-counterfoil-window": "s" } } : undefined,
		onFound: (update) => told.push(update),
		log: openLogger("silent"),
	});
	onTestFinished(() => watch.stop());
	await expect(watch.check()).rejects.toThrow("The shop is not open yet");
	isOpen = true;
	const update = {
		version: "2.0.0",
		url: "https://host.example/desktop-v2.0.0",
	};
	expect(await watch.check()).toEqual(update);
	expect(told).toEqual([update]);
	expect(watch.found()).toEqual(update);
	expect(seen).toEqual([["/api/releases", "s"]]);
	status = 404;
	expect(await watch.check()).toBeUndefined();
	status = 500;
	await expect(watch.check()).rejects.toThrow("status 500");
});
