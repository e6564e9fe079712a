import { expect, test } from "vitest";
import { customerGet, customerList } from "../queries/customer.ts";
import { expectInStep, openTestShop, openTestTill } from "../testing/shop.ts";
import { customerCreate, customerDelete, customerUpdate } from "./customer.ts";

async function twoTills() {
	const server = await openTestShop();
	const a = await openTestTill(server);
	const b = await openTestTill(server);
	return { server, a, b };
}

test("a customer that a till adds offline reaches the other till after both sync", async () => {
	const { server, a, b } = await twoTills();
	await a.till.sync();
	a.line.online = false;
	await a.till.mutate(a.caller, customerCreate, { id: "one", name: "One" });
	const added = await a.till.ask(a.caller, customerGet, { id: "one" });
	expect(added).toMatchObject({ name: "One", note: null });
	a.line.online = true;
	await a.till.sync();
	await b.till.sync();
	expect(await b.till.ask(b.caller, customerGet, { id: "one" })).toEqual(added);
	await expectInStep(server, a);
	await expectInStep(server, b);
});

test("two tills change different fields of a customer, and both changes hold", async () => {
	const { a, b } = await twoTills();
	await a.till.mutate(a.caller, customerCreate, { id: "one", name: "One" });
	await a.till.sync();
	await b.till.sync();
	const change = (till: typeof a, set: object) =>
		till.till.mutate(till.caller, customerUpdate, { id: "one", set });
	await change(a, { name: "Two" });
	await change(b, { note: "Bring a bag" });
	for (const { till } of [a, b, a]) await till.sync();
	for (const { till, caller } of [a, b])
		expect(await till.ask(caller, customerGet, { id: "one" })).toMatchObject({
			name: "Two",
			note: "Bring a bag",
		});
});

test("a customer is listed by name until it is removed", async () => {
	const { shop, caller } = await openTestShop();
	const names = async () => {
		const { rows } = await shop.ask(caller, customerList, {});
		return rows.map(({ name }) => name);
	};
	for (const name of ["Two", "One"])
		await shop.mutate(caller, customerCreate, { id: name, name });
	expect(await names()).toEqual(["One", "Two"]);
	await shop.mutate(caller, customerDelete, { id: "One" });
	expect(await names()).toEqual(["Two"]);
	await expect(
		shop.mutate(caller, customerDelete, { id: "One" }),
	).rejects.toMatchObject({ code: "not_found", field: "id" });
});

test("a customer without a name is refused", async () => {
	const { shop, caller } = await openTestShop();
	await expect(
		shop.mutate(caller, customerCreate, { id: "one", name: " " }),
	).rejects.toMatchObject({ code: "invalid_args", field: "name" });
});
