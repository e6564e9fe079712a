import { describe, expect, test } from "vitest";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { formatReceipt } from "../log/devices.ts";
import type { Change } from "../protocol/protocol.ts";
import { hasPostgres, wherePostgres } from "../testing/postgres.ts";
import {
	addBusiness,
	addMilk,
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestShop,
	testLine,
} from "../testing/shop.ts";

/** Opens several servers over one database, each with its own connections and listeners, like processes. */
async function openServers(count: number): Promise<[TestShop, ...TestShop[]]> {
	const first = await openTestShop({ kind: "postgres" });
	await addMilk(first);
	const others: TestShop[] = [];
	while (others.length < count - 1)
		others.push(await openTestShop({ file: first.file, kind: "postgres" }));
	return [first, ...others];
}

function sale(id: string, more: object = {}) {
	const items = [{ productId: "milk" }, {}];
	return message(`m-${id}`, "sale.create", saleArgs(id, items), more);
}

describe.skipIf(!hasPostgres)(
	`servers over one PostgreSQL ${wherePostgres}`,
	() => {
		test("servers over one database assign versions without gaps, and a concurrent reader misses none", async () => {
			const servers = await openServers(3);
			const [{ caller }] = servers;
			const changes: Change[] = [];
			let cursor = (await servers[0].shop.pull(caller, {})).cursor;
			let isDone = false;
			const reading = (async () => {
				for (let n = 0; ; n += 1) {
					const last = isDone;
					const { shop } = servers[n % 3] as TestShop;
					const page = await shop.pull(caller, { cursor, limit: 3 });
					changes.push(...page.changes);
					cursor = page.cursor;
					if (last && !page.hasMore) return;
				}
			})();
			await Promise.all(
				servers.map(async ({ shop }, s) => {
					for (let n = 0; n < 8; n += 1)
						await shop.push(caller, {
							mutations: [sale(`${s}-${n}-a`), sale(`${s}-${n}-b`)],
						});
				}),
			);
			isDone = true;
			await reading;
			const sold = changes.filter(({ entity }) => entity === "sale");
			expect(new Set(sold.map(({ id }) => id)).size).toBe(48);
			expect(sold.map(({ version }) => version)).toEqual(
				Array.from({ length: 48 }, (_, i) => i + 3),
			);
			await expectInStep(servers[0]);
		});

		test("a mutation pushed to several servers over one database at once is applied once", async () => {
			const servers = await openServers(3);
			const [{ caller, rows }] = servers;
			const mutations = Array.from({ length: 10 }, (_, i) =>
				sale(`s${i}`, { number: i + 1 }),
			);
			const answers = await Promise.all(
				servers.map(({ shop }) =>
					shop.push(caller, { mutations, deviceId: "till", lastNumber: 10 }),
				),
			);
			const statuses = answers.flatMap(({ results }) =>
				results.map(({ status, duplicate }) => `${status} ${duplicate}`),
			);
			expect(statuses.filter((it) => it === "applied undefined")).toHaveLength(
				10,
			);
			expect(statuses.filter((it) => it === "applied true")).toHaveLength(20);
			expect(
				await rows("SELECT quantity FROM products WHERE id = 'milk'"),
			).toEqual([{ quantity: 0 }]);
			expect(await rows("SELECT last_number FROM devices")).toEqual([
				{ last_number: 10 },
			]);
		});

		test("servers over one database give concurrent tills different receipt prefixes", async () => {
			const servers = await openServers(3);
			const [{ caller, rows }] = servers;
			const answers = await Promise.all(
				Array.from({ length: 12 }, (_, i) =>
					servers[i % 3]?.shop.push(caller, {
						mutations: [],
						deviceId: `till-${i}`,
					}),
				),
			);
			expect(new Set(answers.map((answer) => answer?.prefix)).size).toBe(12);
			expect(await rows("SELECT id FROM devices")).toHaveLength(12);
		});

		test("servers over one database number their own receipts without gaps or duplicates, each with its prefix", async () => {
			const servers = await openServers(3);
			const [{ caller, rows }] = servers;
			await Promise.all(
				Array.from({ length: 18 }, (_, i) =>
					servers[i % 3]?.shop.mutate(caller, saleCreate, saleArgs(`s${i}`)),
				),
			);
			const receipts = await rows(
				"SELECT receipt_number AS number FROM sales ORDER BY receipt_number",
			);
			const devices = await rows("SELECT prefix FROM devices ORDER BY prefix");
			expect(devices).toHaveLength(3);
			expect(receipts.map(({ number }) => number)).toEqual(
				devices.flatMap(({ prefix }) =>
					Array.from({ length: 6 }, (_, i) =>
						formatReceipt(`${prefix}`, i + 1),
					),
				),
			);
		});

		test("servers over one database sell in several shops at once, each with its own versions", async () => {
			const servers = await openServers(2);
			const [{ caller, store, rows }] = servers;
			await store.write((tx) => addBusiness(tx, "shop-2"));
			const callers = [caller, { ...caller, businessId: "shop-2" }];
			// Both shops' writes share transactions in both processes, in opposite orders.
			await Promise.all(
				Array.from({ length: 40 }, (_, i) =>
					servers[i % 2]?.shop.push(
						callers[Math.floor(i / 2) % 2 === i % 2 ? 0 : 1] as typeof caller,
						{ mutations: [sale(`s${i}`)] },
					),
				),
			);
			expect(
				await rows("SELECT business_id, head FROM businesses ORDER BY 1"),
			).toEqual([
				{ business_id: "shop-1", head: 22 },
				{ business_id: "shop-2", head: 21 },
			]);
		});

		test("servers over one database notify a till on one of a sale on another", async () => {
			const [here, there] = await openServers(2);
			const heads: number[] = [];
			const end = there?.shop.onHead(here.caller.businessId, (head) =>
				heads.push(head),
			);
			// Before the other server listens, the announcement is lost.
			let sold = 0;
			await expect
				.poll(
					async () => {
						sold += 1;
						await here.shop.push(here.caller, {
							mutations: [sale(`s${sold}`)],
						});
						return heads.length;
					},
					{ timeout: 20_000 },
				)
				.toBeGreaterThan(0);
			end?.();
			expect(heads.at(-1)).toBeGreaterThan(1);
		});

		test("servers over one database serve a till that moves from one to the other", async () => {
			const servers = await openServers(2);
			const [first, second] = servers;
			const line = testLine(first.shop, first.caller);
			const a = await openTestTill(first, { line });
			await a.till.sync();
			for (const server of [second, first, second]) {
				line.shop = (server as TestShop).shop;
				await a.sell({ milk: 1 });
				await first.shop.mutate(first.caller, productCreate, {
					id: `p-${a.line.pushes.length}`,
					name: "Bread",
					buyingPrice: 1,
					sellingPrice: 2,
				});
				await a.till.sync();
			}
			expect(await a.quantityOf("milk")).toBe(7);
			await expectInStep(first, a);
		});
	},
);
