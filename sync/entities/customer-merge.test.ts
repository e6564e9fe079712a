import { describe, expect, test } from "vitest";
import {
	customerByPhone,
	customerGet,
	customerList,
	customerPayments,
	customerTotals,
} from "../queries/customer.ts";
import { customerData } from "../queries/customer-data.ts";
import { inboxItemList } from "../queries/inbox.ts";
import { mutationAbout, mutationList } from "../queries/mutation.ts";
import { receiptGet } from "../queries/receipt.ts";
import {
	expectInStep,
	openTestShop,
	openTestTill,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import {
	customerCreate,
	customerDelete,
	customerErase,
	customerLimit,
	customerMerge,
	customerUpdate,
} from "./customer.ts";
import { paymentAdjust, paymentCollect } from "./payment.ts";
import { saleCreate } from "./sale.ts";

const shopOf = (at: TestShop | TestTill) => ("till" in at ? at.till : at.shop);

/** What people do at a till or on the server. */
function peopleAt(at: TestShop | TestTill) {
	const shop = shopOf(at);
	const { caller } = at;
	return {
		meet: (id: string, more: object = {}) =>
			shop.mutate(caller, customerCreate, { id, name: `The ${id}`, ...more }),
		lend: (customerId: string, price: number, id = `${customerId} ${price}`) =>
			shop.mutate(caller, saleCreate, {
				id,
				items: [{ id: "1", name: "Rice", quantity: 1, price, cost: 0 }],
				...{ customerId, paymentMethod: "CREDIT" },
			}),
		collect: (customerId: string, amount: number) =>
			shop.mutate(caller, paymentCollect, {
				...{ id: `paid ${amount}`, customerId },
				tenders: [{ method: "CASH", amount }],
			}),
		merge: (fromId: string, intoId: string) =>
			shop.mutate(caller, customerMerge, { fromId, intoId }),
		get: (id: string) => shop.ask(caller, customerGet, { id }),
		async balances() {
			const { rows } = await shop.ask(caller, customerList, {});
			return Object.fromEntries(rows.map(({ id, balance }) => [id, balance]));
		},
	};
}

async function openShop() {
	const server = await openTestShop();
	const people = peopleAt(server);
	for (const id of ["a", "b", "c"]) await people.meet(id);
	return { server, ...people };
}

describe("a merged customer", () => {
	test("what names either record, before or after, counts for the one that remains [FACT-9]", async () => {
		const { server, lend, collect, merge, get, balances } = await openShop();
		const { shop, caller } = server;
		await lend("a", 100);
		await lend("b", 30);
		await merge("a", "b");
		await lend("a", 7);
		await collect("a", 20);
		expect(await balances()).toEqual({ b: 117, c: 0 });
		expect(await get("a")).toMatchObject({ id: "b", balance: 117 });
		for (const customerId of ["a", "b"]) {
			const { rows } = await shop.ask(caller, customerPayments, { customerId });
			expect(rows.map(({ amount }) => amount).sort()).toEqual([
				-20, 100, 20, 30, 7,
			]);
		}
		expect(await shop.ask(caller, customerTotals, {})).toMatchObject({
			...{ owing: 1, owed: 117 },
		});
		expect(await shop.ask(caller, receiptGet, { id: "a 100" })).toMatchObject({
			customer: { name: "The b", balance: 117 },
		});
		const owing = await shop.ask(caller, customerList, { show: "owing" });
		expect(owing.rows.map(({ id }) => id)).toEqual(["b"]);
	});

	test("merges can be chained, and never lead in a circle", async () => {
		const { server, lend, merge, balances } = await openShop();
		for (const id of ["a", "b", "c"]) await lend(id, 10);
		await merge("a", "b");
		await merge("b", "c");
		await merge("c", "a");
		await merge("a", "c");
		expect(await balances()).toEqual({ c: 30 });
		await expect(merge("a", "a")).rejects.toMatchObject({
			...{ code: "invalid_args", field: "intoId" },
		});
		await expect(merge("none", "a")).rejects.toMatchObject({
			...{ code: "not_found", field: "fromId" },
		});
		expect(
			await server.rows("SELECT id, merged_into FROM customers ORDER BY id"),
		).toEqual([
			{ id: "a", merged_into: "c" },
			{ id: "b", merged_into: "c" },
			{ id: "c", merged_into: null },
		]);
	});

	test("the record that remains takes over the phone number and note that it lacks, and keeps its limit", async () => {
		const { server, meet, lend, merge, get } = await openShop();
		const { shop, caller } = server;
		await meet("phoned", { phone: "0712 345 678", note: "Fridays" });
		await shop.mutate(caller, customerLimit, { id: "b", creditLimit: 50 });
		await merge("phoned", "b");
		expect(await get("phoned")).toMatchObject({
			...{ id: "b", name: "The b", phone: "0712 345 678", note: "Fridays" },
		});
		await lend("phoned", 80);
		expect(await shop.ask(caller, inboxItemList, {})).toMatchObject({
			items: [{ cause: "over_limit", amount: 30 }],
		});
	});

	test("a limit of either record, set before the merge or by a till that has not heard of it, holds for the customer", async () => {
		const { server, meet, merge, get, lend } = await openShop();
		const { shop, caller } = server;
		const limit = (id: string, creditLimit: number) =>
			shop.mutate(caller, customerLimit, { id, creditLimit });
		await limit("a", 70);
		await merge("a", "b");
		expect(await get("b")).toMatchObject({ creditLimit: 70 });
		await limit("a", 40);
		expect(await get("b")).toMatchObject({ creditLimit: 40 });
		await meet("d");
		await limit("d", 1_000);
		await merge("d", "b");
		expect(await get("d")).toMatchObject({ id: "b", creditLimit: 40 });
		await lend("a", 60);
		expect(await shop.ask(caller, inboxItemList, {})).toMatchObject({
			items: [{ cause: "over_limit", amount: 20 }],
		});
	});

	test("a name, phone number or note that a till sets on a record that was merged is the customer's", async () => {
		const { server, merge, get } = await openShop();
		const { shop, caller } = server;
		const update = (id: string, set: object) =>
			shop.mutate(caller, customerUpdate, { id, set });
		const till = await openTestTill(server);
		await till.till.sync();
		await merge("a", "b");
		till.line.online = false;
		await till.till.mutate(till.caller, customerUpdate, {
			...{ id: "a", set: { phone: "0712 345 678" } },
		});
		till.line.online = true;
		await till.till.sync();
		await update("a", { note: "Pays on Fridays" });
		expect(await get("a")).toMatchObject({
			...{ id: "b", phone: "0712 345 678", note: "Pays on Fridays" },
		});
		expect(
			await server.rows("SELECT phone, note FROM customers WHERE id = 'a'"),
		).toEqual([{ phone: null, note: null }]);
		await till.till.sync();
		await expectInStep(server, till);
	});

	test("a record that was merged can't be deleted, or its debt would count for nobody", async () => {
		const { server, lend, merge, balances } = await openShop();
		await lend("a", 100);
		await merge("a", "b");
		await server.shop.mutate(server.caller, customerDelete, { id: "a" });
		expect(await balances()).toEqual({ b: 100, c: 0 });
	});

	test("two tills that lend, collect and merge both ways offline agree in the end [FACT-9]", async () => {
		const { server, lend } = await openShop();
		await lend("a", 100);
		const tills = [await openTestTill(server), await openTestTill(server)];
		const [one, other] = tills.map(peopleAt) as [
			ReturnType<typeof peopleAt>,
			ReturnType<typeof peopleAt>,
		];
		for (const { till } of tills) await till.sync();
		for (const { line } of tills) line.online = false;
		await one.merge("a", "b");
		await one.lend("a", 5);
		await one.merge("b", "c");
		await other.merge("b", "a");
		await other.collect("a", 60);
		await other.lend("b", 2);
		expect(await one.balances()).toEqual({ c: 105 });
		expect(await other.balances()).toEqual({ a: 42, c: 0 });
		for (const { line } of tills) line.online = true;
		for (const till of [...tills, ...tills]) await till.till.sync();
		for (const till of tills) {
			await expectInStep(server, till);
			expect(await till.till.status()).toMatchObject({ rejected: 0 });
			expect(await peopleAt(till).balances()).toEqual({ c: 47 });
		}
	});
});

describe("erased personal data", () => {
	test("name, phone number and note go from every record of the person and what they owe stays", async () => {
		const { server, meet, lend, merge, get } = await openShop();
		const { shop, caller } = server;
		await meet("canary", { name: "Canary Wanjiru", phone: "0799 111 222" });
		await shop.mutate(caller, customerUpdate, {
			...{ id: "canary", set: { name: "Canary Njeri", note: "Canary street" } },
		});
		await lend("canary", 40);
		await merge("canary", "b");
		const till = await openTestTill(server);
		await till.till.sync();
		await shop.mutate(caller, customerErase, { id: "b" });
		await shop.mutate(caller, customerUpdate, {
			...{ id: "canary", set: { name: "Canary again" } },
		});
		await till.till.sync();
		await expectInStep(server, till);
		expect(await get("canary")).toMatchObject({
			...{ id: "b", name: "—", phone: null, note: null, balance: 40 },
			erasedAt: expect.any(String),
		});
		// More digits than a random id is likely to have by chance.
		const known = /canary (wanjiru|njeri|street|again)|0799 ?111/i;
		for (const { rows } of [server, till])
			expect(JSON.stringify(await rows("SELECT * FROM customers"))).not.toMatch(
				known,
			);
		const { rows } = await shop.ask(caller, mutationList, {});
		const said = rows.map(({ what }) => what);
		expect(said).toContain('Created customer "—"');
		expect(said).toContain('Created customer "The a"');
		const { mutations } = await shop.ask(caller, mutationAbout, {
			recordId: "canary",
		});
		expect(mutations.length).toBeGreaterThan(4);
		expect(JSON.stringify(mutations)).not.toMatch(known);
	});

	test("a person who is merged into one whose data was erased is erased too", async () => {
		const { server, meet, merge, get } = await openShop();
		await meet("known", { phone: "0799 111 222" });
		await server.shop.mutate(server.caller, customerErase, { id: "b" });
		await merge("known", "b");
		expect(await get("known")).toMatchObject({ name: "—", phone: null });
		expect(
			await server.rows("SELECT phone FROM customers WHERE phone IS NOT NULL"),
		).toEqual([]);
	});
});

test("customers who are in no list add nothing to what customers owe, and those with credit don't owe", async () => {
	const { server, meet, lend, collect } = await openShop();
	const { shop, caller } = server;
	await meet("gone");
	await lend("gone", 500);
	await lend("a", 100);
	await lend("b", 30);
	await collect("b", 75);
	await shop.mutate(caller, customerDelete, { id: "gone" });
	expect(await shop.ask(caller, customerTotals, {})).toEqual({
		...{ owing: 1, owed: 100, credits: 45 },
	});
});

test("one customer's data is the record, what was merged into it, and each payment, sale and refund", async () => {
	const { server, lend, collect, merge } = await openShop();
	const { shop, caller } = server;
	await lend("a", 100);
	await lend("c", 9);
	await merge("a", "b");
	await collect("b", 60);
	await shop.mutate(caller, paymentAdjust, {
		...{ id: "old", customerId: "b", amount: 5, reason: "Old book" },
	});
	const data = await shop.ask(caller, customerData, { id: "b" });
	expect(data).toMatchObject({
		customer: { id: "b", balance: 45 },
		merged: [{ id: "a" }],
		sales: [{ id: "a 100", items: [{ name: "Rice" }] }],
		refunds: [],
	});
	expect(
		data.payments.map(({ kind, amount }) => `${kind} ${amount}`).sort(),
	).toEqual(["adjustment 5", "collection -60", "collection 60", "sale 100"]);
});

test("a customer is found by phone number however it is written", async () => {
	const { server, meet } = await openShop();
	const find = async (phone: string) =>
		(await server.shop.ask(server.caller, customerByPhone, { phone })).rows.map(
			({ id }) => id,
		);
	await meet("zawadi", { phone: "0712 345-678" });
	for (const phone of ["0712345678", "+254 712 345 678", "(0712) 345 678"])
		expect(await find(phone)).toEqual(["zawadi"]);
	for (const phone of ["0712 345 679", "345 678", ""])
		expect(await find(phone)).toEqual([]);
});
