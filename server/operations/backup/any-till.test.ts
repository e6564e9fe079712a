import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { categoryCreate } from "../../../sync/entities/category.ts";
import type { Mutation } from "../../../sync/entities/entity.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { saleRefund, saleVoid } from "../../../sync/entities/refund.ts";
import { stockAdjust } from "../../../sync/entities/stock.ts";
import { beginNewHistory } from "../../../sync/log/history.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { newId } from "../../../sync/protocol/ids.ts";
import { openShop } from "../../../sync/shop.ts";
import { openRandom, type Random } from "../../../sync/simulation/random.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { countOf, testSeed } from "../../../sync/testing/lane.ts";
import {
	openTestShop,
	openTestTill,
	type TestShop,
	type TestTill,
	testDir,
} from "../../../sync/testing/shop.ts";
import { restoreFromTill } from "./restore-from-till.ts";

const dayMs = 24 * 3_600_000;
/** Refusals that two tills without a connection cause each other. */
const mutual = ["already_voided", "over_refunded", "not_found"];

/** What happened in a shop before its server was lost. */
interface Known {
	/** Sales by tills, and what they sold. */
	sales: Map<string, Record<string, number>>;
	prices: Map<string, { at: number; price: number }>;
}

test.each(
	Array.from(
		{ length: Math.ceil(countOf("SEEDS") / 20) },
		(_, i) => testSeed * 1_000 + i,
	),
)(
	"any till's file makes a server to which the tills bring the rest: seed %i",
	async (seed) => {
		const random = openRandom(seed, "any till");
		const server = await openTestShop({ kind: "sqlite" });
		const { env, caller } = server;
		for (const id of ["milk", "bread"])
			await server.shop.mutate(caller, productCreate, {
				...{ id, name: id, buyingPrice: 60, sellingPrice: 100, quantity: 10 },
			});
		const tills: TestTill[] = [];
		const pages = { first: 5, least: 5, most: 5 };
		for (let i = 0; i < 3; i += 1)
			tills.push(await openTestTill(server, { pages, rowsPerWrite: 5 }));
		const known: Known = {
			sales: new Map(),
			prices: new Map(),
		};
		for (const { till } of tills) await till.sync();
		for (let i = 0; i < 30 + random.below(40); i += 1) {
			env.pass(random.below(random.chance(0.1) ? dayMs : 600_000));
			await act(random, random.pick(tills), known);
		}
		const lost = random.pick(tills);
		if (random.chance(0.4)) await interruptReset(random, server, lost);

		const dataDir = join(testDir(), "data");
		const owner = {
			email: "asha@example.com",
			name: "Asha",
			passwordHash: "-",
		};
		const restored = await restoreFromTill({
			...{ file: lost.file, dataDir, env, force: false, owner },
		});
		expect(restored.own.waiting).toBe(0);
		const store = await openSqlite(join(dataDir, "counterfoil.db"));
		onTestFinished(() => store.close());
		const faults: unknown[] = [];
		const shop = openShop({
			store,
			env,
			onFault: (error) => faults.push(error),
		});
		for (const { line } of tills) line.shop = shop;
		env.pass(random.below(dayMs));
		for (let round = 0; round < 3; round += 1)
			for (const one of tills.toSorted(() => random.next() - 0.5))
				await one.till.sync();

		expect(faults).toEqual([]);
		const { digest } = await shop.digest(caller);
		for (const { till } of tills) {
			expect(await till.digest()).toBe(digest);
			expect((await till.status()).pending).toBe(0);
			for (const { error } of await till.rejected())
				expect(mutual).toContain(error.code);
		}
		const rows = (sql: string) => store.read((tx) => tx.all(sql));
		const sales = await rows("SELECT id, receipt_number FROM sales");
		expect(sales.map(({ id }) => id).sort()).toEqual(
			[...known.sales.keys()].sort(),
		);
		const numbers = sales.map((row) => row.receipt_number);
		expect(new Set(numbers).size).toBe(numbers.length);
		expect(
			await rows(
				`SELECT id, quantity FROM products WHERE quantity <>
        (SELECT sum(delta) FROM stock_ledger WHERE product_id = products.id)`,
			),
		).toEqual([]);
		const prices = await rows("SELECT id, selling_price FROM products");
		for (const [id, { price }] of known.prices)
			expect([id, prices.find((row) => row.id === id)?.selling_price]).toEqual([
				id,
				price * 1e6,
			]);
	},
);

/** Begins a new history on the server, as a restore does, and loses the line while a till fetches the shop again. */
async function interruptReset(
	random: Random,
	{ store, env }: TestShop,
	{ till, line }: TestTill,
): Promise<void> {
	await store.write((tx) => beginNewHistory(tx, env));
	const trips = 1 + random.below(4);
	let trip = 0;
	line.lose = () => (trip++ < trips ? undefined : "request");
	await till.sync().catch((error) => {
		if (!(error instanceof ShopError)) throw error;
	});
	line.lose = () => undefined;
}

async function act(
	random: Random,
	one: TestTill,
	{ sales, prices }: Known,
): Promise<void> {
	const { till, caller, line } = one;
	const make = (mutation: Mutation, args: object) =>
		till.mutate(caller, mutation, args).catch((error) => {
			if (!(error instanceof ShopError)) throw error;
		});
	const product = random.pick(["milk", "bread"]);
	const dice = random.below(20);
	if (dice < 7) {
		const basket = { [product]: 1 + random.below(3) };
		sales.set(await one.sell(basket), basket);
	} else if (dice < 9) {
		const [sale] = await one.rows("SELECT id FROM sales ORDER BY id DESC");
		if (!sale) return;
		const args = { id: newId(till.env), saleId: sale.id, reason: "Flat" };
		const item = { id: "1", itemId: "1", quantity: 1 };
		if (random.chance(0.5)) await make(saleVoid, args);
		else await make(saleRefund, { ...args, restock: true, items: [item] });
	} else if (dice < 11) {
		const price = 100 + random.below(100);
		await make(productUpdate, { id: product, set: { sellingPrice: price } });
		prices.set(product, { at: till.env.now(), price });
	} else if (dice === 11)
		await make(productUpdate, { id: product, set: { quantity: 20 } });
	else if (dice === 12)
		await make(stockAdjust, {
			...{ id: newId(till.env), productId: product, delta: 5 },
			reason: "received",
		});
	else if (dice === 13)
		await make(productCreate, {
			...{ id: newId(till.env), name: "New", buyingPrice: 1, sellingPrice: 2 },
			quantity: random.below(3),
		});
	else if (dice === 14)
		await make(categoryCreate, { id: newId(till.env), name: "Drinks" });
	else {
		const lost = random.pick([
			"request",
			"reply",
			undefined,
			undefined,
		] as const);
		const after = random.below(2);
		let trips = 0;
		line.lose = () => (trips++ >= after ? lost : undefined);
		await till.sync().catch((error) => {
			if (!(error instanceof ShopError)) throw error;
		});
		line.lose = () => undefined;
	}
}
