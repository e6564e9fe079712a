import { expect, test } from "vitest";
import { saleCreate } from "./entities/sale.ts";
import { saleArgs, twoTills } from "./test-shop.ts";
import { findDifferences } from "./verify.ts";

test("a comparison names each row that differs, in what and where it is", async () => {
	const { server, a } = await twoTills();
	const gone = await a.sell({ milk: 1 });
	const altered = await a.sell({ bread: 1 });
	await a.till.sync();
	const unsent = "unsent";
	await a.till.mutate(a.caller, saleCreate, saleArgs(unsent));
	await a.store.write(async (tx) => {
		await tx.run("UPDATE sales SET deleted = 1 WHERE id = ?", gone);
		await tx.run("UPDATE sales SET paid = paid + 1 WHERE id = ?", altered);
		await tx.run(
			"UPDATE products SET name = 'Cream', sku = '1' WHERE id = 'milk'",
		);
	});
	const progress: number[] = [];
	const found = await findDifferences(
		a.store,
		"shop-1",
		a.line,
		(rows) => progress.push(rows),
		2,
	);
	const order = (one: { entity: string; id: string }) =>
		`${one.entity} ${one.id}`;
	found.sort((x, y) => (order(x) < order(y) ? -1 : 1));
	expect(found).toEqual(
		[
			{
				entity: "product",
				id: "milk",
				where: "both",
				fields: ["name", "sku"],
			},
			{
				entity: "sale",
				id: altered,
				where: "both",
				fields: ["paid", "change"],
			},
			{ entity: "sale", id: gone, where: "server", fields: [] },
			{ entity: "sale", id: unsent, where: "here", fields: [] },
		].sort((x, y) => (order(x) < order(y) ? -1 : 1)),
	);
	const { changes } = await server.shop.pull(server.caller, { limit: 1_000 });
	expect(progress.at(-1)).toBe(changes.length);
	expect(progress.length).toBeGreaterThan(3);
});

test("a comparison with another shop, or with a server that is restored meanwhile, is refused", async () => {
	const { a } = await twoTills();
	await expect(
		findDifferences(a.store, "shop-2", a.line),
	).rejects.toMatchObject({
		code: expect.stringMatching(/forbidden|wrong_business/),
	});
	const restored = {
		pull: async (cursor: string, limit: number) => ({
			...(await a.line.pull(cursor, limit)),
			reset: true as const,
		}),
	};
	await expect(
		findDifferences(a.store, "shop-1", restored),
	).rejects.toMatchObject({ code: "unreachable" });
});
