import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { runCommand } from "../testing/command.ts";

const test = oneIn(3);

/** Stands between the command and the server, and changes what the server answers. */
async function openFaulty(
	url: string,
	change: (request: IncomingMessage, text: string) => string,
): Promise<string> {
	const proxy = createServer(async (request, response) => {
		const { method = "", headers } = request;
		const sent = await buffer(request);
		const { host: _, connection: __, ...others } = headers;
		const answer = await fetch(new URL(request.url ?? "", url), {
			...{ method, redirect: "manual" },
			headers: others as Record<string, string>,
			...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
		});
		const changed = change(request, await answer.text());
		for (const [name, value] of answer.headers)
			if (!/^(content-(length|encoding)|connection)$/.test(name))
				response.setHeader(name, value);
		response.writeHead(answer.status).end(changed);
	});
	proxy.listen(0, "127.0.0.1");
	await once(proxy, "listening");
	onTestFinished(() => {
		proxy.closeAllConnections();
		proxy.close();
	});
	return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test("our server keeps every rule of its contract, and a planted fault is named", async () => {
	const server = await openTestServer();
	const good = await runCommand(["conformance", server.url], {});
	expect(good).toMatchObject({ status: 0, out: "" });
	expect(good.err).toMatch(/^(\d+) of \1 rules hold\n$/);

	const faulty = await openFaulty(server.url, ({ method, url }, text) =>
		method === "POST" && url === "/api/sales"
			? text.replace(/"profit":36\b/, '"profit":35')
			: text,
	);
	const bad = await runCommand(["conformance", faulty, "--json"], {});
	expect(bad.status).toBe(1);
	const outcomes = JSON.parse(bad.out) as { passed: boolean; found: string }[];
	expect(outcomes.filter(({ passed }) => !passed)).toEqual([
		expect.objectContaining({ found: "profit: 35, not 36" }),
	]);

	const nowhere = await runCommand(["conformance", "http://127.0.0.1:9"], {});
	expect(nowhere).toMatchObject({
		status: 1,
		err: expect.stringContaining("can't be reached"),
	});
});
