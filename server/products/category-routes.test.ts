import { describe, expect, test } from "vitest";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path: "/api/categories",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "lists no categories at first",
		method: "GET",
		path: "/api/categories",
		status: 200,
		exactly: [],
	},
	{
		what: "creates a category",
		method: "POST",
		path: "/api/categories",
		body: { name: "Dairy" },
		status: 201,
		answer: { name: "Dairy", sortOrder: 0 },
	},
	{
		what: "requires a name",
		method: "POST",
		path: "/api/categories",
		body: {},
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "requires the name to be a string",
		method: "POST",
		path: "/api/categories",
		body: { name: ["x"] },
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "names an invalid field",
		method: "POST",
		path: "/api/categories",
		body: { name: "Dairy", sortOrder: 1.5 },
		status: 400,
		answer: { error: expect.stringContaining("sortOrder") },
	},
	{
		what: "returns 404 for a missing category",
		method: "GET",
		path: "/api/categories/none",
		status: 404,
		exactly: { error: "Category not found" },
	},
	{
		what: "returns 404 for a missing category",
		method: "PATCH",
		path: "/api/categories/none",
		body: {},
		status: 404,
		exactly: { error: "Category not found" },
	},
	{
		what: "returns 404 for a missing category",
		method: "DELETE",
		path: "/api/categories/none",
		status: 404,
		exactly: { error: "Category not found" },
	},
	{
		what: "is not allowed",
		method: "PUT",
		path: "/api/categories/none",
		body: {},
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

describe("/api/categories", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a shop can read, change and delete only its own categories", async () => {
		const { server, asha, baraka } = await twoShops();
		const made = await server.ask("POST", "/api/categories", {
			as: asha,
			body: { name: "Dairy", sortOrder: 3 },
		});
		const { id } = made.body as { id: string };
		const path = `/api/categories/${id}`;
		for (const method of ["GET", "PATCH", "DELETE"])
			expect(
				await server.ask(method, path, {
					as: baraka,
					body: method === "PATCH" ? {} : undefined,
				}),
			).toMatchObject({ status: 404, body: { error: "Category not found" } });
		const changed = await server.ask("PATCH", path, {
			as: asha,
			body: { name: "Cold", other: 1 },
		});
		expect(changed.body).toMatchObject({ id, name: "Cold", sortOrder: 3 });
		await server.ask("PATCH", "/api/products/milk", {
			as: asha,
			body: { categoryId: id },
		});
		expect((await server.ask("DELETE", path, { as: asha })).body).toEqual({
			ok: true,
		});
		expect((await server.ask("GET", path, { as: asha })).status).toBe(404);
		const milk = await server.ask("GET", "/api/products/milk", { as: asha });
		expect(milk.body).toMatchObject({ categoryId: null, category: null });
	});
});
