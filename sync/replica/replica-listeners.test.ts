import { expect, test, vi } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import {
	addCategories,
	madeAt,
	saleArgs,
	type TestTill,
	twoTills,
} from "../testing/shop.ts";
import type { RowKey } from "./rebase.ts";

/** Returns the rows of each commit and the number of head events since the last call. */
function listen({ till }: TestTill) {
	let rows: string[][] = [];
	let heads: number[] = [];
	const endings = [
		till.onRows((keys) => rows.push(namesOf(keys))),
		till.onHead(till.businessId, (head) => heads.push(head)),
	];
	return {
		take() {
			const taken = { rows, heads: heads.length };
			expect(heads).toEqual(heads.toSorted((a, b) => a - b));
			rows = [];
			heads = [];
			return taken;
		},
		end: () => {
			for (const end of endings) end();
		},
	};
}

const namesOf = (keys: readonly RowKey[]) =>
	[...new Set(keys.map(({ entity, id }) => `${entity} ${id}`))].sort();

const setPrice = (sellingPrice: number) => ({
	id: "milk",
	set: { sellingPrice },
});

test("listeners are notified of the rows that each commit touched, and of no others [REBASE-5]", async () => {
	const { server, a } = await twoTills();
	const { take, end } = listen(a);
	await a.till.sync();
	expect(take()).toEqual({ rows: [], heads: 0 });

	await a.till.mutate(a.caller, productUpdate, setPrice(90));
	expect(take()).toEqual({ rows: [["product milk"]], heads: 1 });
	const names = ["c-1", "c-2"].map((id) => ({
		mutation: categoryCreate,
		args: { id, name: id },
	}));
	await a.till.mutateAll(a.caller, names);
	expect(take()).toEqual({
		rows: [["category c-1", "category c-2"]],
		heads: 1,
	});
	const sale = saleArgs("s-1", [{ productId: "milk" }]);
	await a.till.take(a.caller, [
		{ id: "m-1", name: saleCreate.name, args: sale, at: madeAt },
	]);
	const sold = ["product milk", "sale s-1"];
	expect(take()).toEqual({ rows: [sold], heads: 1 });

	await a.till.sync();
	const all = ["category c-1", "category c-2", ...sold].sort();
	expect(take()).toEqual({ rows: [all], heads: 1 });
	await server.shop.mutate(server.caller, productUpdate, {
		id: "bread",
		set: { name: "Bread" },
	});
	await a.till.sync();
	expect(take()).toEqual({ rows: [["product bread"]], heads: 1 });

	end();
	await a.till.mutate(a.caller, productUpdate, setPrice(91));
	expect(take()).toEqual({ rows: [], heads: 0 });
});

test("listeners are notified of the rows that a rejection undoes and a retry redoes", async () => {
	const { server, a } = await twoTills();
	await a.till.mutate(a.caller, productUpdate, setPrice(90));
	server.caller.role = "CASHIER";
	const { take } = listen(a);
	await a.till.sync();
	expect(take()).toEqual({ rows: [["product milk"]], heads: 1 });
	const [refused] = await a.till.rejected();
	await a.till.retry(refused?.id as string);
	expect(take()).toEqual({ rows: [["product milk"]], heads: 1 });
});

test("listeners are notified of a rejection among mutations that stay pending", async () => {
	const { a } = await twoTills();
	a.line.caller = { ...a.caller, userId: "cashier", role: "CASHIER" };
	await a.till.mutate(a.caller, productUpdate, setPrice(90));
	const own = { ...a.caller, userId: "cashier" };
	await a.till.mutate(own, categoryCreate, { id: "c", name: "Drinks" });
	const { take } = listen(a);
	await a.till.sync();
	expect(await a.till.status()).toMatchObject({ pending: 1, rejected: 1 });
	expect(take()).toEqual({ rows: [["category c", "product milk"]], heads: 1 });
});

test("listeners are not called for mutations that stay pending", async () => {
	const { a } = await twoTills();
	a.line.caller = { ...a.caller, userId: "cashier", role: "CASHIER" };
	await a.till.mutate(a.caller, productUpdate, setPrice(90));
	const { take } = listen(a);
	await a.till.sync();
	expect(await a.till.status()).toMatchObject({ pending: 1, rejected: 0 });
	expect(take()).toEqual({ rows: [], heads: 0 });
});

test("listeners of a transaction that ran twice are notified of the rows of its second run", async () => {
	const { a } = await twoTills();
	const { take } = listen(a);
	const write = a.store.write.bind(a.store);
	vi.spyOn(a.store, "write").mockImplementation((fn) =>
		write(async (tx) => {
			const undone = tx.savepoint(async () => {
				await fn(tx);
				throw new Error("Undone");
			});
			await undone.catch(() => {});
			return fn(tx);
		}),
	);
	await a.till.mutate(a.caller, saleVoid, {
		id: "v-1",
		saleId: await a.sell({ milk: 1 }),
		reason: "Mistake",
	});
	vi.restoreAllMocks();
	const names = take().rows.flat();
	expect(names).toContain("refund v-1");
	const movements = await a.rows("SELECT id FROM stock_movements");
	const known = new Set(movements.map(({ id }) => `stockMovement ${id}`));
	for (const name of names)
		if (name.startsWith("stockMovement")) expect(known).toContain(name);
});

test("listeners are notified of rows stored before the connection broke", async () => {
	const { server, a } = await twoTills();
	await addCategories(server, 3);
	const { push } = a.line;
	a.line.push = (request) =>
		push(JSON.stringify({ ...JSON.parse(request), limit: 2 }));
	let trips = 0;
	a.line.lose = () => {
		trips += 1;
		return trips === 2 ? "request" : undefined;
	};
	const { take } = listen(a);
	await expect(a.till.sync()).rejects.toThrow("Request lost");
	const stored = await a.rows("SELECT id FROM categories ORDER BY id");
	expect(stored.length).toBeGreaterThan(0);
	const came = stored.map(({ id }) => `category ${id}`);
	expect(take()).toEqual({ rows: [came], heads: 1 });
	a.line.push = push;
	await a.till.sync();
	const all = ["category c-0", "category c-1", "category c-2"];
	const later = all.filter((name) => !came.includes(name));
	expect(take()).toEqual({ rows: [later], heads: 1 });
});
