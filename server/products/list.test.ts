import { describe, expect, test } from "vitest";
import { categoryCreate } from "../../sync/entities/category.ts";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const scenarios: Scenario[] = [
	{
		what: "searches for part of a name, ignoring case",
		method: "GET",
		path: "/api/products?search=IL",
		status: 200,
		answer: [{ id: "milk" }],
	},
	{
		what: "searches for wildcards literally",
		method: "GET",
		path: "/api/products?search=%25",
		status: 200,
		exactly: [],
	},
	{
		what: "returns an empty list without a match",
		method: "GET",
		path: "/api/products?search=milka",
		status: 200,
		exactly: [],
	},
	{
		what: "filters by exact category",
		method: "GET",
		path: "/api/products?categoryId=none",
		status: 200,
		exactly: [],
	},
	{
		what: "accepts a repeated parameter",
		method: "GET",
		path: "/api/products?search=a&search=b",
		status: 200,
		answer: [{ id: "milk" }],
	},
	{
		what: "returns an empty list for a NUL character",
		method: "GET",
		path: "/api/products?search=%00",
		status: 200,
		exactly: [],
	},
	{
		what: "returns an empty list for a search longer than a name can be",
		method: "GET",
		path: `/api/products?search=${"%EF%B7%BA".repeat(1_700)}`,
		status: 200,
		exactly: [],
	},
];

describe("GET /api/products", () => {
	test.each(scenarios)("$method /api/products $what", expectScenario);

	test("the product list is sorted by name and omits inactive products", async () => {
		const { server, asha } = await twoShops();
		for (const name of ["apple", "Zebra", "Éclair", "banana"])
			await server.ask("POST", "/api/products", { as: asha, body: { name } });
		await server.ask("DELETE", "/api/products/milk", { as: asha });
		const { body } = await server.ask("GET", "/api/products", { as: asha });
		const names = (body as { name: string }[]).map(({ name }) => name);
		expect(names).toEqual(["apple", "banana", "Éclair", "Zebra"]);
		const inactive = await server.ask("GET", "/api/inactive-products", {
			as: asha,
		});
		expect(inactive.body).toMatchObject([{ id: "milk", isActive: false }]);
		const gone = await server.ask("GET", "/api/products/milk", { as: asha });
		expect(gone.body).toMatchObject({ isActive: false });
		await server.ask("PATCH", "/api/products/milk", {
			as: asha,
			body: { isActive: true },
		});
		const { body: again } = await server.ask(
			"GET",
			"/api/products?search=milk",
			{ as: asha },
		);
		expect(again).toHaveLength(1);
	});

	test("the product list includes categories and combines both filters", async () => {
		const { server, asha } = await twoShops();
		await server.shop.mutate(asha.caller, categoryCreate, {
			id: "dairy",
			name: "Dairy",
			sortOrder: 2,
		});
		const body = { name: "Butter", categoryId: "dairy" };
		const made = await server.ask("POST", "/api/products", { as: asha, body });
		expect(made.body).toMatchObject({
			category: { id: "dairy", name: "Dairy", sortOrder: 2 },
		});
		const found = await server.ask(
			"GET",
			"/api/products?categoryId=dairy&search=BUT",
			{ as: asha },
		);
		expect(found.body).toHaveLength(1);
		const none = await server.ask(
			"GET",
			"/api/products?categoryId=dairy&search=milk",
			{ as: asha },
		);
		expect(none.body).toEqual([]);
	});

	test("a search for the whole of the longest name finds it", async () => {
		const { server, asha } = await twoShops();
		const name = "\ufdfa".repeat(500);
		const made = await server.ask("POST", "/api/products", {
			as: asha,
			body: { name },
		});
		expect(made.status).toBe(201);
		const found = await server.ask(
			"GET",
			`/api/products?search=${encodeURIComponent(name)}`,
			{ as: asha },
		);
		expect(found.body).toMatchObject([{ name }]);
	});
});
