import { describe, expect, test } from "vitest";
import { customerGet, customerPayments } from "../queries/customer.ts";
import { inboxItemList } from "../queries/inbox.ts";
import { saleGet } from "../queries/sale.ts";
import {
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { customerCreate, customerLimit } from "./customer.ts";
import { paymentAdjust, paymentCollect } from "./payment.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";

const cash = (amount: number) => ({ method: "CASH", amount });
const mpesa = (amount: number, code?: string) => ({
	...{ method: "MPESA", amount, ...(code && { code }) },
});

async function openShop() {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
	return {
		server,
		shop,
		caller,
		async sell(id: string, price: number, more: object) {
			const items = [{ id: "1", name: "Rice", quantity: 1, price, cost: 0 }];
			await shop.mutate(caller, saleCreate, { id, items, ...more });
			return shop.ask(caller, saleGet, { id });
		},
		balance: () => balanceOf(server),
		/** What moved by each method with a fact, in decimals. */
		async moved(factId: string) {
			const rows = await server.rows(
				`SELECT method, amount FROM payments WHERE fact_id = '${factId}' ORDER BY method`,
			);
			return rows.map(({ method, amount }) => [method, Number(amount) / 1e6]);
		},
	};
}

async function balanceOf({ shop, caller }: Pick<TestShop, "shop" | "caller">) {
	return (await shop.ask(caller, customerGet, { id: "zawadi" })).balance;
}

describe("a sale's payment", () => {
	test("a sale paid by several methods has one payment for each, and change comes out of the cash", async () => {
		const { sell, moved } = await openShop();
		const sold = await sell("s", 850, { tenders: [cash(500), mpesa(400)] });
		expect(sold).toMatchObject({
			...{ total: 850, paid: 900, change: 50 },
			...{ paymentMethod: "MIXED", hasPayments: true },
		});
		expect(await moved("s")).toEqual([
			["CASH", 450],
			["MPESA", 400],
		]);
	});

	test("change for a sale without cash is cash that the drawer gave", async () => {
		const { sell, moved } = await openShop();
		await sell("s", 850, { tenders: [mpesa(500), { ...mpesa(400) }] });
		expect(await moved("s")).toEqual([
			["CASH", -50],
			["MPESA", 900],
		]);
	});

	test("a sale paid by one method is its own payment, with its code", async () => {
		const { sell, moved } = await openShop();
		const sold = await sell("s", 850, { tenders: [mpesa(850, "TIA9B1U5VV")] });
		expect(sold).toMatchObject({
			...{ paid: 850, paymentMethod: "MPESA", paymentCode: "TIA9B1U5VV" },
		});
		expect(sold).not.toHaveProperty("hasPayments");
		expect(await moved("s")).toEqual([]);
	});

	test("what a named customer does not pay is credit", async () => {
		const { sell, moved, balance } = await openShop();
		const buyer = { customerId: "zawadi" };
		expect(
			await sell("s", 900, { ...buyer, tenders: [cash(500)] }),
		).toMatchObject({ paid: 900, change: 0, paymentMethod: "MIXED" });
		expect(await moved("s")).toEqual([
			["CASH", 500],
			["CREDIT", 400],
		]);
		expect(
			await sell("t", 100, { ...buyer, paymentMethod: "CREDIT" }),
		).toMatchObject({ paid: 100, change: 0, paymentMethod: "CREDIT" });
		expect(await balance()).toBe(500);
	});

	test("rounded cash beside other methods adds up to the total", async () => {
		const { sell, moved } = await openShop();
		const sold = await sell("s", 102, {
			...{ tenders: [cash(50), mpesa(50)], rounding: 2 },
		});
		expect(sold).toMatchObject({ paid: 102, change: 0, rounding: 2 });
		expect(await moved("s")).toEqual([
			["CASH", 50],
			["MPESA", 50],
		]);
	});

	test.each([
		["customerId", { tenders: [{ method: "CREDIT", amount: 5 }] }],
		["paid", { tenders: [cash(5)], paid: 5 }],
		["tenders", { tenders: [] }],
		["tenders.0.amount", { tenders: [cash(0)] }],
		["tenders.0.code", { tenders: [mpesa(5, "tia 9")] }],
		["rounding", { tenders: [mpesa(5)], rounding: 1 }],
		["paymentCode", { paymentCode: "A".repeat(41) }],
	])(
		"a payment that makes no sense names its field, %s",
		async (field, more) => {
			const { server } = await openShop();
			const made = message("m", "sale.create", { ...saleArgs("s"), ...more });
			expect(await pushOne(server, made)).toMatchObject({
				error: { code: "invalid_args", field },
			});
		},
	);

	test("the same sale comes again without a second payment, and with other payments it is refused", async () => {
		const { server, sell, balance } = await openShop();
		const lent = { customerId: "zawadi", tenders: [cash(500)] };
		await sell("s", 900, lent);
		const items = [{ id: "1", name: "Rice", quantity: 1, price: 900, cost: 0 }];
		const again = (id: string, more: object) =>
			pushOne(
				server,
				message(id, "sale.create", { id: "s", items, ...lent, ...more }),
			);
		expect(await again("m", {})).toMatchObject({ status: "applied" });
		expect(await again("n", { tenders: [mpesa(500)] })).toMatchObject({
			error: { code: "id_reused" },
		});
		expect(await balance()).toBe(400);
	});
});

describe("money that is given back", () => {
	const back = { reason: "Sour" };

	test("a void of a credit sale takes the debt back and gives only the cash [T5]", async () => {
		const { server, sell, moved, balance } = await openShop();
		await sell("s", 900, { customerId: "zawadi", tenders: [cash(500)] });
		const { shop, caller } = server;
		await shop.mutate(caller, saleVoid, { ...back, id: "v", saleId: "s" });
		expect(await moved("v")).toEqual([
			["CASH", -500],
			["CREDIT", -400],
		]);
		expect(await balance()).toBe(0);
	});

	test("a refund takes what was lent first, then what was paid, and never more than there was", async () => {
		const { server, sell, moved, balance } = await openShop();
		const { shop, caller } = server;
		await sell("s", 900, { customerId: "zawadi", tenders: [cash(500)] });
		const refund = (id: string, quantity: number) =>
			shop.mutate(caller, saleRefund, {
				...{ ...back, id, saleId: "s" },
				items: [{ id, itemId: "1", quantity }],
			});
		await refund("a", 0.5);
		expect(await moved("a")).toEqual([
			["CASH", -50],
			["CREDIT", -400],
		]);
		await refund("b", 0.5);
		expect(await balance()).toBe(0);
		expect(
			await server.rows(
				"SELECT payment_method, rounding, has_payments FROM refunds WHERE id = 'b'",
			),
		).toEqual([{ payment_method: "CASH", rounding: null, has_payments: null }]);
	});

	test("each method gives back no more than the sale brought in by it, in however many refunds", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		await sell("s", 900, {
			...{ customerId: "zawadi", tenders: [cash(500), mpesa(100)] },
			items: [{ id: "1", name: "Rice", quantity: 9, price: 100, cost: 0 }],
		});
		for (const [id, quantity] of [
			["a", 3],
			["b", 1],
			["c", 2],
		] as const)
			await shop.mutate(caller, saleRefund, {
				...{ ...back, id, saleId: "s" },
				items: [{ id, itemId: "1", quantity }],
			});
		const given = await server.rows(
			`SELECT method, sum(amount) AS amount FROM (
         SELECT method, -amount AS amount FROM payments WHERE kind = 'refund'
         UNION ALL SELECT payment_method, total FROM refunds WHERE payment_method IS NOT NULL) AS given
       GROUP BY method ORDER BY method`,
		);
		expect(
			given.map(({ method, amount }) => [method, Number(amount) / 1e6]),
		).toEqual([
			["CASH", 200],
			["CREDIT", 300],
			["MPESA", 100],
		]);
	});

	test("a rounded sale gives back what it brought in: 7.50 sold for 7.00 is 7.00 again [T15]", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		await sell("s", 7.5, { paid: 7.5, rounding: 0.5 });
		await shop.mutate(caller, saleVoid, { ...back, id: "v", saleId: "s" });
		expect(await server.rows("SELECT total, rounding FROM refunds")).toEqual([
			{ total: 7_500_000, rounding: 500_000 },
		]);
	});

	test.each([
		["rounded down, in parts", { rounding: 0.5 }, [2, 1], [5, 2]],
		["rounded up, in parts", { paid: 8, rounding: -0.5 }, [2, 1], [5, 3]],
		["rounded up, at once", { paid: 8, rounding: -0.5 }, [3], [8]],
		[
			...(["rounded up, by two methods"] as const),
			{ tenders: [cash(4), mpesa(4)], rounding: -0.5 },
			...([
				[2, 1],
				[5, 3],
			] as const),
		],
		["paid in part, in parts", { paid: 6 }, [2, 1], [5, 1]],
		["paid in part, at once", { paid: 1 }, [3], [1]],
		["paid with more", { paid: 10 }, [1, 2], [2.5, 5]],
	])(
		"refunds of a sale give back what it brought in: %s",
		async (_, paid, quantities, given) => {
			const { server, sell } = await openShop();
			const { shop, caller } = server;
			const line = { id: "1", name: "Rice", quantity: 3, price: 2.5, cost: 0 };
			await sell("s", 7.5, { items: [line], ...paid });
			for (const [i, quantity] of quantities.entries())
				await shop.mutate(caller, saleRefund, {
					...{ ...back, id: `r${i}`, saleId: "s" },
					items: [{ id: "1", itemId: "1", quantity }],
				});
			const made = await server.rows(
				"SELECT total - coalesce(rounding, 0) AS given FROM refunds ORDER BY id",
			);
			expect(made.map((one) => Number(one.given) / 1e6)).toEqual(given);
		},
	);

	test("what a refund kept back is not given with the next one", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		const line = { id: "1", name: "Rice", quantity: 2, price: 65, cost: 0 };
		await sell("s", 130, { items: [line] });
		const refund = (id: string, more: object) =>
			shop.mutate(caller, saleRefund, {
				...{ ...back, id, saleId: "s", ...more },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			});
		await refund("a", { tenders: [cash(40)] });
		await refund("b", {});
		expect(
			await server.rows("SELECT id, rounding FROM refunds ORDER BY id"),
		).toEqual([
			{ id: "a", rounding: 25_000_000 },
			{ id: "b", rounding: null },
		]);
	});

	test("a refund may be given back by another method, but on credit only to a customer", async () => {
		const { server, sell } = await openShop();
		await sell("s", 100, {});
		const give = (id: string, method: string) =>
			pushOne(
				server,
				message(id, "sale.void", {
					...{ ...back, id, saleId: "s" },
					tenders: [{ method, amount: 100 }],
				}),
			);
		expect(await give("v", "CREDIT")).toMatchObject({
			error: { code: "invalid_args", field: "tenders" },
		});
		expect(await give("w", "MPESA")).toMatchObject({ status: "applied" });
		expect(await server.rows("SELECT payment_method FROM refunds")).toEqual([
			{ payment_method: "MPESA" },
		]);
	});
});

describe("what a customer owes", () => {
	test("a code that named another payment is reported of a debt and a deposit too, once", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		await sell("s", 50, { paymentMethod: "MPESA", paymentCode: "UIBJN5YMQC" });
		const collect = (id: string, code: string) =>
			shop.mutate(caller, paymentCollect, {
				...{ id, customerId: "zawadi", tenders: [mpesa(30, code)] },
			});
		await collect("own", "UIBJN5YMQ7");
		await collect("reused", "UIBJN5YMQC");
		await collect("reused", "UIBJN5YMQC");
		const { items } = await shop.ask(caller, inboxItemList, {});
		expect(items).toMatchObject([
			{ cause: "code_reused", amount: 30, saleId: null },
		]);
		expect(items).toHaveLength(1);
	});

	test("a collected debt is money in and less owed, and an old debt is owed without money", async () => {
		const { server, moved, balance } = await openShop();
		const { shop, caller } = server;
		await shop.mutate(caller, paymentAdjust, {
			...{ id: "old", customerId: "zawadi", amount: 300, reason: "Old book" },
		});
		const collect = () =>
			shop.mutate(caller, paymentCollect, {
				...{ id: "c", customerId: "zawadi" },
				tenders: [cash(200), mpesa(50, "UIBJN5YMQC")],
			});
		await collect();
		await collect();
		expect(await balance()).toBe(50);
		expect(await moved("c")).toEqual([
			["CASH", 200],
			["CREDIT", -250],
			["MPESA", 50],
		]);
		const { rows } = await shop.ask(caller, customerPayments, {
			customerId: "zawadi",
		});
		expect(rows.map(({ kind }) => kind).sort()).toEqual([
			...["adjustment", "collection", "collection", "collection"],
		]);
	});

	test("two tills that lend and collect without each other agree on the sum", async () => {
		const { server, balance } = await openShop();
		const tills = [await openTestTill(server), await openTestTill(server)];
		for (const [n, { till, caller, line }] of tills.entries()) {
			await till.sync();
			line.online = false;
			const items = [
				{ id: "1", name: "Oil", quantity: 1, price: 700, cost: 0 },
			];
			await till.mutate(caller, saleCreate, {
				...{ id: `s${n}`, items, customerId: "zawadi" },
				paymentMethod: "CREDIT",
			});
			await till.mutate(caller, paymentCollect, {
				...{ id: `c${n}`, customerId: "zawadi", tenders: [cash(100)] },
			});
		}
		for (const till of [...tills, ...tills]) {
			till.line.online = true;
			await till.till.sync();
		}
		expect(await balance()).toBe(1_200);
		for (const { till, caller } of tills)
			expect(
				(await till.ask(caller, customerGet, { id: "zawadi" })).balance,
			).toBe(1_200);
		for (const till of tills) await expectInStep(server, till);
	});

	test("a sale beyond a customer's limit is made, and a person hears by how much", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		await shop.mutate(caller, customerLimit, {
			...{ id: "zawadi", creditLimit: 1_000 },
		});
		const lend = (id: string) =>
			sell(id, 700, { customerId: "zawadi", paymentMethod: "CREDIT" });
		await lend("a");
		await lend("b");
		const { items } = await shop.ask(caller, inboxItemList, {});
		expect(items).toMatchObject([
			{ cause: "over_limit", saleId: "b", amount: 400 },
		]);
	});

	test("one code on two sales, or on a sale and a debt, raises one inbox item for each further one [T26]", async () => {
		const { server, sell } = await openShop();
		const { shop, caller } = server;
		const paid = { paymentMethod: "MPESA", paymentCode: "TIA9B1U5VV" };
		await sell("a", 100, paid);
		await sell("b", 100, paid);
		await sell("c", 300, {
			tenders: [cash(200), mpesa(100, "TIA9B1U5VV")],
		});
		const { items } = await shop.ask(caller, inboxItemList, {});
		expect(
			items.map(({ cause, saleId, amount }) => [cause, saleId, amount]).sort(),
		).toEqual([
			["code_reused", "b", 100],
			["code_reused", "c", 100],
		]);
	});
});
