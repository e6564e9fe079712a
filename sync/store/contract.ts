import { expect, test } from "vitest";
import type { Store } from "./store.ts";

const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";
const count = "SELECT count(*) AS count FROM meta WHERE key LIKE 'k%'";

async function countKeys(store: Store): Promise<number> {
	const row = await store.read((tx) => tx.get(count));
	return Number(row?.count);
}

/**
 * What every store must do.
 *
 * @param open opens the same database each time it is called within one test
 */
export function testStore(open: () => Promise<Store>): void {
	test("what was written is there after it is opened again", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		await store.close();
		expect(await countKeys(await open())).toBe(1);
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

	test("a failing write takes none of those beside it along", async () => {
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

	test("a savepoint that throws is undone alone, however deep", async () => {
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

	test("a reader sees one moment, and waits for no writer", async () => {
		const store = await open();
		await store.write((tx) => tx.run(insert, "k1", "v"));
		const seen = await store.read(async (tx) => {
			const before = await tx.get(count);
			await store.write((writer) => writer.run(insert, "k2", "v"));
			const after = await tx.get(count);
			return [before?.count, after?.count].map(Number);
		});
		expect(seen).toEqual([1, 1]);
		expect(await countKeys(store)).toBe(2);
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

	test("closing waits for the writes that were begun, and refuses others", async () => {
		const store = await open();
		const writes = Array.from({ length: 20 }, (_, i) =>
			store.write((tx) => tx.run(insert, `k${i}`, "v")),
		);
		await store.close();
		await Promise.all(writes);
		expect(() => store.write((tx) => tx.run(insert, "k99", "v"))).toThrow(
			"closed",
		);
		expect(await countKeys(await open())).toBe(20);
	});

	test("run tells how many rows it changed", async () => {
		const store = await open();
		const changed = await store.write(async (tx) => [
			await tx.run(insert, "k1", "v"),
			await tx.run("UPDATE meta SET value = ? WHERE key LIKE ?", "w", "k%"),
			await tx.run("DELETE FROM meta WHERE key = ?", "none"),
		]);
		expect(changed).toEqual([1, 1, 0]);
	});
}
