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

	test("goods are kept over REST, paid in parts and handed over once", async () => {
		const { server, asha } = await twoShops();
		const ask = async (method: string, path: string, body?: object) =>
			server.ask(method, `/api${path}`, { as: asha, body });
		const { body: customer } = await ask("POST", "/customers", { name: "One" });
		const { id: customerId } = customer as { id: string };
		const radio = { name: "Radio", quantity: 1, price: 2_400, cost: 1_800 };
		const keep = (id: string) =>
			ask("POST", "/layaways", { id, customerId, items: [radio] });
		expect(await keep("one")).toMatchObject({
			status: 201,
			body: { state: "open", total: 2_400, deposited: 0, customerName: "One" },
		});
		expect((await keep("one")).status).toBe(201);
		await keep("two");
		const pay = (kind: string, layawayId: string, amount: number) =>
			ask("POST", `/customers/${customerId}/${kind}`, {
				...{ layawayId, tenders: [{ method: "CASH", amount }] },
			});
		expect(await pay("payments", "one", 400)).toMatchObject({
			...{ status: 201, body: { balance: -400 } },
		});
		expect((await pay("payments", "none", 400)).status).toBe(404);
		// What somebody else pays is not theirs, unless both are one person.
		const other = (await ask("POST", "/customers", { name: "Zawadi" }))
			.body as { id: string };
		const deposit = {
			...{ layawayId: "one", tenders: [{ method: "CASH", amount: 50 }] },
		};
		for (const kind of ["payments", "payouts"])
			expect(
				await ask("POST", `/customers/${other.id}/${kind}`, deposit),
			).toMatchObject({
				status: 400,
				body: { error: "layawayId: Must be a layaway of the customer" },
			});
		await ask("POST", `/customers/${other.id}/merge`, { intoId: customerId });
		for (const kind of ["payments", "payouts"])
			expect(
				await ask("POST", `/customers/${other.id}/${kind}`, deposit),
			).toMatchObject({ status: 201 });
		const slip = await ask("GET", "/layaways/one/receipt?format=text&width=58");
		expect(slip.text).toMatch(/^LEFT TO PAY KES +2,000$/m);
		const rest = { id: "sale", tenders: [{ method: "CASH", amount: 1_500 }] };
		const complete = () => ask("POST", "/layaways/one/complete", rest);
		expect(await complete()).toMatchObject({
			...{ status: 201, body: { id: "sale", total: 2_400, paid: 2_400 } },
		});
		// The request may be repeated, and another one comes too late.
		expect((await complete()).status).toBe(201);
		expect(await ask("POST", "/layaways/one/complete", {})).toMatchObject({
			...{ status: 409, body: { error: "The layaway has ended" } },
		});
		await pay("payments", "two", 100);
		const cancelled = await ask("POST", "/layaways/two/cancel", {
			reason: "Moved",
		});
		expect(cancelled.body).toMatchObject({
			state: "cancelled",
			deposited: 100,
		});
		expect((await pay("payouts", "two", 100)).body).toMatchObject({
			balance: 500,
		});
		expect((await ask("GET", "/layaways")).body).toEqual([]);
		expect((await ask("GET", "/layaways?show=all")).body).toHaveLength(2);
		const list = (await ask("GET", "/payments")).body as object[];
		expect(list).toContainEqual(
			expect.objectContaining({
				layawayId: "two",
				method: "CASH",
				amount: -100,
			}),
		);
	});

	test("of two requests at once that hand over the same goods, one is refused", async () => {
		const { server, asha } = await twoShops();
		const ask = async (method: string, path: string, body?: object) =>
			server.ask(method, `/api${path}`, { as: asha, body });
		const { body: customer } = await ask("POST", "/customers", { name: "One" });
		const { id: customerId } = customer as { id: string };
		const radio = { name: "Radio", quantity: 1, price: 2_400, cost: 1_800 };
		for (let i = 0; i < 5; i += 1) {
			const id = `layaway-${i}`;
			await ask("POST", "/layaways", { id, customerId, items: [radio] });
			const complete = () => ask("POST", `/layaways/${id}/complete`, {});
			const both = await Promise.all([complete(), complete()]);
			expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
		}
		const { body } = await ask("GET", `/customers/${customerId}`);
		expect(body).toMatchObject({ balance: 5 * 2_400 });
		expect((await ask("GET", "/inbox")).body).toMatchObject({ total: 0 });
	});
});
