import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ShopError } from "../../sync/protocol/errors.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { compareQuickly } from "../proof/attacks/testing/attacks.ts";
import { fill, idsByResource, requests } from "../testing/operations.ts";
import {
	authSecret,
	expectScenario,
	openTestServer,
	routesOf,
	type Scenario,
	twoShops,
} from "../testing/server.ts";

const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};

/** Each status that a single request can show. */
const statuses: Scenario[] = [
	{
		what: "200 for counts of zero",
		method: "PATCH",
		path: "/api/notifications",
		body: { ids: ["none"] },
		status: 200,
		exactly: { updated: 0 },
	},
	{
		what: "200 for deleting a missing record",
		method: "DELETE",
		path: "/api/notifications/none",
		status: 200,
		exactly: { deleted: 0 },
	},
	{
		what: "201 with the created record",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea" },
		status: 201,
		answer: { name: "Tea" },
	},
	{
		what: "401 without credentials",
		as: "nobody",
		method: "GET",
		path: "/api/products",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "401 with an invalid token",
		as: "nobody",
		method: "GET",
		path: "/api/products",
		headers: { authorization: "Bearer none" },
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "404 for a missing product",
		method: "GET",
		path: "/api/products/none",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "404, the same, for another business's product",
		method: "GET",
		path: "/api/products/canary",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "404 for a missing receipt",
		method: "GET",
		path: "/api/receipts/none",
		status: 404,
		exactly: { error: "Receipt not found" },
	},
	{
		what: "404 for an unknown path",
		method: "GET",
		path: "/api/nothing/here",
		status: 404,
		exactly: { error: "Not found" },
	},
	{
		what: "404 for the API itself",
		as: "nobody",
		method: "POST",
		path: "/api",
		status: 404,
		exactly: { error: "Not found" },
	},
	{
		what: "400 for a path that can't be decoded",
		method: "GET",
		path: "/api/products/%E0%A4%A",
		status: 400,
		answer: { error: expect.any(String) },
	},
];

const say = (error: string) => ({ exactly: { error }, status: 400 });
const nameless = [
	{},
	{ name: 7 },
	{ name: "" },
	{ name: "  " },
	{ name: null },
];
const noItems = [
	{},
	{ items: {} },
	{ items: "x" },
	{ items: [] },
	{ items: null },
];
const noIds = [{}, { ids: "x" }, { ids: [] }, { ids: null }, { ids: [7] }];
const noTitle = [
	{},
	{ type: "sales", title: "t" },
	{ type: "sales", message: "m" },
	{ title: "t", message: "m" },
	{ type: "sales", title: 7, message: "m" },
];

/** Each message that clients may compare, with the inputs that cause it. */
const messages: Scenario[] = [
	...rows("POST", "/api/products", "name required", nameless),
	...rows("POST", "/api/categories", "name required", nameless),
	...rows("POST", "/api/sales", "items array required", noItems),
	...rows("POST", "/api/sync", "mutations array required", [
		{},
		{ mutations: {} },
		{ mutations: "x" },
		{ mutations: null },
		[],
	]),
	...rows(
		"POST",
		"/api/notifications",
		"type, title and message are required",
		noTitle,
	),
	...rows("PATCH", "/api/notifications", "ids array required", noIds),
	...rows("DELETE", "/api/notifications", "id required", [undefined]),
	...rows("DELETE", "/api/notifications/", "id required", [undefined]),
	...rows("POST", "/api/auth/register", "Name is required", [
		{ ...account, name: undefined },
		{ ...account, name: "  " },
		{ ...account, name: 7 },
		{},
	]),
	...rows("POST", "/api/auth/register", "Enter a valid email address", [
		{ ...account, email: undefined },
		{ ...account, email: "njeri" },
		{ ...account, email: "njeri@" },
		{ ...account, email: 7, password: "x" },
	]),
	...rows(
		"POST",
		"/api/auth/register",
		"Password must be at least 8 characters",
		[
			{ ...account, password: undefined },
			{ ...account, password: "1234567" },
			{ ...account, password: 12345678 },
		],
	),
	...rows("POST", "/api/auth/register", "Invalid request body", [
		"{",
		"",
		"name=Njeri",
		"\ufeff",
	]),
];

function rows(
	method: string,
	path: string,
	message: string,
	bodies: unknown[],
): Scenario[] {
	return bodies.map((body) => ({
		what: `${message}, for ${JSON.stringify(body) ?? "nothing"}`,
		method,
		path,
		body,
		...say(message),
	}));
}

describe("a failure", () => {
	test.each(statuses)("the server answers $what [ERR-3]", expectScenario);
	test.each(messages)("the error is $what ($method $path)", expectScenario);

	test("registering an existing email is 409, in any letter case", async () => {
		const server = await openTestServer();
		const register = (email: string) =>
			server.ask("POST", "/api/auth/register", { body: { ...account, email } });
		expect((await register(account.email)).status).toBe(201);
		expect(await register(" NJERI@Example.com ")).toMatchObject({
			status: 409,
			body: { error: "An account with that email already exists" },
		});
	});

	test("a failure names its code and the wrong field in headers, so that clients word it themselves", async () => {
		const server = await openTestServer();
		const codeOf = async (path: string, body: object) => {
			const { headers } = await server.ask("POST", path, { body });
			return [headers.get("x-error-code"), headers.get("x-error-field")];
		};
		expect(
			await codeOf("/api/auth/register", { ...account, email: "njeri" }),
		).toEqual(["invalid_args", "email"]);
		await codeOf("/api/auth/register", account);
		expect(await codeOf("/api/auth/register", account)).toEqual([
			"email_taken",
			null,
		]);
		expect(
			await codeOf("/api/auth/mobile-login", { ...account, password: "wrong" }),
		).toEqual(["wrong_password", null]);
	});

	test("any other method of a path is 405 with the allowed methods", async () => {
		const server = await openTestServer();
		const routes = routesOf(server.shop);
		for (const [path, operations] of Object.entries(routes)) {
			const allowed = Object.keys(operations).flatMap((method) =>
				method === "GET" ? ["GET", "HEAD"] : [method],
			);
			const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
			for (const method of others) {
				if (allowed.includes(method)) continue;
				// The web app's sign-in page answers GET.
				if (path === "/login" && method === "GET") continue;
				const answer = await server.ask(method, path.replace(":id", "x"));
				expect(`${method} ${path} ${answer.status}`).toBe(
					`${method} ${path} 405`,
				);
				// The AI gateway answers in OpenAI's format, or in Anthropic's.
				if (path.startsWith("/v1/messages"))
					expect(answer.body).toMatchObject({
						error: { message: "Method not allowed" },
					});
				else if (path.startsWith("/v1/"))
					expect(answer.body).toMatchObject({
						error: { code: "method_not_allowed" },
					});
				else expect(answer.body).toEqual({ error: "Method not allowed" });
				expect(answer.headers.get("allow")).toBe(allowed.join(", "));
			}
		}
	});

	test("any other error is 500 with its message, without file paths", async () => {
		const { server, asha } = await twoShops();
		const spy = vi.spyOn(server.shop.store, "read");
		onTestFinished(() => spy.mockRestore());
		for (const [thrown, told] of [
			[new TypeError("x is not a function"), "x is not a function"],
			[new Error("EIO: /data/duka/shop.db"), "EIO: shop.db"],
			["thrown text", "thrown text"],
		]) {
			spy.mockRejectedValue(thrown);
			expect(
				await server.ask("GET", "/api/products", { as: asha }),
			).toMatchObject({ status: 500, body: { error: told } });
		}
		expect(server.logged()).toContain("x is not a function");
	});

	test.each([
		["storage_full", 507],
		["storage_busy", 503],
		["storage_failed", 503],
	] as const)("%s is answered as %i with Retry-After", async (code, status) => {
		const { server, asha } = await twoShops();
		const spy = vi
			.spyOn(server.shop.store, "write")
			.mockRejectedValue(new ShopError(code, "The disk"));
		onTestFinished(() => spy.mockRestore());
		const answer = await server.ask("POST", "/api/products", {
			as: asha,
			body: { name: "Tea" },
		});
		expect(answer).toMatchObject({ status, body: { error: "The disk" } });
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		// Reads still work.
		expect(
			await server.ask("GET", "/api/products", { as: asha }),
		).toMatchObject({ status: 200 });
	});
});

oneIn(6)(
	"no answer or log line has a secret or a file path, for any request or failure",
	async () => {
		const server = await openTestServer();
		// A hundred comparisons at bcrypt's real cost would prove nothing more.
		compareQuickly(account.password);
		const register = { body: account };
		await server.ask("POST", "/api/auth/register", register);
		const signedIn = await server.ask("POST", "/api/auth/mobile-login", {
			body: account,
		});
		const { token } = signedIn.body as { token: string };
		// A token made in the same second is identical, so only its owner's answer may have it.
		compareQuickly("");
		const asha = await server.addUser("Asha");
		await fill(server, asha, "own");
		const [stored] = await server.rows(
			"SELECT password_hash FROM users WHERE email = ?",
			account.email,
		);
		const secrets = [
			authSecret,
			Buffer.from(authSecret).toString("base64"),
			account.password,
			stored?.password_hash as string,
			token,
			asha.bearer.slice("Bearer ".length),
			asha.cookie.slice("session=".length),
			server.settings.dataDir,
			import.meta.dirname,
		];
		let asked = 0;
		const askAll = async () => {
			const credentials: Record<string, string>[] = [
				{ authorization: asha.bearer },
				{ cookie: asha.cookie },
				{ authorization: `Bearer ${token}x` },
			];
			for (const [operation, { path, body }] of Object.entries(
				requests("none"),
			)) {
				const [method = "", route = ""] = operation.split(" ");
				const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
				const url = path ?? route.replace(":id", id);
				for (const sent of [body, "{", { ...account, name: 7 }])
					for (const headers of credentials) {
						const { text, headers: answered } = await server.ask(method, url, {
							body: method === "GET" ? undefined : sent,
							headers,
						});
						const told = text + JSON.stringify([...answered]);
						const shown = secrets.filter((secret) => told.includes(secret));
						expect({ operation, shown }).toEqual({ operation, shown: [] });
						asked += 1;
					}
			}
		};
		await askAll();
		const failing = vi
			.spyOn(server.shop.store, "read")
			.mockRejectedValue(
				new Error(`unable to open ${server.settings.dataDir}/counterfoil.db`),
			);
		onTestFinished(() => failing.mockRestore());
		await askAll();
		expect(asked).toBeGreaterThan(700);
		const logged = server.logged();
		expect(logged).toContain("unable to open counterfoil.db");
		for (const secret of secrets) expect(logged).not.toContain(secret);
	},
);
