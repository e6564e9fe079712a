import { describe, expect, test } from "vitest";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const scenarios: Scenario[] = [
	{
		what: "asks for credentials",
		as: "nobody",
		method: "GET",
		path: "/api/customers",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "lists none at first",
		method: "GET",
		path: "/api/customers",
		status: 200,
		exactly: [],
	},
	{
		what: "adds one",
		method: "POST",
		path: "/api/customers",
		body: { name: "One", note: "" },
		status: 201,
		answer: { name: "One", note: null },
	},
	{
		what: "requires a name",
		method: "POST",
		path: "/api/customers",
		body: { note: "Bring a bag" },
		status: 400,
		exactly: { error: "name required" },
	},
	{
		what: "finds none that does not exist",
		method: "GET",
		path: "/api/customers/none",
		status: 404,
		exactly: { error: "Customer not found" },
	},
	{
		what: "changes none that does not exist",
		method: "PATCH",
		path: "/api/customers/none",
		body: {},
		status: 404,
		exactly: { error: "Customer not found" },
	},
	{
		what: "removes none that does not exist",
		method: "DELETE",
		path: "/api/customers/none",
		status: 404,
		exactly: { error: "Customer not found" },
	},
];

describe("/api/customers", () => {
	test.each(scenarios)("$what ($method)", expectScenario);

	test("reads, changes and removes customers of the caller's shop, and no other's", async () => {
		const { server, asha, baraka } = await twoShops();
		const added = await server.ask("POST", "/api/customers", {
			as: asha,
			body: { name: "One", note: "Bring a bag" },
		});
		const { id } = added.body as { id: string };
		const path = `/api/customers/${id}`;
		for (const [method, body] of [
			["GET", undefined],
			["PATCH", { name: "Mine" }],
			["DELETE", undefined],
		] as const)
			expect(
				await server.ask(method, path, { as: baraka, body }),
			).toMatchObject({ status: 404, body: { error: "Customer not found" } });
		expect(
			await server.ask("PATCH", path, { as: asha, body: { name: "Two" } }),
		).toMatchObject({
			status: 200,
			body: { name: "Two", note: "Bring a bag" },
		});
		expect(await server.ask("DELETE", path, { as: asha })).toMatchObject({
			status: 200,
			body: { ok: true },
		});
		expect((await server.ask("GET", path, { as: asha })).status).toBe(404);
	});

	test("a customer who was merged is answered by the record that remains, whose data is exported and erased", async () => {
		const { server, asha } = await twoShops();
		const ask = async (method: string, path: string, body?: object) =>
			server.ask(method, `/api/customers${path}`, { as: asha, body });
		const add = async (name: string, phone: string) =>
			((await ask("POST", "", { name, phone })).body as { id: string }).id;
		const [one, two] = [await add("One", "0712 345 678"), await add("Two", "")];
		expect((await ask("GET", "/by-phone?phone=254712345678")).body).toEqual({
			rows: [expect.objectContaining({ id: one })],
		});
		await ask("POST", `/${one}/adjustments`, { amount: 50, reason: "Old" });
		expect(await ask("POST", `/${one}/merge`, { intoId: one })).toMatchObject({
			status: 400,
		});
		const merged = { id: two, name: "Two", phone: "0712 345 678", balance: 50 };
		expect(await ask("POST", `/${one}/merge`, { intoId: two })).toMatchObject({
			status: 200,
			body: merged,
		});
		expect((await ask("GET", `/${one}`)).body).toMatchObject(merged);
		const statement = await ask(
			"GET",
			`/${one}/statement?format=text&width=58`,
		);
		expect(statement.text).toMatch(/^Two +0712 345 678\n(.*\n)+OWED KES +50$/m);
		const pdf = await ask("GET", `/${one}/statement?format=pdf`);
		expect(pdf.headers.get("content-type")).toBe("application/pdf");
		const list = await server.ask("GET", "/api/payments", { as: asha });
		expect(list.body).toMatchObject([
			{ kind: "adjustment", customerId: two, customerName: "Two", amount: 50 },
		]);
		const before = await server.ask("GET", "/api/payments?to=2020-01-01", {
			as: asha,
		});
		expect(before.body).toEqual([]);
		expect((await ask("GET", `/${two}/data`)).body).toMatchObject({
			...{ customer: merged, merged: [{ id: one }] },
			payments: [{ kind: "adjustment", reason: "Old" }],
		});
		expect(await ask("DELETE", `/${two}/data`)).toMatchObject({
			status: 200,
			body: { id: two, name: "—", phone: null, balance: 50 },
		});
	});
});
