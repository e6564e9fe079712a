import { describe, expect, test } from "vitest";
import { saleGet } from "../queries/sale.ts";
import { openShop } from "../shop.ts";
import {
	madeAt,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	type TestShop,
} from "../testing/shop.ts";
import { productCreate, productDelete, productUpdate } from "./product.ts";
import { saleCreate } from "./sale.ts";

const milk = { id: "milk", name: "Milk", buyingPrice: 40, sellingPrice: 50 };
const van = { id: "van", name: "Delivery", buyingPrice: 10, sellingPrice: 30 };

/** A sale of goods, a service and an open item, with every field that a till may send. */
const args = {
	id: "s",
	paid: 200,
	paymentMethod: "MPESA",
	notes: "For Njeri",
	receiptNumber: "A-000007",
	businessDay: "2026-11-19",
	items: [
		{
			id: "l2",
			name: "Milk, fresh",
			quantity: 2.5,
			price: 50,
			cost: 40,
			productId: "milk",
		},
		{
			id: "l1",
			name: "Delivery",
			quantity: 1,
			price: 30,
			cost: 10,
			productId: "van",
			isService: true,
		},
		{ id: "l3", name: "Bag", quantity: 2, price: 5, cost: 1 },
	],
};
const [first, second, third] = args.items as [object, object, object];

async function openMilkShop(): Promise<TestShop> {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, productCreate, { ...milk, quantity: 10 });
	await shop.mutate(caller, productCreate, { ...van, isService: true });
	return { ...server, caller: { ...caller, deviceId: "till-1" } };
}

const money = {
	total: 165_000_000,
	cost: 112_000_000,
	paid: 200_000_000,
};

describe("a sale", () => {
	test("a sale is stored with all that the till recorded, and moves only the stock of goods", async () => {
		const server = await openMilkShop();
		await pushOne(server, message("m", "sale.create", args));
		const key = { business_id: "shop-1" };
		const stamp = { version: 4, deleted: 0 };
		expect(await server.rows("SELECT * FROM sales")).toEqual([
			{
				...key,
				...money,
				id: "s",
				payment_method: "MPESA",
				notes: "For Njeri",
				tax: 0,
				tax_rate: 0,
				rounding: null,
				payment_code: null,
				has_payments: null,
				shift_id: null,
				shift: null,
				receipt_number: "A-000007",
				business_day: "2026-11-19",
				user_id: "user-1",
				device_id: "till-1",
				created_at: madeAt,
				...stamp,
				...{ made_ms: Date.parse(madeAt), day_number: 20_776 },
				method: expect.any(Number),
			},
		]);
		const line = {
			...{ ...key, sale_id: "s", list_price: null },
			...{ is_stockless: null, tax_class: null, tax_rate: null, tax: null },
			...{ pack_id: null, pack_name: null, pack_size: null, unit: null },
		};
		expect(
			await server.rows("SELECT * FROM sale_items ORDER BY position"),
		).toEqual([
			{
				...line,
				id: "l2",
				position: 0,
				name: "Milk, fresh",
				quantity: 2_500_000,
				price: 50_000_000,
				cost: 40_000_000,
				product_id: "milk",
			},
			{
				...line,
				id: "l1",
				position: 1,
				name: "Delivery",
				quantity: 1_000_000,
				price: 30_000_000,
				cost: 10_000_000,
				product_id: "van",
				is_stockless: 1,
			},
			{
				...line,
				id: "l3",
				position: 2,
				name: "Bag",
				quantity: 2_000_000,
				price: 5_000_000,
				cost: 1_000_000,
				product_id: null,
			},
		]);
		expect(
			await server.rows("SELECT * FROM stock_ledger WHERE reason = 'sale'"),
		).toEqual([
			{
				...key,
				id: "s:0",
				product_id: "milk",
				delta: -2_500_000,
				reason: "sale",
				note: null,
				sale_id: "s",
				item_id: "l2",
				user_id: "user-1",
				created_at: madeAt,
				cost: null,
				delivery_id: null,
				...stamp,
			},
		]);
		expect(
			await server.rows("SELECT id, quantity, version FROM products"),
		).toEqual([
			{ id: "milk", quantity: 7_500_000, version: 2 },
			{ id: "van", quantity: 0, version: 3 },
		]);
		expect(await server.rows("SELECT * FROM inbox_items")).toEqual([]);
	});

	test("a sale is shown as it was made, with its profit and change", async () => {
		const server = await openMilkShop();
		await pushOne(server, message("m", "sale.create", args));
		const { changes } = await server.shop.pull(server.caller, {});
		const sold = changes.filter(({ entity }) => entity === "sale");
		const lineOf = ({ isService, ...line }: { isService?: boolean }) => ({
			productId: null,
			...line,
			...(isService && { isStockless: true }),
			saleId: "s",
		});
		const { items, ...rest } = args;
		expect(sold).toEqual([
			{
				entity: "sale",
				id: "s",
				version: 4,
				deleted: false,
				row: {
					...rest,
					items: items.map(lineOf),
					total: 165,
					cost: 112,
					profit: 53,
					change: 35,
					businessId: "shop-1",
					userId: "user-1",
					deviceId: "till-1",
					createdAt: madeAt,
				},
			},
		]);
	});

	test("a sale's discounts and rounding are stored and shown beside what was charged and paid", async () => {
		const server = await openMilkShop();
		const items = [
			{ ...first, listPrice: 60 },
			{ ...second, listPrice: 25 },
			third,
		];
		const { paymentMethod: _, ...cash } = args;
		const rounding = -35.5;
		await pushOne(
			server,
			message("m", "sale.create", { ...cash, items, rounding }),
		);
		expect(
			await server.rows("SELECT total, cost, paid, rounding FROM sales"),
		).toEqual([{ ...money, rounding: -35_500_000 }]);
		expect(
			await server.rows("SELECT list_price FROM sale_items ORDER BY position"),
		).toEqual([
			{ list_price: 60_000_000 },
			{ list_price: 25_000_000 },
			{ list_price: null },
		]);
		const shown = await server.shop.ask(server.caller, saleGet, { id: "s" });
		expect(shown).toMatchObject({
			...{ total: 165, profit: 53, paid: 200, change: 35, rounding },
			items: [{ price: 50, listPrice: 60 }, { listPrice: 25 }, {}],
		});
		expect(shown.items[2]).not.toHaveProperty("listPrice");
	});

	test("a sale without discount and rounding keeps the bytes that it had before there were any", async () => {
		const server = await openMilkShop();
		const none = { ...args, items: [third], rounding: undefined };
		await pushOne(server, message("m", "sale.create", none));
		const shown = await server.shop.ask(server.caller, saleGet, { id: "s" });
		expect(JSON.stringify(shown)).toBe(
			`{"id":"s","total":10,"cost":2,"paid":200,"paymentMethod":"MPESA","notes":"For Njeri","businessId":"shop-1","receiptNumber":"A-000007","businessDay":"2026-11-19","userId":"user-1","deviceId":"till-1","createdAt":"${madeAt}","items":[{"id":"l3","saleId":"s","name":"Bag","quantity":2,"price":5,"cost":1,"productId":null}],"profit":8,"change":190}`,
		);
	});

	test.each([
		[1_002, 1_002, 2, 1_000, 0],
		[1_030, 1_980, -20, 2_000, 950],
		// The exact cash.
		[1_030, null, -20, 1_050, 0],
		[1_000, 1_000, 0, 1_000, 0],
	])(
		"of a total of %d, paid %j and rounded by %d, %d was handed over and %d given back",
		async (price, paid, rounding, handedOver, change) => {
			const server = await openMilkShop();
			const items = [{ ...third, quantity: 1, price }];
			await pushOne(
				server,
				message("m", "sale.create", { id: "s", items, paid, rounding }),
			);
			const sold = await server.shop.ask(server.caller, saleGet, { id: "s" });
			expect(sold.paid - (sold.rounding ?? 0)).toBe(handedOver);
			expect(sold).toMatchObject({ total: price, change });
			expect("rounding" in sold).toBe(rounding !== 0);
		},
	);

	test("a payment other than cash can't be rounded", async () => {
		const server = await openMilkShop();
		expect(
			await pushOne(
				server,
				message("m", "sale.create", { ...args, rounding: 1 }),
			),
		).toMatchObject({
			error: {
				...{ code: "invalid_args", field: "rounding" },
				message: "rounding: Must be absent or 0 unless cash is paid",
			},
		});
		expect(
			await pushOne(
				server,
				message("n", "sale.create", { ...args, rounding: 0 }),
			),
		).toMatchObject({ status: "applied" });
	});

	test("a sale with a used id is refused if any recorded field differs, and is a repeat otherwise [FACT-2]", async () => {
		const server = await openMilkShop();
		await pushOne(server, message("m", "sale.create", args));
		const before = await server.shop.digest(server.caller);
		const others: object[] = [
			{ paid: 201 },
			{ paymentMethod: "CASH" },
			{ notes: null },
			{ paymentMethod: "CASH", rounding: 1 },
			...[
				[second, first, third],
				[first, second],
				[{ ...first, id: "l4" }, second, third],
				[{ ...first, name: "Milk" }, second, third],
				[{ ...first, quantity: 2 }, second, third],
				// The total stays the same.
				[{ ...first, price: 25, quantity: 5, cost: 20 }, second, third],
				[{ ...first, price: 51 }, second, third],
				[{ ...first, cost: 41 }, second, third],
				[{ ...first, productId: "van" }, second, third],
				[{ ...first, productId: null }, second, third],
				[{ ...first, listPrice: 60 }, second, third],
			].map((items) => ({ items })),
		];
		for (const [i, other] of others.entries())
			expect(
				await pushOne(
					server,
					message(`o${i}`, "sale.create", { ...args, ...other }),
				),
				JSON.stringify(other),
			).toMatchObject({ error: { code: "id_reused", field: "id" } });
		const again = {
			...args,
			receiptNumber: "B-000001",
			businessDay: "2026-11-20",
		};
		const later = { at: "2026-11-20T08:30:00.000Z" };
		expect(
			await pushOne(server, message("again", "sale.create", again, later)),
		).toMatchObject({ status: "applied" });
		const { digest } = await server.shop.digest(server.caller);
		expect(digest).toBe(before.digest);
	});

	test("a sale with only the required fields gets the defaults", async () => {
		const { shop, caller, rows } = await openMilkShop();
		const line = { id: "1", name: "Bag", quantity: 2, price: 5, cost: 1 };
		await shop.mutate(caller, saleCreate, { id: "s", items: [line] });
		await shop.mutate(caller, saleCreate, {
			...{ id: "t", items: [line] },
			receiptNumber: "Z-9",
			businessDay: "2026-11-21",
		});
		expect(
			await rows(
				"SELECT id, paid, payment_method, notes, receipt_number, business_day FROM sales ORDER BY id",
			),
		).toEqual([
			{
				id: "s",
				paid: 10_000_000,
				payment_method: "CASH",
				notes: null,
				receipt_number: expect.stringMatching(/^\w+-000001$/),
				business_day: "2026-11-20",
			},
			{
				id: "t",
				paid: 10_000_000,
				payment_method: "CASH",
				notes: null,
				receipt_number: "Z-9",
				business_day: "2026-11-21",
			},
		]);
	});

	test("a sale is refused if its total or cost is too large to count exactly [FACT-7]", async () => {
		const server = await openMilkShop();
		const line = { id: "1", name: "Gold", price: 0, cost: 0, quantity: 1e9 };
		for (const [i, more] of [{ price: 1e9 }, { cost: 1e9 }].entries())
			expect(
				await pushOne(
					server,
					message(`m${i}`, "sale.create", {
						id: "s",
						items: [{ ...line, ...more }],
					}),
				),
			).toMatchObject({ error: { code: "invalid_args", field: "items" } });
		expect(await server.rows("SELECT 1 AS one FROM sales")).toEqual([]);
	});
});

describe("the effect of one line on its product", () => {
	interface Case {
		stock: number;
		product?: object;
		line: object;
		quantity: number;
		low?: boolean;
		concerns?: object[];
	}
	const oversold = (quantity: number) => [
		{ cause: "oversold", product_id: "milk", quantity, amount: null },
	];
	const cases: Record<string, Case> = {
		"a line that takes a product to its threshold reports low stock": {
			stock: 7,
			line: { quantity: 2 },
			quantity: 5,
			low: true,
		},
		"a line that takes a product past its threshold reports low stock": {
			stock: 7,
			line: { quantity: 4 },
			quantity: 3,
			low: true,
		},
		"a line that leaves a product above its threshold reports nothing": {
			stock: 8,
			line: { quantity: 2 },
			quantity: 6,
		},
		"a line of a product at its threshold does not report low stock again": {
			stock: 5,
			line: { quantity: 1 },
			quantity: 4,
		},
		"a line marked as a service moves no stock": {
			stock: 5,
			line: { quantity: 1, isService: true },
			quantity: 5,
		},
		"a service line of a product with little stock reports nothing": {
			stock: -1,
			line: { quantity: 1, isService: true },
			quantity: -1,
		},
		"a line that sells a service as goods reports no low stock": {
			stock: 7,
			product: { isService: true },
			line: { quantity: 2 },
			quantity: 5,
		},
		"a line that takes the last unit reports nothing": {
			stock: 1,
			line: { quantity: 1 },
			quantity: 0,
		},
		"a line that takes more than is in stock reports the shortfall": {
			stock: 1,
			line: { quantity: 3 },
			quantity: -2,
			concerns: oversold(2_000_000),
		},
		"a line that takes from an empty stock reports all of it": {
			stock: -1,
			line: { quantity: 3 },
			quantity: -4,
			concerns: oversold(3_000_000),
		},
		"a line that takes a millionth from a negative stock reports it": {
			stock: -1,
			line: { quantity: 0.000001 },
			quantity: -1.000001,
			concerns: oversold(1),
		},
		"a line of quantity 0 from a negative stock reports nothing": {
			stock: -1,
			line: { quantity: 0 },
			quantity: -1,
		},
	};
	test.each(Object.entries(cases))(
		"%s",
		async (_, { stock, product, line, quantity, low, concerns = [] }) => {
			const { store, env, caller, rows } = await openTestShop();
			const told: string[] = [];
			const shop = openShop({
				store,
				env,
				async onNotice(_tx, businessId, { id }) {
					told.push(`${businessId} ${id}`);
				},
			});
			await shop.mutate(caller, productCreate, {
				...milk,
				...product,
				quantity: stock,
			});
			const sold = { id: "1", name: "Milk", price: 50, cost: 40 };
			await shop.mutate(caller, saleCreate, {
				id: "s",
				items: [{ ...sold, quantity: 1, productId: "milk", ...line }],
			});
			expect(await rows("SELECT quantity FROM products")).toEqual([
				{ quantity: Math.round(quantity * 1e6) },
			]);
			expect(told).toEqual(low ? ["shop-1 milk"] : []);
			expect(
				await rows(
					"SELECT cause, product_id, quantity, amount FROM inbox_items",
				),
			).toEqual(concerns);
		},
	);
});

describe("an old price", () => {
	const sell = (server: TestShop, at: string, price: number) =>
		pushOne(
			server,
			message(
				`s ${at}`,
				"sale.create",
				{
					id: `s ${at}`,
					items: [
						{
							id: "1",
							name: "Milk",
							quantity: 2,
							price,
							cost: 40,
							productId: "milk",
						},
					],
				},
				{ at },
			),
		);
	const concerns = ({ rows }: TestShop) =>
		rows(
			"SELECT sale_id, cause, product_id, quantity, amount FROM inbox_items",
		);

	test("an old price is reported with the quantity and the price charged, from the moment after the change", async () => {
		const server = await openMilkShop();
		const changed = "2026-11-20T09:00:00.000Z";
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 55 },
		});
		await sell(server, "2026-11-20T08:59:59.999Z", 50);
		await sell(server, changed, 50);
		expect(await concerns(server)).toEqual([]);
		server.env.pass(1_000);
		const after = "2026-11-20T09:00:00.001Z";
		await sell(server, after, 50);
		expect(await concerns(server)).toEqual([
			{
				sale_id: `s ${after}`,
				cause: "old_price",
				product_id: "milk",
				quantity: 2_000_000,
				amount: 50_000_000,
			},
		]);
	});

	test("a price that was set again to the same value is not an old price", async () => {
		const server = await openMilkShop();
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 50 },
		});
		server.env.pass(1_000);
		await sell(server, "2026-11-20T09:00:01.000Z", 50);
		expect(await concerns(server)).toEqual([]);
	});

	test("an old price of a deactivated product is reported together with the deactivation", async () => {
		const server = await openMilkShop();
		const { shop, caller } = server;
		await shop.mutate(caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 55 },
		});
		await shop.mutate(caller, productDelete, { id: "milk" });
		server.env.pass(1_000);
		await sell(server, "2026-11-20T09:00:01.000Z", 50);
		expect(await concerns(server)).toMatchObject([
			{
				...{ cause: "inactive_product", product_id: "milk" },
				...{ quantity: 2_000_000, amount: null },
			},
			{
				...{ cause: "old_price", product_id: "milk" },
				...{ quantity: 2_000_000, amount: 50_000_000 },
			},
		]);
	});
});

describe("a sale's day on a till", () => {
	test("a sale on a till keeps the till's day, however far away, until the server has dated it", async () => {
		const server = await openMilkShop();
		const { till, caller, rows } = await openTestTill(server);
		await till.sync();
		const line = { id: "1", name: "Bag", quantity: 2, price: 5, cost: 1 };
		const sold = { id: "s", items: [line], businessDay: "2026-01-01" };
		await till.mutate(caller, saleCreate, sold);
		const days = () => rows("SELECT business_day, version FROM sales");
		const causes = () => rows("SELECT cause, amount FROM inbox_items");
		expect(await days()).toEqual([{ business_day: "2026-01-01", version: 0 }]);
		expect(await causes()).toEqual([]);
		await till.sync();
		expect(await days()).toEqual([{ business_day: "2026-11-20", version: 4 }]);
		expect(await causes()).toEqual([{ cause: "clock", amount: 10_000_000 }]);
	});
});

test("a sale from a till with a wrong clock gets the server's day, whatever day the till sent", async () => {
	const server = await openMilkShop();
	const at = "2026-11-21T05:00:00.000Z";
	for (const [i, businessDay] of ["2026-11-21", "2026-11-19"].entries()) {
		const sold = { ...args, id: `s${i}`, businessDay };
		await pushOne(server, message(`m${i}`, "sale.create", sold, { at }));
	}
	expect(
		await server.rows("SELECT business_day, created_at FROM sales"),
	).toEqual(
		[0, 1].map(() => ({
			business_day: "2026-11-20",
			created_at: "2026-11-20T09:00:00.000Z",
		})),
	);
	expect(
		await server.rows("SELECT cause, amount, device_id FROM inbox_items"),
	).toEqual(
		[0, 1].map(() => ({
			...{ cause: "clock", amount: 165_000_000, device_id: "till-1" },
		})),
	);
});
