import { join } from "node:path";
import { expect, test } from "vitest";
import { categoryCreate, categoryDelete } from "../entities/category.ts";
import { customerCreate } from "../entities/customer.ts";
import { layawayCancel, layawayCreate } from "../entities/layaway.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { beginNewHistory } from "../log/history.ts";
import { openShop } from "../shop.ts";
import { openRandom } from "../simulation/random.ts";
import { copyDatabase } from "../store/copy.ts";
import { openSqlite } from "../store/sqlite.ts";
import { countOf, testSeed } from "../testing/lane.ts";
import {
	addBusiness,
	copyDatabase as copyServer,
	expectInStep,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
	type TestTill,
	testDir,
	testLine,
} from "../testing/shop.ts";
import { openReplica } from "./replica.ts";

const products = ["bread", "milk", "soap"];

/** A server with three products and twelve sales, whose snapshots have parts of two rows and blocks of four versions. */
async function openServer() {
	const server = await openTestShop();
	const shop = openShop({
		...{ store: server.store, env: server.env },
		snapshotSize: { partRows: 2, blockVersions: 4 },
	});
	for (const id of products) await addProduct(server, id);
	for (let i = 0; i < 12; i += 1)
		await sell(server, `s-${i}`, products[i % 3] as string);
	return { server, line: testLine(shop, server.caller, true) };
}

async function addProduct({ shop, caller }: TestShop, id: string) {
	await shop.mutate(caller, productCreate, {
		...{ id, name: id, buyingPrice: 60, sellingPrice: 100, quantity: 10 },
	});
}

async function sell({ shop, caller }: TestShop, id: string, productId: string) {
	const line = { id: "1", name: productId, quantity: 2, price: 100, cost: 60 };
	await shop.mutate(caller, saleCreate, {
		id,
		items: [{ ...line, productId }],
	});
}

const newsOnly = { leavesHistory: true };

test("a new till sells by a snapshot, with the stock as it is, before it has any older sale, and gets the newest of those first [JOIN-3] [JOIN-4]", async () => {
	const { server, line } = await openServer();
	const one = await openTestTill(server, { line });
	const { till, sell, quantityOf } = one;
	await till.sync(newsOnly);
	expect(await quantityOf("milk")).toBe(2);
	expect(await salesOf(one)).toEqual([]);
	expect((await till.status()).hasHistory).toBe(false);

	const own = await sell({ milk: 1 });
	let blocks = 0;
	await till.bringHistory(() => {
		blocks += 1;
		return blocks === 1;
	});
	// Version 16 is the newest, and a block ends at every fourth.
	expect(await salesOf(one)).toEqual([own, "s-10", "s-11", "s-8", "s-9"]);
	expect(await quantityOf("milk")).toBe(1);
	await till.sync();
	expect((await till.status()).hasHistory).toBe(true);
	expect(await salesOf(one)).toHaveLength(13);
	await expectInStep(server, one);
});

test("a till whose parts come from servers with different snapshots joins by the feed [JOIN-7]", async () => {
	const { server, line } = await openServer();
	await sell(server, "between", "milk");
	const other = openShop({
		...{ store: server.store, env: server.env },
		snapshotSize: { partRows: 2, blockVersions: 4 },
	});
	const lines = [line, testLine(other, server.caller, true)];
	// The first keeps a snapshot from before this sale.
	await line.snapshot?.("", 0);
	await sell(server, "later", "milk");
	let asked = 0;
	const one = await openTestTill(server);
	Object.assign(one.line, {
		snapshot(...args: Parameters<NonNullable<typeof line.snapshot>>) {
			asked += 1;
			return lines[asked % 2]?.snapshot?.(...args);
		},
	});
	await one.till.sync();
	expect(asked).toBeLessThan(10);
	await expectInStep(server, one);
});

test("a till that holds the whole history asks for no more of it, and one that has pulled before takes no snapshot [JOIN-3]", async () => {
	const { server, line } = await openServer();
	const one = await openTestTill(server);
	await one.till.sync();
	const asked: string[] = [];
	const { snapshot, olderFacts } = line;
	Object.assign(one.line, {
		snapshot: (...args: Parameters<NonNullable<typeof snapshot>>) => {
			asked.push("snapshot");
			return snapshot?.(...args);
		},
		olderFacts: (...args: Parameters<NonNullable<typeof olderFacts>>) => {
			asked.push("older facts");
			return olderFacts?.(...args);
		},
	});
	await sell(server, "later", "milk");
	await one.till.sync();
	expect(asked).toEqual([]);
	await expectInStep(server, one);
});

test.each(Array.from({ length: countOf("JOIN_RUNS") }, (_, i) => testSeed + i))(
	"a till that is killed at any statement of joining, on a line that loses any trip, goes on until it has everything: seed %i [JOIN-5] [INV-1] [INV-2] [INV-3]",
	async (seed) => {
		const random = openRandom(seed, "joining");
		const { server, line } = await openServer();
		const file = join(testDir(), "till.db");
		line.lose = () =>
			random.chance(0.2) ? random.pick(["request", "reply"]) : undefined;
		const own: string[] = [];
		let deaths = 0;
		for (let life = 0; life < 60; life += 1) {
			let statements = random.below(120);
			const broken = await openSqlite(file, {
				onStatement(sql) {
					statements -= 1;
					if (statements < 0 && !/^(ROLLBACK|RELEASE|COMMIT)/.test(sql))
						throw Object.assign(new Error("killed"), { code: "SQLITE_IOERR" });
				},
			});
			try {
				const { caller, env } = server;
				const { businessId } = caller;
				const till = await openReplica({
					...{ store: broken, businessId, transport: line, env },
				});
				await till.sync(newsOnly);
				if (random.chance(0.5)) {
					const id = `own-${life}`;
					const item = { name: "milk", quantity: 1, price: 100, cost: 60 };
					await till.mutate(caller, saleCreate, {
						id,
						items: [{ id: "1", ...item, productId: "milk" }],
					});
					own.push(id);
				}
				await till.sync();
			} catch {
				deaths += 1;
			} finally {
				statements = Number.POSITIVE_INFINITY;
				await broken.close();
			}
			if (life % 9 === 4) await sell(server, `more-${life}`, "soap");
			// The snapshot is let go, and the next part is another one's.
			if (random.chance(0.1)) server.env.pass(11 * 60_000);
		}
		expect(deaths).toBeGreaterThan(5);
		line.lose = () => undefined;
		const one = await openTestTill(server, { file, line });
		await one.till.sync();
		expect(await salesOf(one)).toEqual(await salesOf(server));
		expect(await salesOf(one)).toEqual(expect.arrayContaining(own));
		expect((await one.till.status()).hasHistory).toBe(true);
		await expectInStep(server, one);
	},
);

test("a product that comes while older sales of it are on their way has the stock of all of them [FACT-4] [JOIN-4]", async () => {
	const { server, line } = await openServer();
	await sell(server, "too-early", "late");
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	await addProduct(server, "late");
	await one.till.sync(newsOnly);
	await one.sell({ late: 1 });
	await one.till.sync();
	expect(await one.quantityOf("late")).toBe(7);
	await expectInStep(server, one);
});

test("a snapshot that the server lets go half-way is begun again, without what was deleted meanwhile [JOIN-5]", async () => {
	const { server, line } = await openServer();
	const { shop, caller } = server;
	for (const id of ["fruit", "old"])
		await shop.mutate(caller, categoryCreate, { id, name: id });
	const one = await openTestTill(server, { line });
	line.lose = (trip) => (trip > 2 ? "request" : undefined);
	await expect(one.till.sync()).rejects.toMatchObject({ code: "unreachable" });
	const categories = () => one.rows("SELECT id FROM categories ORDER BY id");
	expect(await categories()).toEqual([{ id: "fruit" }, { id: "old" }]);

	await shop.mutate(caller, categoryDelete, { id: "old" });
	await sell(server, "later", "bread");
	server.env.pass(11 * 60_000);
	line.lose = () => undefined;
	await one.till.sync();
	expect(await categories()).toEqual([{ id: "fruit" }]);
	await expectInStep(server, one);
});

test("a till whose server knows no snapshots joins by the feed, also half-way and with what it sold meanwhile [JOIN-7]", async () => {
	const { server, line } = await openServer();
	const { snapshot } = line;
	const one = await openTestTill(server, { line });
	line.snapshot = async (cursor, part) =>
		part === 0 ? snapshot?.(cursor, part) : undefined;
	line.lose = (trip) => (trip > 1 ? "request" : undefined);
	await expect(one.till.sync()).rejects.toMatchObject({ code: "unreachable" });
	line.lose = () => undefined;
	await one.till.sync();
	expect((await one.till.status()).hasHistory).toBe(true);
	await one.sell({ bread: 1 });
	await one.till.sync();
	await expectInStep(server, one);
});

test("a till whose server begins a new history while the older sales come pulls all of it by the feed [JOIN-7] [CUR-3]", async () => {
	const { server, line } = await openServer();
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	const own = await one.sell({ soap: 1 });
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	await one.till.bringHistory();
	expect(await salesOf(one)).toEqual([own]);
	await one.till.sync();
	expect((await one.till.status()).hasHistory).toBe(true);
	expect(await salesOf(one)).toHaveLength(13);
	await expectInStep(server, one);
});

test.each<[string, (one: TestTill) => Promise<string>]>([
	["its item in the inbox comes", (one) => one.sell({ ghost: 1 })],
	[
		"its payments come",
		async ({ till, caller }) => {
			const id = "lent";
			const items = [{ id: "1", name: "Bread", quantity: 1, price: 100 }];
			await till.mutate(caller, customerCreate, { id: "juma", name: "Juma" });
			await till.mutate(caller, saleCreate, {
				...{ id, items: items.map((line) => ({ ...line, cost: 60 })) },
				...{ customerId: "juma", tenders: [{ method: "CASH", amount: 30 }] },
			});
			return id;
		},
	],
])(
	"an unsent sale that the server has from the till's copy stays in sight while %s before it [JOIN-4]",
	async (_, make) => {
		const { server, line } = await openServer();
		const one = await openTestTill(server, { line });
		// As in a shop that began without its server.
		await one.store.write((tx) => addBusiness(tx, one.caller.businessId));
		const own = await make(one);
		const file = join(testDir(), "copy.db");
		await copyDatabase(one.file, file);
		const twin = await openTestTill(server, { file });
		await twin.till.sync();
		while ((await one.till.status()).pending > 0) {
			expect(await salesOf(one)).toContain(own);
			let trips = 0;
			line.lose = () => {
				trips += 1;
				return trips > 1 ? "request" : undefined;
			};
			await expect(one.till.sync()).rejects.toMatchObject({
				code: "unreachable",
			});
		}
		line.lose = () => undefined;
		await one.till.sync();
		expect(await salesOf(one)).toContain(own);
		await expectInStep(server, one);
	},
);

test("a refund of a sale that has not come yet is refused, and works once it has [JOIN-4]", async () => {
	const { server, line } = await openServer();
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	const refund = (id: string) =>
		one.till.mutate(server.caller, saleRefund, {
			...{ id, saleId: "s-1", items: [{ id: "r", itemId: "1", quantity: 1 }] },
			...{ reason: "Sour", restock: true },
		});
	await expect(refund("early")).rejects.toMatchObject({ code: "not_found" });
	await one.till.bringHistory();
	await refund("later");
	await one.till.sync();
	await expectInStep(server, one);
});

test("a till stores nothing of a snapshot or of older sales that are another business's [BIZ-2]", async () => {
	const { server, line } = await openServer();
	const { snapshot, olderFacts } = line;
	const one = await openTestTill(server, { line });
	const businessId = "shop-2";
	line.snapshot = async (...asked) => {
		const answer = await snapshot?.(...asked);
		return answer && { ...answer, businessId };
	};
	await expect(one.till.sync()).rejects.toMatchObject({
		code: "wrong_business",
	});
	expect(await one.rows("SELECT id FROM products")).toEqual([]);
	line.snapshot = snapshot as NonNullable<typeof snapshot>;
	line.olderFacts = async (...asked) => ({
		...(await (olderFacts as NonNullable<typeof olderFacts>)(...asked)),
		businessId,
	});
	await expect(one.till.sync()).rejects.toMatchObject({
		code: "wrong_business",
	});
	expect(await salesOf(one)).toEqual([]);
});

test("a till whose server loses what moved a row behind the older facts that it has stored takes the shop again [JOIN-4] [CUR-4]", async () => {
	const { server, line } = await openServer();
	const { shop, caller, store } = server;
	await shop.mutate(caller, customerCreate, { id: "ann", name: "Ann" });
	const item = { id: "1", name: "milk", quantity: 1, price: 100, cost: 60 };
	const kept = { id: "kept", customerId: "ann", items: [item] };
	await shop.mutate(caller, layawayCreate, kept);
	for (const id of ["t-1", "t-2", "t-3", "t-4", "t-5"])
		await sell(server, id, "soap");
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	const file = await copyServer(store, server.file);
	await shop.mutate(caller, layawayCancel, { id: "kept", reason: "Lost" });
	let blocks = 0;
	await one.till.bringHistory(() => {
		blocks += 1;
		return blocks < 4;
	});
	expect((await one.till.status()).hasHistory).toBe(false);
	expect(await one.rows("SELECT id FROM sales")).not.toEqual([]);
	expect(await one.rows("SELECT id FROM layaways")).toEqual([]);

	const back = await openTestShop({ file, env: server.env });
	line.shop = openShop({ store: back.store, env: server.env });
	await one.till.bringHistory();
	expect((await one.till.status()).hasHistory).toBe(false);
	await one.till.sync();
	expect(await one.rows("SELECT id, state FROM layaways")).toEqual([
		{ id: "kept", state: "open" },
	]);
	expect((await one.till.status()).hasHistory).toBe(true);
	await expectInStep(back, one);
});

test("a till that has synced while a block of older facts was on its way asks for that block again [JOIN-5]", async () => {
	const { server, line } = await openServer();
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	const { olderFacts } = line;
	let asked = 0;
	line.olderFacts = async (...request) => {
		asked += 1;
		const answer = await olderFacts?.(...request);
		if (asked === 1) {
			await sell(server, "meanwhile", "milk");
			await one.till.sync(newsOnly);
		}
		return answer as NonNullable<typeof answer>;
	};
	await one.till.bringHistory();
	expect((await one.till.status()).hasHistory).toBe(true);
	expect(asked).toBeLessThan(8);
	await expectInStep(server, one);
});

test("a till whose server begins a new history while the older sales come counts none of them twice meanwhile [JOIN-4] [JOIN-7]", async () => {
	const { server, line } = await openServer();
	const pages = { first: 6, least: 6, most: 6 };
	const one = await openTestTill(server, { line, pages, rowsPerWrite: 6 });
	await one.till.sync(newsOnly);
	const stock = () => one.rows("SELECT id, quantity FROM products ORDER BY id");
	const before = await stock();
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	const goesOnce = { ...newsOnly, mayGoOn: () => false };
	await one.till.sync(goesOnce);
	while ((await salesOf(one)).length < 12) {
		expect(await stock()).toEqual(before);
		await one.till.sync(goesOnce);
	}
	await one.till.sync();
	expect(await stock()).toEqual(before);
	await expectInStep(server, one);
});

test("an older server, which names no cursor with its older facts, gives a till all of them [JOIN-4] [VER-4]", async () => {
	const { server, line } = await openServer();
	const { olderFacts } = line;
	line.olderFacts = async (...asked) => {
		const answer = await olderFacts?.(...asked);
		const { cursor, ...older } = answer as NonNullable<typeof answer>;
		expect(cursor).toBeDefined();
		return older;
	};
	const one = await openTestTill(server, { line });
	await one.till.sync(newsOnly);
	await sell(server, "later", "milk");
	await one.till.sync();
	await expectInStep(server, one);
});
