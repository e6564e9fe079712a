import { describe, expect, test } from "vitest";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path: "/api/products",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "lists the shop's products with their categories",
		method: "GET",
		path: "/api/products",
		status: 200,
		answer: [{ id: "milk", name: "Milk", category: null }],
	},
	{
		what: "ignores another business's id",
		method: "GET",
		path: "/api/products?businessId=anything",
		status: 200,
		answer: [{ id: "milk" }],
	},
	{
		what: "creates a product with defaults",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", buyingPrice: 10, sellingPrice: 15.5 },
		status: 201,
		answer: {
			name: "Tea",
			sku: null,
			buyingPrice: 10,
			sellingPrice: 15.5,
			quantity: 0,
			lowStock: 5,
			isService: false,
			isActive: true,
			categoryId: null,
			imageUrl: null,
			thumbnailUrl: null,
		},
	},
	{
		what: "creates a product with all fields",
		method: "POST",
		path: "/api/products",
		body: {
			name: "Tea",
			sku: "7",
			buyingPrice: 1,
			sellingPrice: 2,
			quantity: 3.5,
			lowStock: 1,
			isService: true,
			imageUrl: "/a.png",
			thumbnailUrl: "/b.png",
		},
		status: 201,
		answer: {
			sku: "7",
			quantity: 3.5,
			lowStock: 1,
			isService: true,
			imageUrl: "/a.png",
			thumbnailUrl: "/b.png",
		},
	},
	{
		what: "returns null for an omitted price",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea" },
		status: 201,
		answer: { buyingPrice: null, sellingPrice: null },
	},
	{
		what: "parses the leading number of a price",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", buyingPrice: "12.5 KES", sellingPrice: "abc" },
		status: 201,
		answer: { buyingPrice: 12.5, sellingPrice: null },
	},
	{
		what: "stores a falsy category and image as null",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", categoryId: "", imageUrl: 0 },
		status: 201,
		answer: { categoryId: null, imageUrl: null },
	},
	{
		what: "ignores a business and an id in the body",
		method: "POST",
		path: "/api/products",
		body: { id: "mine", businessId: "other", name: "Tea" },
		status: 201,
		never: ['"mine"', '"other"'],
	},
	{
		what: "ignores unknown keys",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", colour: "red" },
		status: 201,
		never: ["colour"],
	},
	{
		what: "requires a name",
		method: "POST",
		path: "/api/products",
		body: {},
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "requires the name to be a string",
		method: "POST",
		path: "/api/products",
		body: { name: 5 },
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "requires a name that is not blank",
		method: "POST",
		path: "/api/products",
		body: { name: " " },
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "treats a body that is not an object as empty",
		method: "POST",
		path: "/api/products",
		body: "[1]",
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "names the field with an infinite price",
		method: "POST",
		path: "/api/products",
		body: '{"name":"Tea","sellingPrice":1e999}',
		status: 400,
		exactly: { error: "sellingPrice: Must be a finite number" },
	},
	{
		what: "names the field with a price that can't be converted to a string",
		method: "POST",
		path: "/api/products",
		body: '{"name":"Tea","buyingPrice":{"toString":1,"valueOf":1}}',
		status: 400,
		exactly: { error: "buyingPrice: Must be a finite number" },
	},
	{
		what: "names the field with a negative price",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", buyingPrice: -1 },
		status: 400,
		answer: { error: expect.stringContaining("buyingPrice") },
	},
	{
		what: "names the field with a quantity that is a string",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", quantity: "5" },
		status: 400,
		answer: { error: expect.stringContaining("quantity") },
	},
	{
		what: "names the field with a negative threshold",
		method: "POST",
		path: "/api/products",
		body: { name: "Tea", lowStock: -1 },
		status: 400,
		answer: { error: expect.stringContaining("lowStock") },
	},
	{
		what: "refuses a lone surrogate",
		method: "POST",
		path: "/api/products",
		body: '{"name":"half \\ud800"}',
		status: 400,
		answer: { error: expect.stringContaining("name") },
	},
	{
		what: "refuses a NUL character",
		method: "POST",
		path: "/api/products",
		body: { name: "a\0b" },
		status: 400,
		answer: { error: expect.stringContaining("name") },
	},
	{
		what: "returns the product unwrapped",
		method: "GET",
		path: "/api/products/milk",
		status: 200,
		answer: { id: "milk", category: null },
	},
	{
		what: "returns 404 for a missing product",
		method: "GET",
		path: "/api/products/none",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "returns 404 for another business's product",
		method: "GET",
		path: "/api/products/canary",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "changes only the fields in the body",
		method: "PATCH",
		path: "/api/products/milk",
		body: { sellingPrice: 55, colour: "red" },
		status: 200,
		answer: {
			name: "Milk",
			sku: "111",
			buyingPrice: 40,
			sellingPrice: 55,
			quantity: 10,
		},
	},
	{
		what: "changes the quantity",
		method: "PATCH",
		path: "/api/products/milk",
		body: { quantity: 2.5 },
		status: 200,
		answer: { quantity: 2.5 },
	},
	{
		what: "stores falsy values",
		method: "PATCH",
		path: "/api/products/milk",
		body: { sku: "", categoryId: null, imageUrl: false, buyingPrice: "?" },
		status: 200,
		answer: { sku: null, categoryId: null, imageUrl: null, buyingPrice: null },
	},
	{
		what: "deactivates a product",
		method: "PATCH",
		path: "/api/products/milk",
		body: { isActive: false },
		status: 200,
		answer: { isActive: false },
	},
	{
		what: "refuses an empty body",
		method: "PATCH",
		path: "/api/products/milk",
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "refuses an empty name",
		method: "PATCH",
		path: "/api/products/milk",
		body: { name: null },
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "refuses an isActive that is not a boolean",
		method: "PATCH",
		path: "/api/products/milk",
		body: { isActive: "no" },
		status: 400,
		answer: { error: expect.stringContaining("isActive") },
	},
	{
		what: "returns 404 for another business's product",
		method: "PATCH",
		path: "/api/products/canary",
		body: { name: "Mine" },
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "deletes",
		method: "DELETE",
		path: "/api/products/milk",
		status: 200,
		exactly: { ok: true },
	},
	{
		what: "returns 404 for another business's product",
		method: "DELETE",
		path: "/api/products/canary",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "returns 404 for an id that is too long",
		method: "GET",
		path: `/api/products/${"x".repeat(5_000)}`,
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "returns 404 for an id with a NUL character",
		method: "GET",
		path: "/api/products/a%00b",
		status: 404,
		exactly: { error: "Product not found" },
	},
	{
		what: "refuses a malformed path",
		method: "GET",
		path: "/api/products/%E0%A4%A",
		status: 400,
	},
	{
		what: "is not allowed",
		method: "PUT",
		path: "/api/products",
		body: {},
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

describe("/api/products", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a user can read, change and delete products in all their businesses", async () => {
		const { server, asha, baraka } = await twoShops();
		await server.shop.store.write((tx) =>
			tx.run(
				"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'MANAGER', '2030-01-01T00:00:00.000Z')",
				baraka.businessId,
				asha.id,
			),
		);
		const path = "/api/products/canary";
		expect((await server.ask("GET", path, { as: asha })).status).toBe(200);
		const changed = await server.ask("PATCH", path, {
			as: asha,
			body: { quantity: 1 },
		});
		expect(changed.body).toMatchObject({
			quantity: 1,
			businessId: baraka.businessId,
		});
		expect((await server.ask("DELETE", path, { as: asha })).body).toEqual({
			ok: true,
		});
		// List and create always use the first business.
		const { body } = await server.ask("GET", "/api/products", { as: asha });
		expect(body).toMatchObject([{ id: "milk" }]);
	});

	test("a cashier can read products but not change them", async () => {
		const { server, asha } = await twoShops();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		expect(
			(await server.ask("GET", "/api/products/milk", { as: cashier })).status,
		).toBe(200);
		for (const [method, path] of [
			["POST", "/api/products"],
			["PATCH", "/api/products/milk"],
			["DELETE", "/api/products/milk"],
		] as const)
			expect(
				await server.ask(method, path, { as: cashier, body: { name: "x" } }),
			).toMatchObject({ status: 403 });
	});
});
