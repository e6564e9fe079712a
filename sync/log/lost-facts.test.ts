import { expect, test } from "vitest";
import { deliveryCreate } from "../entities/delivery.ts";
import { layawayCreate } from "../entities/layaway.ts";
import { paymentCollect } from "../entities/payment.ts";
import { paymentPayout } from "../entities/payout.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { paymentRemit } from "../entities/supplier-payment.ts";
import { dayNumber } from "../protocol/clock.ts";
import { markUnconfirmed, unconfirmed } from "../replica/server-rows.ts";
import {
	addBusiness,
	copyDatabase,
	madeAt,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestTill,
	twoTills,
} from "../testing/shop.ts";
import { resubmitLostFacts } from "./lost-facts.ts";

const dayMs = 24 * 3_600_000;

/** The lost facts that a till offers, and the rows that it could not make. */
async function offered({ store, rows }: TestTill) {
	const faults: unknown[] = [];
	await store.write((tx) =>
		resubmitLostFacts(tx, "shop-1", unconfirmed, (error) => faults.push(error)),
	);
	const found = await rows(
		`SELECT mutations.*, outbox.state, outbox.number FROM outbox
     JOIN mutations ON mutations.business_id = outbox.business_id AND mutations.id = outbox.mutation_id
     ORDER BY outbox.business_id, position`,
	);
	const made = found.map((row) => ({
		...row,
		id: row.id as string,
		name: row.name as string,
		args_version: row.args_version as number,
		args: JSON.parse(row.args as string),
	}));
	return { made, faults };
}

/** A server with a sale that uses every field, its refund and a void, and a till that has pulled them. */
async function openSold() {
	const { server, a: till } = await twoTills();
	const { shop, caller } = server;
	const asha = { ...caller, userId: "asha", deviceId: "their-till" };
	await shop.mutate(caller, productCreate, {
		id: "carrying",
		name: "Carrying",
		buyingPrice: 0,
		sellingPrice: 20,
		isService: true,
	});
	const line = { name: "Milk", quantity: 2, price: 99.95, cost: 60 };
	await shop.mutate(asha, saleCreate, {
		id: "s-1",
		items: [
			{ ...line, id: "1", productId: "milk" },
			{ ...line, id: "2", productId: "carrying", isService: true },
			{ ...line, id: "3" },
		],
		paid: 700,
		paymentMethod: "MPESA",
		notes: "For the school",
		receiptNumber: "Z-000007",
		businessDay: "2026-11-19",
	});
	await shop.mutate(caller, saleCreate, {
		...saleArgs("s-2", [{ listPrice: 60 }]),
		rounding: -0.5,
	});
	await shop.mutate(asha, saleRefund, {
		id: "r-1",
		saleId: "s-1",
		reason: "Sour",
		restock: true,
		items: [{ id: "x", itemId: "1", quantity: 0.5 }],
		businessDay: "2026-11-20",
	});
	await shop.mutate(caller, saleVoid, {
		id: "v-1",
		saleId: "s-2",
		reason: "Mistake",
		restock: false,
	});
	await till.till.sync();
	await till.store.write((tx) => markUnconfirmed(tx, "shop-1"));
	return { server, till };
}

const at = "2026-11-20T09:00:00.000Z";
const everyMutation = {
	business_id: "shop-1",
	args_version: 1,
	at,
	received_at: at,
	carrier_id: null,
	device_at: null,
	status: "applied",
	error: null,
	version: null,
	link: null,
	shape: null,
	state: "pending",
	number: null,
};
const byAsha = { user_id: "asha", device_id: "their-till" };
const byOwner = { user_id: "user-1", device_id: null };

test("a lost fact is made again from its row, complete and in its maker's name [LOSS-4]", async () => {
	const { till } = await openSold();
	const line = { name: "Milk", quantity: 2, price: 99.95, cost: 60 };
	const { made, faults } = await offered(till);
	expect(faults).toEqual([]);
	expect(made).toEqual([
		{
			...{ ...everyMutation, ...byAsha },
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: "sale.create",
			args: {
				id: "s-1",
				items: [
					{ ...line, id: "1", productId: "milk", isService: false },
					{ ...line, id: "2", productId: "carrying", isService: true },
					{ ...line, id: "3", productId: null, isService: false },
				],
				paid: 700,
				paymentMethod: "MPESA",
				notes: "For the school",
				receiptNumber: "Z-000007",
				businessDay: "2026-11-19",
			},
		},
		{
			...{ ...everyMutation, ...byOwner, args_version: 2 },
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: "sale.create",
			args: {
				id: "s-2",
				items: [
					{
						...{ id: "1", name: "Milk", quantity: 1, price: 50, cost: 40 },
						...{ productId: null, isService: false, listPrice: 60 },
					},
				],
				paid: 50,
				rounding: -0.5,
				paymentMethod: "CASH",
				notes: null,
				receiptNumber: expect.stringMatching(/^[A-Z]+-000001$/),
				businessDay: "2026-11-20",
			},
		},
		{
			...{ ...everyMutation, ...byAsha },
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: "sale.refund",
			args: {
				id: "r-1",
				saleId: "s-1",
				reason: "Sour",
				restock: true,
				businessDay: "2026-11-20",
				items: [{ id: "x", itemId: "1", quantity: 0.5 }],
			},
		},
		{
			...{ ...everyMutation, ...byOwner },
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: "sale.void",
			args: {
				id: "v-1",
				saleId: "s-2",
				reason: "Mistake",
				restock: false,
				businessDay: "2026-11-20",
			},
		},
	]);
});

test("a lost fact is not offered twice", async () => {
	const { till } = await openSold();
	const once = await offered(till);
	expect(once.made).toHaveLength(4);
	expect(await offered(till)).toEqual(once);
});

test("deleted facts and those that the server still has are not offered", async () => {
	const { till } = await openSold();
	await till.store.write(async (tx) => {
		await tx.run("UPDATE stored_sales SET version = 4 WHERE id = 's-1'");
		await tx.run("UPDATE stored_sales SET deleted = 1 WHERE id = 's-2'");
		await tx.run("UPDATE refunds SET version = 5 WHERE id = 'v-1'");
	});
	const { made, faults } = await offered(till);
	expect(made.map(({ args }) => args.id)).toEqual(["r-1"]);
	expect(faults).toEqual([]);
});

test("a till's own pending fact is offered once, as the till made it", async () => {
	const { server, till } = await openSold();
	const other = await openTestTill(server);
	await other.till.sync();
	const { caller } = other;
	await other.till.mutate(caller, saleCreate, saleArgs("s-9"));
	await other.till.mutate(caller, saleRefund, {
		id: "r-9",
		saleId: "s-1",
		reason: "Sour",
		items: [{ id: "y", itemId: "3", quantity: 1 }],
	});
	await other.till.mutate(caller, saleVoid, {
		id: "v-9",
		saleId: "s-9",
		reason: "Mistake",
	});
	await other.store.write((tx) => markUnconfirmed(tx, "shop-1"));
	const { made } = await offered(other);
	expect(made.map(({ args }) => args.id)).toEqual([
		...["s-9", "r-9", "v-9"],
		...["s-1", "s-2", "r-1", "v-1"],
	]);
	// A mutation that the server applied and lost is acknowledged in the outbox, not pending.
	await till.till.mutate(caller, saleCreate, saleArgs("s-8"));
	await till.store.write(async (tx) => {
		await tx.run("UPDATE outbox SET state = 'discarded'");
		await markUnconfirmed(tx, "shop-1");
	});
	const ids = (await offered(till)).made.map(({ args }) => args.id);
	expect(ids).toContain("s-8");
});

test("a sale that another history dated differently is offered as another mutation and stays one sale [LOSS-4]", async () => {
	const { server: sold, till } = await openSold();
	const { made } = await offered(till);
	const dated = await openTestTill(sold);
	await dated.till.sync();
	await dated.store.write(async (tx) => {
		await markUnconfirmed(tx, "shop-1");
		await tx.run(
			"UPDATE stored_sales SET day_number = ? WHERE id = 's-1'",
			dayNumber("2026-11-18"),
		);
	});
	const again = (await offered(dated)).made;
	expect(again[0]?.args).toEqual({
		...made[0]?.args,
		businessDay: "2026-11-18",
	});
	expect(again[0]?.id).not.toBe(made[0]?.id);
	expect(again.slice(1).map(({ id }) => id)).toEqual(
		made.slice(1).map(({ id }) => id),
	);

	const server = await openTestShop();
	const { results } = await server.shop.push(server.caller, {
		// A till leaves the number out of what has none.
		mutations: [made[0], again[0]].map((one) => ({
			...one,
			number: undefined,
		})),
	});
	expect(results.map(({ status }) => status)).toEqual(["applied", "applied"]);
	expect(await server.rows("SELECT id, business_day FROM sales")).toEqual([
		{ id: "s-1", business_day: "2026-11-19" },
	]);
});

test("another shop's outbox on the same till does not affect the offered facts", async () => {
	const { till } = await openSold();
	// In another shop, the same rows are offered under the same ids.
	const twin = await offered((await openSold()).till);
	await till.store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await tx.run(
			"INSERT INTO stored_mutations (business_id, id, name, args, at, received_at, status) VALUES ('shop-2', 'm', 'sale.create', '{\"id\":\"s-1\"}', ?, ?, 'applied')",
			...[madeAt, madeAt],
		);
		await tx.run(
			"INSERT INTO stored_mutations (business_id, id, name, args, at, received_at, status) VALUES ('shop-2', ?, 'sale.create', '{}', ?, ?, 'applied')",
			...[twin.made[1]?.id as string, madeAt, madeAt],
		);
		await tx.run(
			"INSERT INTO outbox (business_id, position, mutation_id, state) VALUES ('shop-2', 1, 'm', 'pending')",
		);
	});
	const { made } = await offered(till);
	expect(made.map(({ args }) => args.id)).toEqual([
		...["s-1", "s-2", "r-1", "v-1", "s-1"],
	]);
	expect(made[0]?.args.items[1]).toMatchObject({ id: "2", isService: true });
});

test("a row that no mutation can make is reported and blocks no later row", async () => {
	const { till } = await openSold();
	await till.store.write((tx) =>
		tx.run(
			"DELETE FROM stored_lines WHERE sale = (SELECT n FROM stored_sales WHERE id = 's-1')",
		),
	);
	const { made, faults } = await offered(till);
	expect(made.map(({ args }) => args.id)).toEqual(["s-2", "r-1", "v-1"]);
	expect(faults).toMatchObject([{ code: "invalid_args", field: "items" }]);
});

test("layaways that a server has lost are made again, with their deposits, payouts and the sale that ended one [LOSS-4]", async () => {
	const { server, a: till } = await twoTills();
	const items = [
		{ ...{ id: "1", name: "Milk", quantity: 2, price: 60 }, cost: 50 },
	];
	const customerId = "zawadi";
	const money = (id: string, layawayId: string, amount: number) => ({
		...{ id, customerId, layawayId },
		tenders: [{ method: "CASH", amount }],
	});
	const { shop, caller } = server;
	for (const id of ["sold", "left"])
		await shop.mutate(caller, layawayCreate, { id, customerId, items });
	await shop.mutate(caller, paymentCollect, money("d-1", "sold", 70));
	await shop.mutate(caller, paymentCollect, money("d-2", "left", 20));
	await shop.mutate(caller, paymentPayout, money("p-1", "left", 15));
	await shop.mutate(caller, saleCreate, { items, ...money("s", "sold", 50) });
	await till.till.sync();
	await till.store.write((tx) => markUnconfirmed(tx, "shop-1"));
	const { made, faults } = await offered(till);
	expect(faults).toEqual([]);
	const other = await openTestShop();
	const { results } = await other.shop.push(other.caller, {
		mutations: made.map(({ id, name, args, args_version: argsVersion }) => ({
			...{ id, name, args, at, argsVersion },
		})),
	});
	expect(results.map(({ status }) => status)).toEqual(Array(6).fill("applied"));
	const rowsOf = ({ rows }: Pick<TestTill, "rows">) =>
		rows(
			`SELECT id, state, sale_id, (SELECT sum(amount) FROM payments WHERE layaway_id = layaways.id AND method = 'CREDIT') AS owed
       FROM layaways ORDER BY id`,
		);
	expect(await rowsOf(other)).toEqual([
		{ id: "left", state: "open", sale_id: null, owed: -5e6 },
		{ id: "sold", state: "completed", sale_id: "s", owed: -70e6 },
	]);
	expect(await rowsOf(other)).toEqual(await rowsOf(server));
});

test("deliveries and payments that a server has lost are made again, and move the stock once [LOSS-4]", async () => {
	const { server, a: till } = await twoTills();
	const { shop, caller } = server;
	const supplierId = "brookside";
	const items = [
		{ ...{ id: "1", productId: "milk", name: "Milk" }, quantity: 3, cost: 50 },
	];
	const tenders = [{ method: "CASH", amount: 20 }];
	await shop.mutate(caller, deliveryCreate, {
		...{ id: "in", supplierId, number: "INV-1", items, tenders },
	});
	await shop.mutate(caller, deliveryCreate, {
		...{ id: "back", supplierId, isReturn: true, items },
		tenders: [{ method: "BANK", amount: 7 }],
	});
	await shop.mutate(caller, paymentRemit, { id: "paid", supplierId, tenders });
	await till.till.sync();
	await till.store.write((tx) => markUnconfirmed(tx, "shop-1"));
	const { made, faults } = await offered(till);
	expect(faults).toEqual([]);
	const other = await openTestShop();
	const { results } = await other.shop.push(other.caller, {
		mutations: made.map(({ id, name, args, args_version: argsVersion }) => ({
			...{ id, name, args, at, argsVersion },
		})),
	});
	expect(results.map(({ status }) => status)).toEqual(Array(3).fill("applied"));
	const rowsOf = ({ rows }: Pick<TestTill, "rows">) =>
		rows(
			`SELECT id, total, number, (SELECT sum(delta) FROM stock_movements WHERE delivery_id = deliveries.id) AS moved,
         (SELECT sum(amount) FROM payments WHERE fact_id = deliveries.id) AS paid,
         (SELECT sum(amount) FROM payments WHERE supplier_id = deliveries.supplier_id) AS in_all FROM deliveries ORDER BY id`,
		);
	const inAll = -33e6;
	expect(await rowsOf(other)).toEqual([
		{
			...{ id: "back", total: -150e6, number: null },
			...{ moved: -3e6, paid: 7e6, in_all: inAll },
		},
		{
			...{ id: "in", total: 150e6, number: "INV-1" },
			...{ moved: 3e6, paid: -20e6, in_all: inAll },
		},
	]);
	expect(await rowsOf(other)).toEqual(await rowsOf(server));
});

test("sales that a server has lost are made again as they were paid, with the change [LOSS-4]", async () => {
	const { server, a: till } = await twoTills();
	const { shop, caller } = server;
	const cash = (amount: number) => ({ method: "CASH", amount });
	const mpesa = (amount: number) => ({ method: "MPESA", amount });
	const customerId = "zawadi";
	const ways: [price: number, payment: object][] = [
		[60, { tenders: [cash(40), mpesa(30)] }],
		[60, { tenders: [mpesa(60), cash(40)] }],
		[60, { tenders: [mpesa(90)], customerId }],
		[60, { tenders: [cash(20)], customerId }],
		[60, { paymentMethod: "CREDIT", customerId }],
		[60, { tenders: [cash(100)], customerId }],
		[0, { tenders: [cash(100)], customerId }],
		[60, { tenders: [cash(60)], customerId }],
		[0, { paymentMethod: "CARD", customerId }],
	];
	for (const [i, [price, payment]] of ways.entries())
		await shop.mutate(caller, saleCreate, {
			...{ id: `s-${i}`, ...payment },
			items: [{ id: "1", name: "Milk", quantity: 1, price, cost: 0 }],
		});
	await till.till.sync();
	await till.store.write((tx) => markUnconfirmed(tx, "shop-1"));
	const { made, faults } = await offered(till);
	expect(faults).toEqual([]);
	const other = await openTestShop();
	await other.shop.push(other.caller, {
		mutations: made.map(({ id, name, args, args_version: argsVersion }) => ({
			...{ id, name, args, at, argsVersion },
		})),
	});
	const rowsOf = async ({ rows }: Pick<TestTill, "rows">) => [
		...(await rows(
			"SELECT id, total, paid, payment_method, has_payments FROM sales ORDER BY id",
		)),
		...(await rows(
			"SELECT fact_id, method, amount, customer_id FROM payments ORDER BY fact_id, method",
		)),
	];
	expect(await rowsOf(other)).toEqual(await rowsOf(server));
	expect(await rowsOf(other)).toHaveLength(9 + 10);
});

test("a sale that a till brought after months offline keeps its date when another till brings it back [LOSS-4] [DEV-2]", async () => {
	const { server, a, b } = await twoTills();
	const { env } = server;
	const id = await a.sell({ milk: 1 });
	const dates = `SELECT created_at, business_day FROM sales WHERE id = '${id}'`;
	const made = await a.rows(dates);
	env.pass(60 * dayMs);
	await b.sell({ bread: 1 });
	await b.till.sync();
	const file = await copyDatabase(server.store, server.file);
	env.pass(dayMs);
	await a.till.sync();
	await b.till.sync();
	expect(await b.rows(dates)).toEqual(made);
	const back = await openTestShop({ file, env });
	for (const { line, till } of [b, a]) {
		line.shop = back.shop;
		await till.sync();
		expect(await back.rows(dates)).toEqual(made);
	}
	expect(await back.rows("SELECT cause FROM inbox_items")).toEqual([]);
});
