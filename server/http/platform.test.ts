import { describe, expect, test } from "vitest";
import { createAdmin } from "../accounts/users.ts";
import {
	credentialsOf,
	expectScenario,
	type Scenario,
	type TestServer,
	twoShops,
} from "../testing/server.ts";

const good = { rating: 5, text: "Works when the lights go out" };

const scenarios: Scenario[] = [
	{
		what: "asks for credentials",
		as: "nobody",
		method: "POST",
		path: "/api/reviews",
		body: good,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "accepts a review",
		method: "POST",
		path: "/api/reviews",
		body: good,
		status: 201,
		answer: { ...good, id: expect.any(String), createdAt: expect.any(String) },
	},
	{
		what: "refuses an invalid rating",
		method: "POST",
		path: "/api/reviews",
		body: { ...good, rating: 6 },
		status: 400,
		answer: { error: expect.stringContaining("rating") },
	},
	{
		what: "refuses a review without a text",
		method: "POST",
		path: "/api/reviews",
		body: { rating: 5 },
		status: 400,
		answer: { error: expect.stringContaining("text") },
	},
	{
		what: "refuses a bearer token for the list of reviews",
		method: "GET",
		path: "/api/reviews",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "refuses a bearer token for a single review",
		method: "GET",
		path: "/api/reviews/x",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "refuses a bearer token for the platform's figures",
		method: "GET",
		path: "/api/admin/stats",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "refuses other methods",
		method: "DELETE",
		path: "/api/reviews/x",
		status: 405,
		exactly: { error: "Method not allowed" },
	},
	{
		what: "changes the owner's business, but only its editable fields",
		method: "PATCH",
		path: "/api/business",
		body: { name: "Duka", cutOffHour: 3, openItems: true, id: "x", head: 99 },
		status: 200,
		answer: { name: "Duka", cutOffHour: 3, openItems: true },
		never: ['"x"', "head"],
	},
	{
		what: "keeps a coin's decimal and the receipt's language and logo",
		method: "PATCH",
		path: "/api/business",
		body: { cashUnit: 0.05, receiptLanguage: "sw", receiptLogoUrl: "/l.webp" },
		status: 200,
		answer: {
			...{ cashUnit: 0.05, receiptLanguage: "sw", receiptLogoUrl: "/l.webp" },
		},
	},
	{
		what: "refuses a coin of 0",
		method: "PATCH",
		path: "/api/business",
		body: { cashUnit: 0 },
		status: 400,
		answer: { error: expect.stringContaining("cashUnit") },
	},
	{
		what: "refuses an invalid time zone",
		method: "PATCH",
		path: "/api/business",
		body: { timeZone: "Mars" },
		status: 400,
		answer: { error: expect.stringContaining("timeZone") },
	},
];

async function adminOf(server: TestServer) {
	const { store, env } = server.shop;
	const account = {
		email: "root@example.com",
		name: "Root",
		passwordHash: "none",
	};
	const { id } = await createAdmin(store, env, account);
	const { cookie } = await credentialsOf({
		id,
		...account,
		role: "admin",
		businessId: null,
	});
	return { cookie };
}

describe("the platform", () => {
	test.each(scenarios)("the server $what ($method $path)", expectScenario);

	test("only administrators see reviews and the platform's figures", async () => {
		const { server, asha, baraka } = await twoShops();
		await server.ask("POST", "/api/reviews", { as: asha, body: good });
		const second = await server.ask("POST", "/api/reviews", {
			as: baraka,
			body: { rating: 2, text: "Too green" },
		});
		const { id } = second.body as { id: string };
		const paths = ["/api/reviews", `/api/reviews/${id}`, "/api/admin/stats"];
		for (const path of paths)
			expect(
				await server.ask("GET", path, { headers: { cookie: asha.cookie } }),
			).toMatchObject({ status: 403, body: { error: "Forbidden" } });
		const headers = await adminOf(server);
		const [list, one, stats] = await Promise.all(
			paths.map((path) => server.ask("GET", path, { headers })),
		);
		expect(list?.body).toMatchObject({
			total: 2,
			reviews: [{ text: "Too green" }, { text: good.text }],
		});
		expect(one?.body).toMatchObject({
			id,
			businessId: baraka.businessId,
			userId: baraka.id,
			rating: 2,
		});
		expect(stats?.body).toEqual({
			users: 2,
			usersLast30Days: 2,
			businesses: 2,
			products: 2,
			sales: 0,
			salesLast30Days: 0,
			reviews: 2,
			averageRating: 3.5,
		});
		expect(
			await server.ask("GET", "/api/reviews/none", { headers }),
		).toMatchObject({ status: 404, body: { error: "Review not found" } });
		expect(
			(await server.ask("GET", "/api/reviews?limit=1&offset=1", { headers }))
				.body,
		).toMatchObject({ reviews: [{ text: good.text }] });
		// Administrators get no shop's data.
		expect(await server.ask("GET", "/api/business", { headers })).toMatchObject(
			{ status: 401, body: { error: "No business membership" } },
		);
	});

	test("only the owner can change the business", async () => {
		const { server, asha } = await twoShops();
		const manager = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "MANAGER",
		});
		expect(
			await server.ask("PATCH", "/api/business", {
				as: manager,
				body: { name: "Mine" },
			}),
		).toMatchObject({ status: 403 });
	});
});
