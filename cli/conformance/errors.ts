import { type Rule, same } from "./rule.ts";

/** Requests that a server refuses, with the exact answer. */
const refusals: readonly [
	method: string,
	path: string,
	body: unknown,
	status: number,
	error: string,
][] = [
	["POST", "/api/products", {}, 400, "name required"],
	["POST", "/api/products", { name: 7 }, 400, "name required"],
	["POST", "/api/categories", {}, 400, "name required"],
	["POST", "/api/sales", {}, 400, "items array required"],
	["POST", "/api/sales", { items: [] }, 400, "items array required"],
	["POST", "/api/sync", {}, 400, "mutations array required"],
	[
		"POST",
		"/api/notifications",
		{ type: "sales", title: "x" },
		400,
		"type, title and message are required",
	],
	["PATCH", "/api/notifications", { ids: [] }, 400, "ids array required"],
	["PATCH", "/api/notifications", {}, 400, "ids array required"],
	["DELETE", "/api/notifications", undefined, 400, "id required"],
	["GET", "/api/products/none", undefined, 404, "Product not found"],
	["PATCH", "/api/products/none", { name: "x" }, 404, "Product not found"],
	["DELETE", "/api/products/none", undefined, 404, "Product not found"],
	["GET", "/api/receipts/none", undefined, 404, "Receipt not found"],
];

const registrations: readonly [body: unknown, error: string][] = [
	[{ email: "x@example.com", password: "12345678" }, "Name is required"],
	[
		{ name: "X", email: "x", password: "12345678" },
		"Enter a valid email address",
	],
	[
		{ name: "X", email: "x@example.com", password: "1234567" },
		"Password must be at least 8 characters",
	],
];

export const errorRules: readonly Rule[] = [
	...refusals.map(
		([method, path, body, status, error]): Rule => ({
			rule: `${method} ${path}${body === undefined ? "" : ` with ${JSON.stringify(body)}`} answers ${status} "${error}"`,
			async check({ own }) {
				const reply = await own.ask(method, path, body);
				same("status", reply.status, status);
				same("body", reply.body, { error });
			},
		}),
	),
	...registrations.map(
		([body, error]): Rule => ({
			rule: `POST /api/auth/register with ${JSON.stringify(body)} answers 400 "${error}"`,
			async check({ nobody }) {
				const reply = await nobody.ask("POST", "/api/auth/register", body);
				same("status", reply.status, 400);
				same("body", reply.body, { error });
			},
		}),
	),
	{
		rule: "POST /api/auth/register with a body that is no JSON answers 400",
		async check({ nobody }) {
			const reply = await nobody.send("/api/auth/register", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: "{",
			});
			same("status", reply.status, 400);
			same("body", reply.body, { error: "Invalid request body" });
		},
	},
	{
		rule: "A second account with the same email is refused with 409",
		async check({ own, nobody }) {
			const { email, password } = own;
			const again = { name: "X", email: email.toUpperCase(), password };
			const reply = await nobody.ask("POST", "/api/auth/register", again);
			same("status", reply.status, 409);
			same("body", reply.body, {
				error: "An account with that email already exists",
			});
		},
	},
];
