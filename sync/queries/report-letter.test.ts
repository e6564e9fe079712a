import { describe, expect, test } from "vitest";
import { deliveryCreate } from "../entities/delivery.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { supplierCreate } from "../entities/supplier.ts";
import { addDays } from "../protocol/clock.ts";
import { openTestShop, testEnv } from "../testing/shop.ts";
import { reportLetter } from "./report-letter.ts";

const hour = 3_600_000;
const today = "2026-11-20";

interface Sold {
	name?: string;
	productId?: string | null;
	quantity?: number;
	price?: number;
	cost?: number;
	listPrice?: number;
}

/** A shop in Nairobi that sold on days before today, a Friday, and whose clock a test moves on. */
async function openLetter() {
	const env = testEnv("2026-09-01T04:00:00.000Z");
	const { shop, caller } = await openTestShop({ env });
	let last = 0;
	/** Moves the clock to a local time. */
	const at = (day: string, time: string) =>
		env.pass(Date.parse(`${day}T${time}:00.000Z`) - 3 * hour - env.now());
	async function sell(...lines: Sold[]): Promise<string> {
		last += 1;
		const id = `s${last}`;
		await shop.mutate(caller, saleCreate, {
			id,
			items: lines.map((line, i) => ({
				...{ id: String(i + 1), name: "Sugar", quantity: 1, price: 100 },
				...{ cost: 80, productId: null, ...line },
			})),
		});
		return id;
	}
	return {
		shop,
		caller,
		at,
		sell,
		add: (id: string, more: object) =>
			shop.mutate(caller, productCreate, {
				...{ id, name: `Best ${id}`, sellingPrice: 100, buyingPrice: 80 },
				...more,
			}),
		/** Sells at the given local times of each of the last Fridays, once. */
		async sellOnFridays(weeks: number, times: string[], line: Sold = {}) {
			for (let ago = weeks; ago > 0; ago -= 1)
				for (const time of times) {
					at(addDays(today, -7 * ago), time);
					await sell(line);
				}
		},
		read: () => shop.ask(caller, reportLetter, {}),
	};
}

describe("the letter", () => {
	test("the letter of a new shop holds nothing", async () => {
		const { read, at } = await openLetter();
		at(today, "12:00");
		expect(await read()).toMatchObject({
			day: today,
			today: { salesCount: 0, revenue: 0 },
			...{ usual: null, causes: [], soldOut: [], order: [], odd: [] },
		});
	});

	test("the letter compares today with the median of the same weekdays up to this time of day", async () => {
		const { read, at, sell } = await openLetter();
		for (const [ago, price] of [
			[5, 40],
			[4, 10],
			[3, 90],
			[2, 60],
			[1, 50],
		] as const) {
			const friday = addDays(today, -7 * ago);
			at(friday, "09:00");
			await sell({ price });
			at(friday, "11:50");
			await sell({ price });
			at(friday, "12:00");
			await sell({ price: 1_000 });
			// Other weekdays do not count.
			at(addDays(friday, 1), "09:00");
			await sell({ price: 7 });
		}
		at(today, "09:00");
		await sell({ price: 30 });
		at(today, "12:10");
		const { usual, causes, today: figures } = await read();
		expect(figures).toMatchObject({ salesCount: 1, revenue: 30 });
		expect(usual).toEqual({ days: 5, salesCount: 2, revenue: 100 });
		expect(causes).toEqual([
			{ code: "sales", today: 1, usual: 2, amount: -50 },
			{ code: "basket", today: 30, usual: 50, amount: -20 },
		]);
	});

	test("the letter compares with eight weekdays at most, and with none if there are three", async () => {
		const three = await openLetter();
		await three.sellOnFridays(3, ["09:00"]);
		three.at(today, "10:00");
		expect((await three.read()).usual).toBeNull();

		const many = await openLetter();
		await many.sellOnFridays(10, ["09:00"]);
		many.at(today, "10:00");
		expect((await many.read()).usual).toEqual({
			...{ days: 8, salesCount: 1, revenue: 100 },
		});
	});

	test("a product whose last one was sold today sold out then, and has missed what is usually sold since", async () => {
		const { read, at, sell, add, sellOnFridays } = await openLetter();
		await add("sugar", { quantity: 30 });
		await add("milk", { quantity: 20 });
		await add("salt", { quantity: 0 });
		await sellOnFridays(4, ["09:00", "12:00", "13:00", "16:00"], {
			...{ productId: "sugar", quantity: 1.5 },
		});
		at(today, "08:00");
		await sell({ productId: "sugar", quantity: 4 }, { productId: "milk" });
		// Salt was out before.
		await sell({ productId: "salt" });
		at(today, "11:20");
		await sell({ productId: "sugar", quantity: 2 });
		at(today, "14:00");
		await sell({ productId: "sugar" });
		at(today, "15:00");
		expect((await read()).soldOut).toEqual([
			{
				productId: "sugar",
				name: "Best sugar",
				ranOutAt: `${today}T08:20:00.000Z`,
				missed: { quantity: 3, revenue: 300 },
			},
		]);
	});

	test("a product that came back with a voided sale has not sold out", async () => {
		const { read, at, sell, add, shop, caller } = await openLetter();
		await add("sugar", { quantity: 2 });
		at(today, "08:00");
		const id = await sell({ productId: "sugar", quantity: 2 });
		expect((await read()).soldOut).toMatchObject([
			{ productId: "sugar", missed: null },
		]);
		await shop.mutate(caller, saleVoid, {
			...{ id: "v", saleId: id, reason: "by mistake" },
		});
		expect((await read()).soldOut).toEqual([]);
	});

	test("the order brings what is low and sells up to its threshold and a week's sales, what runs out first first, from who brought it last", async () => {
		const { read, at, sell, add, shop, caller } = await openLetter();
		await add("sugar", { quantity: 30, lowStock: 10, buyingPrice: 82.5 });
		await add("milk", { quantity: 12, lowStock: 6, buyingPrice: null });
		await add("salt", { quantity: 3, lowStock: 5 });
		await add("rope", { quantity: 90, lowStock: 5 });
		await add("visit", { isService: true });
		const brought = { id: "1", productId: "sugar", name: "Sugar", cost: 80 };
		for (const supplierId of ["old", "new"]) {
			await shop.mutate(caller, supplierCreate, {
				...{ id: supplierId, name: `The ${supplierId}` },
			});
			await shop.mutate(caller, deliveryCreate, {
				...{ id: supplierId, supplierId, setsCosts: false },
				items: [{ ...brought, quantity: 2 }],
			});
			at(addDays(today, -10), "09:00");
		}
		at(addDays(today, -9), "09:00");
		await sell({ productId: "sugar", quantity: 26 }, { productId: "rope" });
		at(today, "09:00");
		await sell(
			{ productId: "milk", quantity: 9.5 },
			{ productId: "visit" },
			{ productId: "unknown" },
		);
		// 10 days of sales: 2.6 sugar and 0.95 milk a day.
		expect((await read()).order).toEqual([
			{
				productId: "milk",
				name: "Best milk",
				quantity: 2.5,
				soldPerDay: 0.95,
				suggested: Math.ceil(7 * 0.95 + 6 - 2.5),
				cost: null,
				supplier: null,
			},
			{
				productId: "sugar",
				name: "Best sugar",
				quantity: 8,
				soldPerDay: 2.6,
				suggested: 21,
				cost: 21 * 82.5,
				supplier: { id: "new", name: "The new", phone: null },
			},
		]);
	});

	test("lines sold under cost are odd, the largest loss first", async () => {
		const { read, at, sell, shop, caller } = await openLetter();
		at(today, "09:00");
		await sell({ price: 165, cost: 171, quantity: 3, productId: "sugar" });
		await sell({ price: 160, cost: 171, productId: "sugar" });
		await sell({ price: 20, cost: 80, name: "Bag" }, { cost: 100 });
		const voided = await sell({ price: 1, cost: 1_000 });
		await shop.mutate(caller, saleVoid, {
			...{ id: "v", saleId: voided, reason: "by mistake" },
		});
		expect((await read()).odd).toEqual([
			{
				...{ code: "under_cost", productId: null, name: "Bag" },
				...{ price: 20, cost: 80, quantity: 1, loss: 60 },
			},
			{
				...{ code: "under_cost", productId: "sugar", name: "Sugar" },
				...{ price: 160, cost: 171, quantity: 4, loss: 29 },
			},
		]);
	});

	test("a line sold for a fifth less than its list price is odd", async () => {
		const { read, at, sell } = await openLetter();
		at(today, "09:00");
		await sell({ price: 81, listPrice: 100 }, { listPrice: 90 });
		expect((await read()).odd).toEqual([]);
		await sell({ price: 80, listPrice: 100 });
		await sell({ price: 90, listPrice: 120, quantity: 2, productId: "milk" });
		expect((await read()).odd).toEqual([
			{
				...{ code: "large_discount", saleId: "s3", productId: "milk" },
				...{ name: "Sugar", price: 90, listPrice: 120 },
				...{ quantity: 2, discount: 60 },
			},
			{
				...{ code: "large_discount", saleId: "s2", productId: null },
				...{ name: "Sugar", price: 80, listPrice: 100 },
				...{ quantity: 1, discount: 20 },
			},
		]);
	});

	test("three refunds of a twentieth of the day's sales are odd, and two are not", async () => {
		const { read, at, sell, shop, caller } = await openLetter();
		at(today, "09:00");
		const ids = [
			await sell({}),
			await sell({}),
			await sell({}),
			await sell({}),
		];
		for (const [i, saleId] of ids.slice(0, 3).entries()) {
			expect((await read()).odd).toEqual([]);
			await shop.mutate(caller, saleRefund, {
				...{ id: `r${i}`, saleId, reason: "broken", restock: true },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			});
		}
		expect((await read()).odd).toEqual([
			{ code: "many_refunds", refunds: 3, refunded: 300 },
		]);
		// 300 of more than 6,000 is little.
		await sell({ price: 6_000 });
		expect((await read()).odd).toEqual([]);
	});

	test("two hours without a sale are odd when the same weekdays sell in them", async () => {
		const { read, at, sell, sellOnFridays } = await openLetter();
		await sellOnFridays(4, ["08:00", "10:30", "11:00", "11:20", "11:45"]);
		at(today, "12:00");
		expect((await read()).odd).toEqual([
			{ code: "quiet", since: null, usualSales: 5 },
		]);
		at(today, "10:00");
		await sell({});
		at(today, "11:59");
		expect((await read()).odd).toEqual([]);
		at(today, "12:00");
		expect((await read()).odd).toEqual([
			{ code: "quiet", since: `${today}T07:00:00.000Z`, usualSales: 4 },
		]);
	});
});
