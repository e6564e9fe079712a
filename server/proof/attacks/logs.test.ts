import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import express, { type Response } from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { answerErrors } from "../../http/errors.ts";
import { HttpError } from "../../http/http-error.ts";
import { mount } from "../../http/mount.ts";
import { operation, type Routes } from "../../http/operation.ts";
import { openWorkload, overloadLimits } from "../../http/overload.ts";
import { nameRequests } from "../../http/request-id.ts";
import { openLogger } from "../../operations/logger.ts";
import { fill } from "../../testing/operations.ts";
import {
	authSecret,
	openTestServer,
	type TestServer,
} from "../../testing/server.ts";
import {
	addAdmin,
	compareQuickly,
	isTried,
	targets,
} from "./testing/attacks.ts";

interface Line {
	level: number;
	msg: string;
	requestId?: string;
	err?: { message: string; stack?: string };
}

/** The log's lines except the start's, which belongs to no request. */
function linesOf(server: Pick<TestServer, "logged">): Line[] {
	return server
		.logged()
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line))
		.filter(({ msg }) => msg !== "Started");
}

const account = {
	name: "Njeri",
	email: "canary-email@example.com",
	password: "canary-password",
};

oneIn(4)(
	"no answer, header or log line has a secret, for any caller, request or failure",
	async () => {
		const providerKey = "sk-canary-provider-key-0123456789";
		// This provider refuses every call and quotes the key, as some do.
		let quoted = 0;
		const upstream = createServer((request, response) => {
			quoted += 1;
			response.writeHead(401, { "content-type": "application/json" });
			const shown = request.headers.authorization;
			response.end(
				JSON.stringify({
					error: { message: `Incorrect API key provided: ${shown}` },
				}),
			);
		});
		upstream.listen(0, "127.0.0.1");
		await once(upstream, "listening");
		onTestFinished(() => void upstream.close());
		const { port } = upstream.address() as AddressInfo;
		const server = await openTestServer({
			OPENAI_API_KEY: providerKey,
			OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
		});
		compareQuickly(account.password);
		const asha = await server.addUser("Asha");
		await fill(server, asha, "own");
		const admin = await addAdmin(server);
		await server.ask("POST", "/api/auth/register", { body: account });
		const login = await server.ask("POST", "/api/auth/mobile-login", {
			body: account,
		});
		const { token } = login.body as { token: string };
		const made = await server.ask("POST", "/api/keys", {
			headers: { authorization: `Bearer ${token}` },
			body: { name: "Report", monthlyBudget: 5, requestsPerMinute: 6_000 },
		});
		const { key } = made.body as { key: string };
		const tokens = [
			...[asha.bearer, admin.bearer].map((text) => text.slice(7)),
			...[asha.cookie, admin.cookie].map((text) => text.slice(8)),
		];
		const secrets = [
			authSecret,
			Buffer.from(authSecret).toString("base64"),
			providerKey,
			account.password,
			token,
			...tokens,
			key,
			key.slice(12),
			server.settings.dataDir,
		];
		const shown: Record<string, string>[] = [
			{ authorization: asha.bearer },
			{ authorization: `Bearer ${token}`, cookie: admin.cookie },
			{ authorization: `Bearer ${key}` },
			{ cookie: asha.cookie },
			{ cookie: admin.cookie },
			{ authorization: `Bearer ${token}.${key}`, cookie: `session=${key}` },
		];
		const all = targets(server);
		async function askAll(isAsked: typeof isTried) {
			for (const [i, { name, method, path, body }] of all.entries())
				for (const [j, headers] of shown.entries()) {
					if (!isAsked(i, j)) continue;
					const answer = await server.ask(method, path, {
						headers,
						body:
							typeof body === "object" && !(body instanceof Uint8Array)
								? { ...account, ...body, password: account.password }
								: body,
					});
					// A renewed session's cookie may go to its owner.
					const told = [...answer.headers].filter(
						([header]) => header !== "set-cookie",
					);
					const text = answer.text + JSON.stringify(told);
					const found = secrets.filter((secret) => text.includes(secret));
					expect({ name, found }).toEqual({ name, found: [] });
				}
		}
		await askAll(() => true);
		const failing = vi
			.spyOn(server.shop.store, "write")
			.mockRejectedValue(
				new Error(`disk I/O error: ${server.settings.dataDir}/counterfoil.db`),
			);
		onTestFinished(() => failing.mockRestore());
		await askAll(isTried);
		expect(quoted).toBeGreaterThan(0);
		const logged = server.logged();
		expect(logged).toContain("disk I/O error: counterfoil.db");
		const found = secrets.filter((secret) => logged.includes(secret));
		expect(found).toEqual([]);
		// Nor the account's email.
		expect(logged).not.toContain(account.email);
		for (const line of linesOf(server))
			expect(line).toHaveProperty("requestId");
	},
);

test("each log line has its request's id, also when requests share a write", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	// One request fails during a write, after another has started.
	const { store } = server.shop;
	const write = store.write.bind(store);
	const spy = vi.spyOn(store, "write").mockImplementation((work) =>
		write(async (tx) => {
			await nextTurn();
			await work(tx);
			throw new TypeError("not as it was meant");
		}),
	);
	onTestFinished(() => spy.mockRestore());
	const ids = Array.from({ length: 20 }, (_, i) => `request-${i}-of-many`);
	await Promise.all(
		ids.map((id) =>
			server.ask("POST", "/api/categories", {
				as: asha,
				headers: { "x-request-id": id },
				body: { name: id },
			}),
		),
	);
	expect(
		linesOf(server)
			.map(({ requestId }) => requestId)
			.sort(),
	).toEqual(ids.sort());
});

test("a log line from within a write has the id of the request that caused the write", async () => {
	const server = await openTestServer();
	const lines: string[] = [];
	const log = openLogger("info", { write: (line) => lines.push(line) });
	const routes: Routes = {
		"/write/:id": {
			POST: operation({
				summary: "Writes, and tells of it",
				access: "anyone",
				answers: {},
				async handle({ id, response }) {
					await server.shop.store.write(async () => {
						log.info(id);
					});
					response.json({});
				},
			}),
		},
	};
	const url = await serve(routes, log);
	await Promise.all(
		Array.from({ length: 20 }, (_, i) =>
			fetch(`${url}/write/${i}`, {
				method: "POST",
				headers: { "x-request-id": `request-${i}` },
			}),
		),
	);
	const told = lines.map((line) => JSON.parse(line) as Line);
	expect(told).toHaveLength(20);
	for (const { msg, requestId } of told)
		expect(requestId).toBe(`request-${msg}`);
});

async function serve(routes: Routes, log = openLogger("silent")) {
	const app = express();
	app.set("trust proxy", "loopback");
	app.use(nameRequests());
	const workload = openWorkload(overloadLimits, log);
	mount(app, routes, { authenticate: async () => ({}), workload });
	app.use(answerErrors(log));
	const http = createServer(app);
	http.listen(0, "127.0.0.1");
	await once(http, "listening");
	onTestFinished(() => {
		http.closeAllConnections();
		http.close();
	});
	return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("no name, path or message adds a log line or a terminal escape", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const hostile =
		'x\n{"level":30,"msg":"forged"}\r\u001b[2J\u001b]0;owned\u0007\u009b31m\u0085\u2028\u2029\u202egnp.exe\u0000';
	const spy = vi
		.spyOn(server.shop.store, "read")
		.mockRejectedValue(new Error(hostile));
	onTestFinished(() => spy.mockRestore());
	await server.ask("GET", `/api/products/${encodeURIComponent(hostile)}`, {
		as: asha,
	});
	// Raw bytes, which no browser sends.
	const socket = connect(server.port, "127.0.0.1");
	socket.end(
		Buffer.from(
			`GET /api/products/\u009b31m HTTP/1.1\r\nHost: x\r\nAuthorization: ${asha.bearer}\r\nX-Request-Id: \u009b31m12345\r\nConnection: close\r\n\r\n`,
			"latin1",
		),
	);
	socket.resume();
	await once(socket, "close");
	const logged = server.logged();
	const lines = linesOf(server);
	expect(lines.length).toBeGreaterThan(0);
	for (const { msg, level } of lines) {
		expect(msg).not.toBe("forged");
		expect(level).toBe(50);
	}
	expect(logged.replaceAll("\n", "")).not.toMatch(
		/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u,
	);
	// The whole text is there, escaped.
	expect(lines[0]?.err?.message).toBe(hostile);
});

test("any error at any time is answered or cuts the connection, is logged once, and doesn't stop the server", async () => {
	const lines: string[] = [];
	const log = openLogger("info", { write: (line) => lines.push(line) });
	const fail = (how: (response: Response) => unknown): Routes[string] => ({
		GET: operation({
			summary: "Fails",
			access: "anyone",
			answers: {},
			async handle({ response }) {
				await how(response);
			},
		}),
	});
	const begin = (response: Response) => {
		response.writeHead(200, { "content-type": "text/csv" });
		response.write("a,b\n");
	};
	const url = await serve(
		{
			"/text": fail(() => {
				throw "thrown text";
			}),
			"/nothing": fail(() => Promise.reject(undefined)),
			"/null": fail(() => {
				throw null;
			}),
			"/object": fail(() => {
				throw { message: "an object", status: 200 };
			}),
			"/status": fail(() => {
				throw Object.assign(new Error("with a status"), { status: 200 });
			}),
			"/known": fail(() => {
				throw new HttpError(418, "known");
			}),
			"/late": fail(async (response) => {
				begin(response);
				await nextTurn();
				throw new Error("too late /srv/shop/counterfoil.db");
			}),
			"/twice": fail((response) => {
				response.json({ ok: true });
				throw new Error("after the end");
			}),
			"/gone": fail(async (response) => {
				begin(response);
				response.destroy();
				throw new Error("the reader had gone");
			}),
			"/well": fail((response) => response.json({ ok: true })),
		},
		log,
	);
	const told = async (path: string) => {
		lines.length = 0;
		const answer = await fetch(url + path)
			.then(async (response) => [response.status, await response.text()])
			.catch((error: Error) => error.message);
		const logged = lines.map((line) => JSON.parse(line) as Line);
		for (const line of logged) expect(line.requestId).toMatch(/^[\w-]{36}$/);
		expect(await (await fetch(`${url}/well`)).json()).toEqual({ ok: true });
		return [answer, logged.map(({ msg, err }) => err?.message ?? msg)];
	};
	const errorOf = (error: string) => JSON.stringify({ error });
	expect(await told("/text")).toEqual([
		[500, errorOf("thrown text")],
		["thrown text"],
	]);
	for (const path of ["/nothing", "/null"])
		expect(await told(path)).toEqual([
			[500, errorOf("Rejected promise")],
			["Rejected promise"],
		]);
	expect(await told("/object")).toMatchObject([
		[500, expect.any(String)],
		[expect.any(String)],
	]);
	expect(await told("/status")).toEqual([
		[500, errorOf("with a status")],
		["with a status"],
	]);
	expect(await told("/known")).toEqual([[418, errorOf("known")], []]);
	expect(await told("/late")).toEqual([
		"terminated",
		["too late counterfoil.db"],
	]);
	expect((await told("/twice"))[1]).toEqual(["after the end"]);
	expect((await told("/gone"))[1]).toEqual([]);
});
