import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { addBusiness, addMember, openTestShop } from "../testing/shop.ts";
import { saleByReceipt } from "./sale.ts";

async function open() {
	const opened = await openTestShop();
	const { shop, store, caller } = opened;
	await store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await addMember(tx, "shop-2", caller.userId ?? "", "OWNER");
	});
	const sell = (id: string, receiptNumber: string, businessId = "shop-1") =>
		shop.mutate({ ...caller, businessId }, saleCreate, {
			...{ id, receiptNumber },
			items: [{ id: "1", name: "Milk", quantity: 1, price: 50, cost: 40 }],
		});
	return { ...opened, sell };
}

test("a receipt number, also in small letters, finds its sale in its own shop", async () => {
	const { shop, caller, sell } = await open();
	await sell("first", "A-000001");
	await sell("typed", "old-7");
	await sell("second", "A-000002");
	await sell("theirs", "A-000003", "shop-2");
	const idOf = async (number: string) =>
		(await shop.ask(caller, saleByReceipt, { number })).sale?.id;
	expect(await idOf("A-000001")).toBe("first");
	expect(await idOf(" a-000002 ")).toBe("second");
	expect(await idOf("old-7")).toBe("typed");
	for (const unknown of ["A-000003", "A-00000", "%", ""])
		expect(await idOf(unknown), unknown).toBeUndefined();
});

test("of several sales with one receipt number, the newest is found", async () => {
	const { shop, caller, sell, env } = await open();
	await sell("b", "A-000001");
	env.pass(60_000);
	await sell("a", "A-000001");
	expect(
		(await shop.ask(caller, saleByReceipt, { number: "A-000001" })).sale?.id,
	).toBe("a");
});

test("a receipt number is looked for from the newest sale on, without a sort", async () => {
	const { store } = await open();
	const plans: string[] = [];
	await store.read((tx) =>
		saleByReceipt.run(
			{
				businessId: "shop-1",
				now: 0,
				tx: {
					...tx,
					get: (sql, ...params) => tx.get(sql, ...params),
					async all(sql, ...params) {
						const plan = await tx.all(`EXPLAIN QUERY PLAN ${sql}`, ...params);
						plans.push(...plan.map(({ detail }) => String(detail)));
						return tx.all(sql, ...params);
					},
				},
			},
			{ number: "A-000001" },
		),
	);
	expect(plans.join("\n")).toMatch(/SEARCH stored USING INDEX sales_by_time/);
	expect(plans).not.toContain("USE TEMP B-TREE FOR ORDER BY");
});
