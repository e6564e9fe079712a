import { expect, test } from "vitest";
import {
	cheapPassword,
	openTestServer,
	type TestServer,
} from "../testing/server.ts";

interface Line {
	level: number;
	time: string;
	msg: string;
	requestId?: string;
	address?: string;
	method?: string;
	path?: string;
	status?: number;
	userId?: string;
}

const info = 30;
const debug = 20;

function linesOf(server: TestServer): Line[] {
	return server
		.logged()
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
}

async function openShop() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const seen = linesOf(server).length;
	return { server, asha, lines: () => linesOf(server).slice(seen) };
}

const signIn = (email: string, password: string) => ({
	body: { email, password },
});

test("each sign-in, failed or not, and each sign-out is one log line with an account id but no email or password", async () => {
	const { server, asha, lines } = await openShop();
	const path = "/api/auth/mobile-login";
	const email = "asha@example.com";
	const good = await server.ask("POST", path, signIn(email, cheapPassword));
	const bad = await server.ask("POST", "/login", signIn(email, "wrong horse"));
	const stranger = await server.ask(
		"POST",
		path,
		signIn("stranger@example.com", "wrong horse"),
	);
	const out = await server.ask("POST", "/logout", {
		headers: { cookie: asha.cookie },
	});
	expect([good, bad, stranger, out].map(({ status }) => status)).toEqual([
		200, 401, 401, 200,
	]);
	const requestId = (answer: typeof good) => answer.headers.get("x-request-id");
	const address = "127.0.0.1";
	const common = { level: info, address };
	const failed = { method: "POST", status: 401, msg: "Sign-in failed" };
	const written = lines();
	expect(written).toMatchObject([
		{
			...common,
			msg: "Signed in",
			userId: asha.id,
			requestId: requestId(good),
		},
		{
			...common,
			...failed,
			path: "/login",
			userId: asha.id,
			requestId: requestId(bad),
		},
		{ ...common, ...failed, path, requestId: requestId(stranger) },
		{ ...common, msg: "Signed out", userId: asha.id },
	]);
	expect(written[2]).not.toHaveProperty("userId");
	expect(written[0]?.time).toMatch(/^20\d\d-\d\d-\d\dT.+Z$/);
	expect(JSON.stringify(written)).not.toMatch(/@example|horse|eyJ/);
});

test("important refusals are logged at info with the user, others at debug, without queries or ids", async () => {
	const { server, asha, lines } = await openShop();
	const cashier = await server.addUser("Chege", {
		businessId: asha.businessId,
		role: "CASHIER",
	});
	await server.ask("GET", "/api/products?token=canary");
	await server.ask("GET", "/v1/models", {
		headers: { authorization: "Bearer cf-canary" },
	});
	const body = { name: "Milk", buyingPrice: 1, sellingPrice: 2 };
	await server.ask("POST", "/api/products", { as: cashier, body });
	await server.ask("GET", "/api/sales/canary", { as: asha });
	await server.ask("GET", "/nowhere?canary=1", { as: asha });
	const big = JSON.stringify({ name: "x".repeat(1_100_000) });
	await server.ask("POST", "/api/products", { as: asha, body: big });
	const written = lines();
	expect(
		written.map(({ level, status, method, path, userId }) => [
			level,
			status,
			`${method} ${path}`,
			userId,
		]),
	).toEqual([
		[info, 401, "GET /api/products", undefined],
		[info, 401, "GET /v1/models", undefined],
		[info, 403, "POST /api/products", cashier.id],
		[debug, 404, "GET /api/sales/:id", asha.id],
		[debug, 404, "GET /nowhere", undefined],
		[info, 413, "POST /api/products", asha.id],
	]);
	for (const { msg, address, requestId } of written)
		expect([msg, address, typeof requestId]).toEqual([
			"Refused",
			"127.0.0.1",
			"string",
		]);
	expect(JSON.stringify(written)).not.toContain("canary");
});

test("a server logs its start and stop with version, port and schema", async () => {
	const server = await openTestServer();
	await server.close();
	expect(linesOf(server)).toMatchObject([
		{
			msg: "Started",
			version: expect.any(String),
			port: server.port,
			schema: expect.any(Number),
		},
		{ msg: "Stopping" },
		{ msg: "Stopped" },
	]);
});
