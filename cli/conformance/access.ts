import { Broken, type Rule, same } from "./rule.ts";

const businessPaths = [
	"/api/products",
	"/api/sales",
	"/api/notifications",
	"/api/sync",
	"/api/dashboard",
];
const sessionPaths = ["/api/business", "/api/admin/stats", "/api/reviews"];

export const accessRules: readonly Rule[] = [
	...businessPaths.map(
		(path): Rule => ({
			rule: `GET ${path} without credentials answers 401 "Unauthorized"`,
			async check({ nobody }) {
				const reply = await nobody.ask("GET", path);
				same("status", reply.status, 401);
				same("body", reply.body, { error: "Unauthorized" });
			},
		}),
	),
	...sessionPaths.map(
		(path): Rule => ({
			rule: `GET ${path} takes no bearer token`,
			async check({ own }) {
				same("status", (await own.ask("GET", path)).status, 401);
			},
		}),
	),
	{
		rule: "A wrong password and an unknown account get the same 401",
		async check({ own, nobody }) {
			for (const email of [own.email, `nobody-${own.email}`]) {
				const body = { email, password: "not the password" };
				const reply = await nobody.ask("POST", "/api/auth/mobile-login", body);
				same("status", reply.status, 401);
				same("body", reply.body, { error: "Invalid email or password" });
			}
		},
	},
	{
		rule: "Signing in answers a token with the contract's claims and 30 days, and the user",
		async check({ own, nobody }) {
			const { email, password } = own;
			const body = { email, password };
			const reply = await nobody.ask("POST", "/api/auth/mobile-login", body);
			same("status", reply.status, 200);
			const { token, user } = reply.body as {
				token: string;
				user: Record<string, unknown>;
			};
			same("keys of user", Object.keys(user).sort(), [
				...["businessId", "email", "id", "name", "role"],
			]);
			const [header, claims] = token
				.split(".")
				.slice(0, 2)
				.map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
			same("alg", header.alg, "HS256");
			const { id, ...rest } = user;
			for (const [claim, value] of Object.entries({
				...rest,
				...{ sub: id, iss: "service", aud: "service-mobile" },
			}))
				same(`claim ${claim}`, claims[claim], value);
			const days = (claims.exp - Date.now() / 1_000) / (24 * 3_600);
			if (Math.abs(days - 30) > 0.1)
				throw new Broken(`expires in ${days} days`);
		},
	},
	{
		rule: "A session cookie opens what a token doesn't, and a wrong token hides a right cookie",
		async check({ own }) {
			const signedIn = await own.send("/login", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ email: own.email, password: own.password }),
			});
			const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
			const status = async (path: string, headers: HeadersInit) =>
				(await own.send(path, { headers })).status;
			same("business", await status("/api/business", { cookie }), 200);
			same("statistics", await status("/api/admin/stats", { cookie }), 403);
			const both = { cookie, authorization: "Bearer wrong" };
			same("products", await status("/api/products", { cookie }), 200);
			same("with a wrong token", await status("/api/products", both), 401);
		},
	},
	{
		rule: "A product of another business answers as one that doesn't exist",
		async check({ own, other }) {
			const made = await own.ask("POST", "/api/products", {
				...{ name: "Own", buyingPrice: 1, sellingPrice: 2 },
			});
			const { id } = made.body as { id: string };
			for (const method of ["GET", "PATCH", "DELETE"]) {
				const body = method === "PATCH" ? { name: "Taken" } : undefined;
				const reply = await other.ask(method, `/api/products/${id}`, body);
				same(`${method} status`, reply.status, 404);
				same(`${method} body`, reply.body, { error: "Product not found" });
			}
		},
	},
];
