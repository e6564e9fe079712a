import { describe, expect, test } from "vitest";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { beginNewHistory } from "../log/history.ts";
import { newId } from "../protocol/ids.ts";

import type { Shop } from "../shop.ts";
import type { Store } from "../store/store.ts";
import { oneIn, sampled } from "../testing/lane.ts";
import {
	copyDatabase,
	openTestShop,
	saleArgs,
	type TestShop,
	testEnv,
	twoTills,
} from "../testing/shop.ts";
import { assertTalliesRight } from "../testing/tallies.ts";
import { countSales, foldTallies, readDaySums } from "./tallies.ts";

/** A deterministic random number generator. */
function numbers(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const products = ["milk", "bread", "salt", "soap", "rope", "tea"];

/** By one method, for more than the total, by several tenders, and on credit. */
const payments = [
	{ paymentMethod: "CASH" },
	{ paymentMethod: "CARD", paid: 900_000 },
	{ paymentMethod: "MPESA", paid: 0.5 },
	{ tenders: [{ method: "VOUCHER", amount: 900_000 }], customerId: "asha" },
	{ customerId: "asha", paymentMethod: "CREDIT" },
	{
		customerId: "asha",
		tenders: [
			{ method: "MPESA", amount: 0.3, code: "A1" },
			{ method: "MPESA", amount: 0.2, code: "A2" },
			{ method: "CASH", amount: 0.1 },
		],
	},
];

/** Sells, voids and refunds at random, on days around `today`. Refused mutations change nothing. */
async function trade(
	{ shop, caller }: { shop: Pick<Shop, "mutate">; caller: TestShop["caller"] },
	env: TestShop["env"],
	below: ReturnType<typeof numbers>,
	count: number,
) {
	const sold: { id: string; lines: number }[] = [];
	for (let i = 0; i < count; i += 1) {
		env.pass(below(40) * 60_000);
		const businessDay = `2026-11-${String(10 + below(20)).padStart(2, "0")}`;
		const sale = sold[below(sold.length)];
		const id = newId(env);
		const what = below(10);
		if (sale && what < 3) {
			const taken = { id, saleId: sale.id, reason: "test", businessDay };
			const restock = below(2) === 0;
			const itemId = String(1 + below(sale.lines));
			const items = [{ id: "1", itemId, quantity: (1 + below(9)) / 8 }];
			const taking =
				what === 0
					? shop.mutate(caller, saleVoid, { ...taken, restock })
					: shop.mutate(caller, saleRefund, { ...taken, restock, items });
			await taking.catch((error) => {
				expect(["already_voided", "over_refunded"]).toContain(error.code);
			});
		} else {
			const lines = 1 + below(3);
			await shop.mutate(caller, saleCreate, {
				id,
				businessDay,
				...payments[below(payments.length)],
				items: Array.from({ length: lines }, (_, line) => ({
					id: String(line + 1),
					name: "Thing",
					quantity: (1 + below(40)) / 8,
					price: below(1_000_000) / 1_000,
					cost: below(500_000) / 1_000,
					productId: products[below(products.length + 1)] ?? null,
				})),
			});
			sold.push({ id, lines });
		}
	}
}

describe("the tallies", () => {
	test.each(sampled([1, 2, 3], 3))(
		"the tallies equal a recount after random sales, refunds and reads (seed %i)",
		async (seed) => {
			const env = testEnv("2026-11-20T06:00:00.000Z");
			const server = await openTestShop({ env });
			const { store, caller } = server;
			const below = numbers(seed);
			let today = "2026-11-20";
			await assertTalliesRight(store, caller.businessId, today);
			for (let round = 0; round < 8; round += 1) {
				await trade(server, env, below, 30 + below(60));
				// Days pass, and now and then a wrong clock is corrected.
				today = `2026-1${below(2) + 1}-${String(1 + below(28)).padStart(2, "0")}`;
				await foldTallies(store, caller.businessId, today);
				await assertTalliesRight(store, caller.businessId, today);
			}
			await foldTallies(store, caller.businessId, "2027-06-01");
			await assertTalliesRight(store, caller.businessId, "2027-06-01");
			expect(
				await server.rows("SELECT * FROM tally_products WHERE revenue <> 0"),
			).toEqual([]);
		},
		// PostgreSQL takes a minute.
		120_000,
	);

	test("the tallies fold a long history in several transactions", async () => {
		const server = await openTestShop();
		const { store, caller, env } = server;
		const { businessId } = caller;
		for (let i = 0; i < 3; i += 1) {
			await trade(server, env, numbers(i), 10);
			await store.write((tx) =>
				tx.run("UPDATE businesses SET head = head + 6000"),
			);
		}
		await foldTallies(store, businessId, "2026-11-20");
		await assertTalliesRight(store, businessId, "2026-11-20");
		const [left] = await server.rows(
			"SELECT count(*) AS left FROM sales, tallies WHERE sales.version > tallies.version",
		);
		expect(left).toEqual({ left: 0 });
	});

	test("a second read of the tallies writes nothing", async () => {
		const server = await openTestShop();
		const { store, caller, env } = server;
		await trade(server, env, numbers(1), 10);
		await foldTallies(store, caller.businessId, "2026-11-20");
		const looking: Store = {
			...store,
			read: (fn) => store.read(fn),
			write: () => Promise.reject(new Error("There was something to do")),
		};
		await trade(server, env, numbers(2), 10);
		await foldTallies(looking, caller.businessId, "2026-11-20");
		await assertTalliesRight(store, caller.businessId, "2026-11-20");
	});

	test("the tallies of one business do not touch another's", async () => {
		const server = await openTestShop();
		const other = await openTestShop({ file: server.file, businessId: "b" });
		await trade(server, server.env, numbers(1), 30);
		await trade(other, other.env, numbers(2), 20);
		for (const { caller, store } of [server, other]) {
			await foldTallies(store, caller.businessId, "2026-11-20");
			await assertTalliesRight(store, caller.businessId, "2026-11-20");
		}
	});

	test("the tallies take a voided sale off its own day's count, and its money off the void's day", async () => {
		const server = await openTestShop();
		const { shop, caller, store } = server;
		await shop.mutate(caller, saleCreate, {
			...saleArgs("s"),
			businessDay: "2026-11-19",
		});
		await shop.mutate(caller, saleVoid, {
			id: "v",
			saleId: "s",
			reason: "by mistake",
			businessDay: "2026-11-20",
		});
		const days = await store.read((tx) =>
			readDaySums(tx, caller.businessId, "day", "2026-11-01", "2026-11-30"),
		);
		const none = { key: "", sales: 0, refunded: 0 };
		expect(days).toEqual([
			{ ...none, day: "2026-11-19", revenue: 50e6, cost: 40e6 },
			{
				...none,
				day: "2026-11-20",
				revenue: -50e6,
				cost: -40e6,
				refunded: 50e6,
			},
		]);
		expect(await store.read((tx) => countSales(tx, caller.businessId))).toBe(1);
	});

	test("the tallies multiply the largest price and quantity without loss", async () => {
		const server = await openTestShop();
		const { shop, caller, store } = server;
		for (const [i, line] of [
			{ price: 999_999_999.123457, quantity: 9 },
			{ price: 8.123457, quantity: 999_999_999.999999 },
			{ price: 0.000001, quantity: 999_999_999.999999 },
			{ price: 94_906.265625, quantity: 94_906.25 },
		].entries())
			await shop.mutate(
				caller,
				saleCreate,
				saleArgs(`s${i}`, [{ ...line, cost: 0, productId: `p${i}` }]),
			);
		await foldTallies(store, caller.businessId, "2026-11-20");
		await assertTalliesRight(store, caller.businessId, "2026-11-20");
	});
});

describe("a till's tallies", () => {
	oneIn(3)(
		"a till's tallies count its own sales immediately and once, through offline days and syncs",
		async () => {
			const { server, a, b } = await twoTills();
			const { env, caller } = server;
			const today = "2026-11-20";
			const all = [server, a, b];
			const settle = async () => {
				for (const { store } of all) {
					await foldTallies(store, caller.businessId, today);
					await assertTalliesRight(store, caller.businessId, today);
				}
			};
			for (let round = 0; round < 4; round += 1) {
				for (const [i, { till }] of [a, b].entries())
					await trade({ shop: till, caller }, env, numbers(round * 2 + i), 60);
				await settle();
				await a.till.sync();
				await settle();
				await b.till.sync();
				await a.till.sync();
				await settle();
			}
			const counts = await Promise.all(
				all.map(({ store }) =>
					store.read((tx) => countSales(tx, caller.businessId)),
				),
			);
			expect(new Set(counts).size).toBe(1);
		},
	);

	oneIn(3)(
		"a till's tallies start again when the server's history changes",
		async () => {
			const { server, a } = await twoTills();
			const { caller, env } = server;
			const today = "2026-11-20";
			await trade(server, env, numbers(5), 30);
			const file = await copyDatabase(server.store, server.file);
			// The restored server has other facts in place of those that the till has folded.
			await trade(server, env, numbers(6), 250);
			await a.till.sync();
			await foldTallies(a.store, caller.businessId, today);
			const restored = await openTestShop({ file, env });
			await restored.store.write((tx) => beginNewHistory(tx, env));
			await trade(restored, env, numbers(7), 5);
			a.line.shop = restored.shop;
			await a.till.sync();
			await a.till.sync();
			for (const { store } of [a, restored]) {
				await foldTallies(store, caller.businessId, today);
				await assertTalliesRight(store, caller.businessId, today);
			}
		},
	);
});
