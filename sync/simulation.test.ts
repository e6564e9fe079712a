import { describe, expect, test } from "vitest";
import { productCreate, productUpdate } from "./entities/product.ts";
import { saleRefund, saleVoid } from "./entities/refund.ts";
import { stockAdjust } from "./entities/stock.ts";
import { ShopError } from "./errors.ts";
import { beginNewHistory } from "./history.ts";
import { newId } from "./ids.ts";
import { foldTallies } from "./tallies.ts";
import {
	copyDatabase,
	expectInStep,
	openTestShop,
	openTestTill,
	salesOf,
	syncStubbornly,
	type TestShop,
	type TestTill,
	twoTills,
} from "./test-shop.ts";
import { expectTalliesRight } from "./test-tallies.ts";

/** More seeds for a long run: SEEDS=1000 npx vitest run sync/simulation */
const seeds = Number(process.env.SEEDS ?? 12);
const steps = 80;

/** Numbers that look random and are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface World {
	server: TestShop;
	tills: TestTill[];
	/** Every sale that a cashier was told is done. */
	sold: Set<string>;
	counts: Record<string, number>;
}

/** One thing that may happen. */
type Step = (world: World, random: () => number) => Promise<void>;

function pick<T>(items: readonly T[], random: () => number): T {
	return items[Math.floor(random() * items.length)] as T;
}

/** What people do may be refused where the shop's rules say so; a fault is thrown on. */
async function attempt(work: Promise<unknown>): Promise<void> {
	try {
		await work;
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
	}
}

const happenings: Record<string, Step> = {
	async sells(world, random) {
		const till = pick(world.tills, random);
		const quantities = {
			[pick(["milk", "bread", "gone"], random)]: Math.ceil(random() * 40) / 8,
		};
		world.sold.add(await till.sell(quantities));
	},

	async takesBack({ tills, server }, random) {
		const { till, caller, rows } = pick(tills, random);
		const [sale] = await rows(
			"SELECT id FROM sales ORDER BY id LIMIT 1 OFFSET ?",
			Math.floor(random() * 5),
		);
		if (!sale) return;
		const more = {
			saleId: sale.id as string,
			reason: "Sour",
			restock: random() < 0.5,
		};
		const id = newId(server.env);
		const work =
			random() < 0.3
				? till.mutate(caller, saleVoid, { id, ...more })
				: till.mutate(caller, saleRefund, {
						id,
						...more,
						items: [{ id: "1", itemId: "1", quantity: 0.125 }],
					});
		await attempt(work);
	},

	async edits({ tills }, random) {
		const { till, caller } = pick(tills, random);
		const id = pick(["milk", "bread"], random);
		const set = pick(
			[
				{ sellingPrice: Math.floor(random() * 100) },
				{ name: `${id} ${Math.floor(random() * 9)}` },
				{ quantity: Math.floor(random() * 50) },
			],
			random,
		);
		await till.mutate(caller, productUpdate, { id, set });
	},

	async receives({ tills, server }, random) {
		const { till, caller } = pick(tills, random);
		const id = newId(server.env);
		await till.mutate(caller, stockAdjust, {
			id,
			productId: "milk",
			delta: Math.floor(random() * 9),
			reason: "received",
		});
	},

	async learnsOfNew({ tills }, random) {
		const { till, caller } = pick(tills, random);
		const made = {
			id: "gone",
			name: "Late",
			buyingPrice: 1,
			sellingPrice: 2,
			quantity: 3,
		};
		await attempt(till.mutate(caller, productCreate, made));
	},

	async syncs({ tills }, random) {
		await attempt(pick(tills, random).till.sync());
	},

	async isCutOff({ tills }, random) {
		pick(tills, random).line.online = random() < 0.6;
	},

	async crashes(world, random) {
		const index = Math.floor(random() * world.tills.length);
		const { file, line, close } = world.tills[index] as TestTill;
		await close();
		world.tills[index] = await openTestTill(world.server, { file, line });
	},

	/** On another day each time, so that there is something to fold. */
	async looksAtReports({ tills, server }, random) {
		const { store, caller } = pick([server, ...tills], random);
		const today = `2026-11-${10 + Math.floor(random() * 20)}`;
		await foldTallies(store, caller.businessId, today);
	},

	async timePasses({ server }, random) {
		// A clock may also be put back.
		server.env.pass(Math.floor(random() * 600_000) - 60_000);
	},
};

async function run(seed: number): Promise<World> {
	const random = randomOf(seed);
	const { server, a, b } = await twoTills();
	const world: World = {
		server,
		tills: [a, b, await openTestTill(server)],
		sold: new Set(),
		counts: {},
	};
	await world.tills[2]?.till.sync();
	for (const { line } of world.tills)
		line.lose = () =>
			pick(
				[undefined, undefined, undefined, "request", "reply"] as const,
				random,
			);
	let backup: string | undefined;
	for (let step = 0; step < steps; step += 1) {
		const name = pick(Object.keys(happenings), random);
		world.counts[name] = (world.counts[name] ?? 0) + 1;
		await happenings[name]?.(world, random);
		if (step === 25)
			backup = await copyDatabase(world.server.store, world.server.file);
		// Every third shop loses its server, and gets back what the backup had.
		if (step === 60 && seed % 3 === 0) {
			await world.server.store.close();
			world.server = await openTestShop({
				file: backup as string,
				env: server.env,
			});
			await world.server.store.write((tx) => beginNewHistory(tx, server.env));
			for (const { line } of world.tills) line.shop = world.server.shop;
		}
	}
	return world;
}

describe("whatever happens, in the end every sale is there once and all hold the same shop", () => {
	test.each(Array.from({ length: seeds }, (_, i) => i + 1))(
		"seed %i",
		async (seed) => {
			const { server, tills, sold, counts } = await run(seed);
			for (const { line } of tills) line.online = true;
			// Twice round: what one till brings back another may have been waiting for.
			for (const till of [...tills, ...tills, ...tills])
				await syncStubbornly(till);
			for (const till of tills) {
				expect((await till.till.status()).pending).toBe(0);
				expect(await salesOf(till)).toEqual([...sold].sort());
			}
			await expectInStep(server, ...tills);
			for (const { store, caller } of [server, ...tills]) {
				await foldTallies(store, caller.businessId, "2026-11-21");
				await expectTalliesRight(store, caller.businessId, "2026-11-21");
			}
			const totals = await server.rows(
				`SELECT sales.id FROM sales JOIN sale_items ON sale_items.business_id = sales.business_id AND sale_id = sales.id
       GROUP BY sales.id, total HAVING total <> sum(price / 1000000 * quantity)`,
			);
			expect(totals).toEqual([]);
			const receipts = await server.rows(
				"SELECT receipt_number FROM sales GROUP BY receipt_number HAVING count(*) > 1",
			);
			expect(receipts).toEqual([]);
			// The run did what it is for.
			expect(sold.size).toBeGreaterThan(0);
			expect(counts.syncs).toBeGreaterThan(0);
		},
	);
});
