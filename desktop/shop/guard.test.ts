import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { answerErrors } from "../../server/http/errors.ts";
import { openLogger } from "../../server/operations/logger.ts";
import { guardWindow, secretHeader } from "./guard.ts";

const secret = "the secret of a window of this run";

/** A request, and whether it is let in. */
const rows: [what: string, headers: Record<string, string>, isIn: boolean][] = [
	["its window", {}, true],
	["its window, by the other name", { host: "localhost:80" }, true],
	["no secret", { [secretHeader]: "" }, false],
	["another secret", { [secretHeader]: secret.replace("the", "any") }, false],
	["a part of the secret", { [secretHeader]: secret.slice(1) }, false],
	["the secret and more", { [secretHeader]: `${secret}x` }, false],
	["the secret twice", { [secretHeader]: `${secret}, ${secret}` }, false],
	["the secret in capitals", { [secretHeader]: secret.toUpperCase() }, false],
	["a name that leads here", { host: "till.evil.example" }, false],
	["a name that begins like ours", { host: "localhost.evil.example" }, false],
	["a name that ends like ours", { host: "evil.example:localhost" }, false],
	["our name as a user", { host: "localhost@evil.example" }, false],
	["another address of this machine", { host: "127.0.0.2" }, false],
	["the address as a number", { host: "2130706433" }, false],
	["the address of all", { host: "0.0.0.0" }, false],
];

test("a till's shop answers its own window under its own host name, and tells other callers nothing", async () => {
	const app = express();
	app.use(guardWindow(secret));
	app.use((_request, response) => void response.send("sales"));
	app.use(answerErrors(openLogger("silent")));
	const server = createServer(app).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	for (const [what, headers, isIn] of rows) {
		const asked = request({
			port,
			host: "127.0.0.1",
			headers: {
				host: `127.0.0.1:${port}`,
				[secretHeader]: secret,
				...headers,
			},
		});
		asked.end();
		const [response] = await once(asked, "response");
		let text = "";
		for await (const chunk of response) text += chunk;
		expect({ what, status: response.statusCode, text }).toEqual({
			what,
			status: isIn ? 200 : 403,
			text: isIn ? "sales" : '{"error":"Forbidden"}',
		});
	}
});
