import { describe, expect, test } from "vitest";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { packCreate, packUpdate } from "../../../sync/entities/pack.ts";
import { productUpdate } from "../../../sync/entities/product.ts";
import { tagOf } from "../../../sync/entities/seen.ts";
import { taxSet } from "../../../sync/entities/tax.ts";
import { type Counter, openCounter, sale, today } from "./testing/counter.ts";

/*
 * Ways to take money that no till offers, in requests and pushes made by hand: amounts that don't belong together, parts that
 * each stay within a limit, and counts that leave something out. Each is an item of the inbox that the owner sees.
 */

const one = [{ id: "1", itemId: "1", quantity: 1 }];
const takeBack = { id: "r", saleId: "s", reason: "Sour" };
const cash = (amount: number) => [{ method: "CASH", amount }];
const large = { refundMax: 1_000, voidMax: 1_000 };
const since = { argsVersion: 8 };

/** Sells one for 50 to a friend on credit, or by what else is said. */
const sell = (counter: Counter, more: object = {}) =>
	counter.push("sale.create", sale(counter, "s", 50, more), since);
const refund = (counter: Counter, more: object = {}) =>
	counter.push(
		"sale.refund",
		{ ...takeBack, items: one, ...more },
		{ argsVersion: 4 },
	);

/** Makes the shop add 16 % to its prices. */
async function addTax({ server: { shop }, owner }: Counter): Promise<void> {
	await shop.mutate(owner.caller, taxSet, {
		...{ id: "A", name: "VAT", kind: "standard" },
		rates: [{ from: "2020-01-01", rate: 16 }],
	});
	await shop.mutate(owner.caller, businessUpdate, {
		set: { taxClass: "A", addsTax: true },
	});
}

/** What the cashier does, and where the owner sees it. */
const seen: [string, (counter: Counter) => Promise<unknown>, string[]][] = [
	[
		"enters 1 as paid for goods of 50, by REST",
		({ post, line }) => post("sales", { items: [line(50)], paid: 1 }),
		["discount_over_limit"],
	],
	[
		"enters 1 as paid for goods of 50, by sync",
		(counter) => sell(counter, { tenders: cash(1) }),
		["discount_over_limit"],
	],
	[
		"rounds 49 of 50 away",
		(counter) => sell(counter, { paid: 50, rounding: 49 }),
		["discount_over_limit"],
	],
	[
		"sells on the credit of nobody",
		(counter) => sell(counter, { paymentMethod: "CREDIT" }),
		["over_limit"],
	],
	[
		"sells on the credit of a customer who does not exist",
		(counter) =>
			sell(counter, { paymentMethod: "CREDIT", customerId: "nobody" }),
		["over_limit"],
	],
	[
		"gives change out of the drawer for an M-PESA payment that never came",
		(counter) => sell(counter, { paid: 1_000, paymentMethod: "MPESA" }),
		["cash_over_limit"],
	],
	[
		"gives back more than was paid",
		async (counter) => {
			await counter.allow(large);
			await sell(counter);
			await refund(counter, { tenders: cash(900) });
		},
		["refund_over_limit"],
	],
	[
		"voids a sale and gives back more than it was",
		async (counter) => {
			await counter.allow(large);
			await sell(counter);
			const args = { ...takeBack, tenders: cash(900) };
			await counter.push("sale.void", args, { argsVersion: 4 });
		},
		["refund_over_limit"],
	],
	[
		"gives back in cash what was never paid, within what they may give back",
		async (counter) => {
			await counter.allow(large);
			const lent = { customerId: "friend", paymentMethod: "CREDIT" };
			await counter.push(
				"sale.create",
				{ id: "s", items: [counter.line(50, { quantity: 0.2 })], ...lent },
				since,
			);
			const items = [{ id: "1", itemId: "1", quantity: 0.2 }];
			await refund(counter, { items, tenders: cash(10) });
		},
		["refund_over_limit"],
	],
	[
		"gives a sale back in parts that are each within what they may",
		async (counter) => {
			await counter.allow({ refundMax: 60 });
			const items = [counter.line(50, { quantity: 10 })];
			await counter.push("sale.create", { id: "s", items });
			for (const id of ["q", "r"]) await refund(counter, { id });
		},
		["refund_over_limit"],
	],
	[
		"voids what the owner sold in the owner's name",
		async (counter) => {
			await counter.allow(large);
			const args = { ...takeBack, saleId: "owners" };
			await counter.push("sale.void", args, { by: counter.owner.id });
		},
		["others_sale_taken_back"],
	],
	[
		"has a little kept at a low price, and sells much at it",
		async (counter) => {
			const kept = { ...counter.line(45), quantity: 0.001 };
			await counter.push("layaway.create", {
				...{ id: "l", customerId: "friend", items: [kept] },
			});
			await counter.allow({ discountMax: 0 });
			await sell(counter, {
				items: [{ ...kept, quantity: 100 }],
				layawayId: "l",
			});
		},
		["discount_over_limit"],
	],
	[
		"sells the large pack of before at the price of the small one of now",
		async (counter) => {
			const { shop } = counter.server;
			const { caller } = counter.owner;
			const pack = { name: "Carton", size: 24, sellingPrice: 1_100 };
			const ids = { id: "carton", productId: "milk" };
			await shop.mutate(caller, packCreate, { ...ids, ...pack });
			await shop.mutate(caller, packUpdate, {
				...{ id: "carton", set: { size: 12, sellingPrice: 580 } },
			});
			const packed = { packId: "carton", packName: "Carton", packSize: 24 };
			await sell(counter, { items: [counter.line(580, packed)] });
		},
		["discount_over_limit"],
	],
	[
		"keeps the tax that the shop adds, by a sale without it",
		async (counter) => {
			await addTax(counter);
			await sell(counter);
		},
		["discount_over_limit"],
	],
	[
		"closes a shift without counting its cash",
		async ({ push }) => {
			await push("shift.open", { id: "h", openingFloat: 500 });
			const counted = [{ method: "MPESA", amount: 0 }];
			await push("shift.close", { id: "z", shiftId: "h", counted });
		},
		["drawer_differs"],
	],
	[
		"closes a shift that names a sale as counted which comes afterwards",
		async (counter) => {
			const { push } = counter;
			await push("shift.open", { id: "h", openingFloat: 500 });
			await push("shift.close", {
				...{ id: "z", shiftId: "h", counted: cash(500), seen: tagOf("s") },
			});
			await sell(counter, { shiftId: "h" });
		},
		["figures_differ"],
	],
	[
		"keeps a part of what the last shift left in the drawer",
		async ({ push }) => {
			await push("shift.open", { id: "h", openingFloat: 500 });
			await push("shift.close", {
				...{ id: "z", shiftId: "h", counted: cash(500), leftInDrawer: 500 },
			});
			await push("shift.open", { id: "i", openingFloat: 100 });
		},
		["drawer_differs"],
	],
];

describe("a cashier who makes requests by hand", () => {
	test.each(seen)(
		"%s: it is made, and the owner sees it",
		async (_what, act, causes) => {
			const counter = await openCounter();
			await act(counter);
			expect(await counter.causes()).toEqual(causes);
		},
	);

	test("sells outside the shift that is open, or into one that does not exist: the money report has it apart", async () => {
		const counter = await openCounter();
		const { server, owner, push } = counter;
		await push("shift.open", { id: "h", openingFloat: 500 });
		await push("sale.create", sale(counter, "s", 50));
		await push("sale.create", sale(counter, "t", 50, { shiftId: "x" }), since);
		const { body } = await server.ask(
			"GET",
			`/api/reports/money?from=${today}&to=${today}`,
			{ as: owner },
		);
		const { shifts } = body as { shifts: object[] };
		expect(shifts).toMatchObject([
			{ shiftId: null, openedAt: null, taken: 100 },
			{ shiftId: "x", openedAt: null, taken: 50 },
		]);
	});
});

describe("what honest people do is no item", () => {
	test.each<[string, (counter: Counter) => Promise<unknown>]>([
		[
			"cash that is rounded to a coin, and given back",
			async (counter) => {
				await sell(counter, {
					...{ items: [counter.line(50.4)], paid: 50.4, rounding: 0.4 },
				});
				await counter.push("sale.void", takeBack);
			},
		],
		[
			"an M-PESA sale that is given back in cash",
			async (counter) => {
				await sell(counter, { paymentMethod: "MPESA" });
				await refund(counter, { tenders: cash(50) });
			},
		],
		[
			"a sale by two methods with change that is given back in parts",
			async (counter) => {
				const items = [counter.line(50, { quantity: 2 })];
				const tenders = [{ method: "MPESA", amount: 30 }, ...cash(100)];
				await counter.push("sale.create", { id: "s", items, tenders }, since);
				await refund(counter, { id: "q" });
				await refund(counter);
			},
		],
		[
			"a debt that was paid, and given back in cash",
			async (counter) => {
				const { push } = counter;
				const items = [counter.line(50, { quantity: 0.2 })];
				const lent = { customerId: "friend", paymentMethod: "CREDIT" };
				await push("sale.create", { id: "s", items, ...lent }, since);
				await push("payment.collect", {
					...{ id: "c", customerId: "friend", tenders: cash(10) },
				});
				const back = [{ id: "1", itemId: "1", quantity: 0.2 }];
				await refund(counter, { items: back, tenders: cash(10) });
			},
		],
		[
			"goods that were kept, and handed over at their price in two lines",
			async (counter) => {
				const items = [1, 2].map((id) => counter.line(45, { id: `${id}` }));
				await counter.push("layaway.create", {
					...{ id: "l", customerId: "friend", items },
				});
				await counter.allow({ discountMax: 0 });
				await counter.push(
					"sale.create",
					{ id: "s", items, layawayId: "l" },
					since,
				);
			},
		],
		[
			"a price with the tax that is added to it, before and after it was changed, and a tenth less",
			async (counter) => {
				const { server, owner, push, line } = counter;
				await addTax(counter);
				const sold = (id: string, price: number) =>
					push("sale.create", {
						...{ id, items: [line(price, { taxClass: "A", taxRate: 16 })] },
					});
				await sold("s", 58);
				await server.shop.mutate(owner.caller, productUpdate, {
					...{ id: "milk", set: { sellingPrice: 100 } },
				});
				await sold("t", 116);
				await sold("u", 104.4);
			},
		],
		[
			"a shift that begins with what the last one left, or with more",
			async ({ push }) => {
				for (const [id, openingFloat] of [
					["h", 500],
					["i", 500],
					["j", 600],
				] as const) {
					await push("shift.open", { id, openingFloat });
					await push("shift.close", {
						...{ id: `z-${id}`, shiftId: id, counted: cash(openingFloat) },
						leftInDrawer: openingFloat,
					});
				}
			},
		],
	])("%s", async (_what, act) => {
		const counter = await openCounter();
		await counter.allow(large);
		await act(counter);
		expect(await counter.causes()).toEqual([]);
	});
});
