import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import type { Store } from "./store.ts";

const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";
const count = "SELECT count(*) AS count FROM meta WHERE key LIKE 'k%'";

async function countKeys(store: Store): Promise<number> {
	const row = await store.read((tx) => tx.get(count));
	return Number(row?.count);
}

/**
 * Declares the tests that every store must pass.
 *
 * @param open opens the same database each time it is called within one test
 * @param options.hasOneConnection readers and writers wait for each other
 * @param options.isInMemory a closed store has lost its content
 */
export function testStore(
	open: () => Promise<Store>,
	{ hasOneConnection = false, isInMemory = false } = {},
): void {
	test(`a write is ${isInMemory ? "gone" : "kept"} after the store is opened again`, async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		await store.close();
		expect(await countKeys(await open())).toBe(isInMemory ? 0 : 1);
	});

	test("a write that throws leaves nothing", async () => {
		const store = await open();
		const fault = new Error("no");
		const write = store.write(async (tx) => {
			await tx.run(insert, "k1", "v");
			throw fault;
		});
		await expect(write).rejects.toBe(fault);
		expect(await countKeys(store)).toBe(0);
		await store.write((tx) => tx.run(insert, "k1", "v"));
		expect(await countKeys(store)).toBe(1);
	});

	test("a failing write does not undo the writes that share its commit", async () => {
		const store = await open();
		const writes = Array.from({ length: 40 }, (_, i) =>
			store.write(async (tx) => {
				await tx.run(insert, `k${i}`, "v");
				if (i % 4 === 3) throw new Error(`no ${i}`);
				return i;
			}),
		);
		const settled = await Promise.allSettled(writes);
		settled.forEach((result, i) => {
			expect(result).toMatchObject(
				i % 4 === 3
					? { status: "rejected", reason: { message: `no ${i}` } }
					: { status: "fulfilled", value: i },
			);
		});
		expect(await countKeys(store)).toBe(30);
	});

	test("a write runs in the async context of its caller", async () => {
		const store = await open();
		const asking = new AsyncLocalStorage<number>();
		const writes = Array.from({ length: 20 }, (_, i) =>
			asking.run(i, () => store.write(async () => asking.getStore())),
		);
		expect(await Promise.all(writes)).toEqual(writes.map((_, i) => i));
	});

	test("a savepoint that throws rolls back alone, however deep", async () => {
		const store = await open();
		await store.write(async (tx) => {
			await tx.run(insert, "k1", "v");
			const outer = tx.savepoint(async () => {
				await tx.run(insert, "k2", "v");
				const inner = tx.savepoint(async () => {
					await tx.run(insert, "k3", "v");
					throw new Error("inner");
				});
				await expect(inner).rejects.toThrow("inner");
				await tx.run(insert, "k4", "v");
			});
			await outer;
			const failed = tx.savepoint(async () => {
				await tx.run(insert, "k5", "v");
				throw new Error("outer");
			});
			await expect(failed).rejects.toThrow("outer");
		});
		const rows = await store.read((tx) =>
			tx.all("SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY key"),
		);
		expect(rows.map(({ key }) => key)).toEqual(["k1", "k2", "k4"]);
	});

	test("a reader sees one snapshot", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		const begun = Promise.withResolvers<void>();
		const read = store.read(async (tx) => {
			const before = await tx.get(count);
			begun.resolve();
			for (let i = 0; i < 500; i += 1) await tx.get("SELECT 1 AS one");
			const after = await tx.get(count);
			return [before?.count, after?.count].map(Number);
		});
		await begun.promise;
		await store.write((tx) => tx.run(insert, "k2", "v"));
		expect(await read).toEqual([1, 1]);
		expect(await countKeys(store)).toBe(2);
	});

	if (hasOneConnection)
		test("a read or write inside another one throws instead of waiting for ever", async () => {
			const store = await open();
			const calls = [
				() => store.read((tx) => tx.get(count)),
				() => store.write((tx) => tx.get(count)),
			];
			for (const inner of calls) {
				await expect(store.read(inner)).rejects.toThrow("under way");
				await expect(store.write(inner)).rejects.toThrow("under way");
			}
			expect(await countKeys(store)).toBe(0);
		});
	else
		test("a reader does not wait for a writer", async () => {
			const store = await open();
			const seen = await store.read(async (tx) => {
				const before = await tx.get(count);
				await store.write((writer) => writer.run(insert, "k1", "v"));
				const after = await tx.get(count);
				return [before?.count, after?.count].map(Number);
			});
			expect(seen).toEqual([0, 0]);
			expect(await countKeys(store)).toBe(1);
		});

	test("writes keep their order, and none is lost", async () => {
		const store = await open();
		const order: number[] = [];
		await Promise.all(
			Array.from({ length: 600 }, (_, i) =>
				store
					.write((tx) => tx.run(insert, `k${i}`, "v"))
					.then(() => order.push(i)),
			),
		);
		expect(order).toEqual(order.toSorted((a, b) => a - b));
		expect(await countKeys(store)).toBe(600);
	});

	test("closing waits for the writes in progress and refuses new ones", async () => {
		const store = await open();
		const writes = Array.from({ length: 20 }, (_, i) =>
			store.write((tx) => tx.run(insert, `k${i}`, "v")),
		);
		await store.close();
		await Promise.all(writes);
		expect(() => store.write((tx) => tx.run(insert, "k99", "v"))).toThrow(
			"closed",
		);
		expect(await countKeys(await open())).toBe(isInMemory ? 0 : 20);
	});

	test("run returns the number of changed rows", async () => {
		const store = await open();
		const changed = await store.write(async (tx) => [
			await tx.run(insert, "k1", "v"),
			await tx.run("UPDATE meta SET value = ? WHERE key LIKE ?", "w", "k%"),
			await tx.run("DELETE FROM meta WHERE key = ?", "none"),
		]);
		expect(changed).toEqual([1, 1, 0]);
	});

	test("a statement that fails in a savepoint leaves the writes around it", async () => {
		const store = await open();
		await store.write(async (tx) => {
			await tx.run(insert, "k1", "v");
			const failing = tx.savepoint(() => tx.run(insert, "k1", "again"));
			await expect(failing).rejects.toThrow();
			await tx.run(insert, "k2", "v");
		});
		expect(await countKeys(store)).toBe(2);
	});

	test("integers and their sums are read as numbers, and missing values as null", async () => {
		const store = await open();
		const most = 2 ** 53 - 1;
		const row = await store.write(async (tx) => {
			await tx.run(
				`INSERT INTO tally_products (business_id, product_id, quantity, revenue, profit) VALUES ('b', 'p', ?, ?, ?)`,
				most,
				-most,
				0,
			);
			return tx.get(
				"SELECT quantity, sum(revenue) AS lost, count(*) AS rows, max(product_id) AS last, min(NULL) AS none FROM tally_products GROUP BY quantity",
			);
		});
		expect(row).toEqual({
			quantity: most,
			lost: -most,
			rows: 1,
			last: "p",
			none: null,
		});
	});

	test("sums may exceed the range of 64-bit integers", async () => {
		const store = await open();
		const row = await store.write(async (tx) => {
			for (let i = 0; i < 2; i += 1)
				await tx.run(
					`INSERT INTO tally_products (business_id, product_id, quantity, revenue, profit) VALUES ('b', 'p', ? + 0.0, 0, 0)
         ON CONFLICT (business_id, product_id) DO UPDATE SET quantity = tally_products.quantity + excluded.quantity`,
					6e18,
				);
			return tx.get("SELECT quantity FROM tally_products");
		});
		expect(row).toEqual({ quantity: 1.2e19 });
	});

	test("a JSON list of texts is one parameter, whatever it contains", async () => {
		const store = await open();
		const keys = ['it\'s "1"', "?", "łódź 牛奶"];
		const rows = await store.write(async (tx) => {
			for (const key of keys) await tx.run(insert, key, "v");
			return tx.all(
				"SELECT key FROM meta WHERE value = ? AND key IN (SELECT value FROM json_each(?)) AND key <> ? ORDER BY key",
				"v",
				JSON.stringify([...keys, "none"]),
				"?",
			);
		});
		expect(rows).toEqual([{ key: keys[0] }, { key: keys[2] }]);
	});

	test("true is read as 1 and false as 0", async () => {
		const store = await open();
		const row = await store.read((tx) =>
			tx.get("SELECT 1 < 2 AS yes, 'a' = 'b' AS no"),
		);
		expect(row).toEqual({ yes: 1, no: 0 });
	});

	test("text is stored in full Unicode and sorted by bytes, and a question mark in it is no parameter", async () => {
		const store = await open();
		const names = ["Ä", "a", "B", "duka '?\" \\ $1", "😀", "Z", "\uFFFD", ""];
		await store.write(async (tx) => {
			for (const name of names)
				await tx.run(
					`INSERT INTO meta (key, value) VALUES ('k' || ?, '? it''s "?"')`,
					name,
				);
		});
		const rows = await store.read((tx) =>
			tx.all(
				`SELECT substr(key, 2) AS name, value AS "what?" FROM meta WHERE key LIKE 'k%' ORDER BY key`,
			),
		);
		const byBytes = names.toSorted((a, b) =>
			Buffer.compare(Buffer.from(a), Buffer.from(b)),
		);
		expect(rows).toEqual(
			byBytes.map((name) => ({ name, "what?": '? it\'s "?"' })),
		);
	});

	test("a search for a text with a NUL finds nothing", async () => {
		const store = await open();
		const rows = await store.read((tx) =>
			tx.all("SELECT value FROM meta WHERE key = ?", "epoch\0"),
		);
		expect(rows).toEqual([]);
	});

	test("a reader refuses to write", async () => {
		const store = await open();
		await expect(
			store.read((tx) => tx.run("DELETE FROM meta")),
		).rejects.toMatchObject({ code: "storage_failed" });
	});

	test("more readers than connections are answered", async () => {
		const store = await open();
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, i) =>
				store.read(async (tx) => {
					await new Promise((resolve) => setTimeout(resolve, 1));
					return tx.get("SELECT CAST(? AS BIGINT) AS i", i);
				}),
			),
		);
		expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => ({ i })));
	});

	test("a write sees the writes before it, even in the same commit", async () => {
		const store = await open();
		const counts = await Promise.all(
			Array.from({ length: 5 }, (_, i) =>
				store.write(async (tx) => {
					await tx.run(insert, `k${i}`, "v");
					return Number((await tx.get(count))?.count);
				}),
			),
		);
		expect(counts).toEqual([1, 2, 3, 4, 5]);
	});
}
