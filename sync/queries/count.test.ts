import { expect, test } from "vitest";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../entities/count.ts";
import { twoTills } from "../testing/shop.ts";
import { countDifference, countGet, countList } from "./count.ts";
import { countLast } from "./last-counted.ts";

test("a count's differences come by value, and name what was sold before a look and known after it", async () => {
	const { server, a, b } = await twoTills();
	const { till, caller } = a;
	const id = "count";
	await till.mutate(caller, countOpen, { id, name: "Shelf" });
	// Sold, but not sent, before the look of the other till.
	await b.sell({ milk: 3 });
	server.env.pass(1_000);
	for (const [productId, counted] of [
		["milk", 7],
		["bread", 15],
	] as const) {
		const look = { id: `look ${productId}`, countId: id, productId };
		await till.mutate(caller, countLookAt, look);
		await till.mutate(caller, countEnter, { id: look.id, counted });
	}
	server.env.pass(1_000);
	await b.sell({ milk: 1, bread: 2 });
	for (const one of [b, a]) await one.till.sync();
	const found = () => till.ask(caller, countDifference, { id });
	expect(await found()).toMatchObject({
		count: { counted: 2, waiting: 2 },
		...{ missing: -180, over: 300 },
		lines: [
			{ productId: "bread", difference: 5, value: 300, late: 0 },
			{ productId: "milk", difference: -3, value: -180, late: -3 },
		],
	});
	const again = { id: "again", countId: id, productId: "milk" };
	await till.mutate(caller, countLookAt, again);
	await till.mutate(caller, countEnter, { id: "again", counted: 6 });
	expect((await found()).lines[1]).toMatchObject({
		...{ productId: "milk", difference: 0, late: 0, isCorrected: false },
	});
	await till.mutate(caller, countClose, { id });
	expect(await a.quantityOf("milk")).toBe(6);
	const closed = { id, counted: 2, waiting: 0 };
	expect(await till.ask(caller, countList, {})).toMatchObject({
		rows: [closed],
	});
	const { count, looks } = await till.ask(caller, countGet, { id });
	expect(count).toMatchObject(closed);
	expect(looks.map(({ id }) => id)).toEqual([
		...["again", "look milk", "look bread"],
	]);
	const productIds = ["milk", "sugar", "none"];
	const { products } = await till.ask(caller, countLast, { productIds });
	const [{ lookedAt } = { lookedAt: "" }] = looks;
	expect(products).toEqual([
		{ productId: "milk", countedAt: lookedAt },
		...products.slice(1).map((one) => ({ ...one, countedAt: null })),
	]);
	const cashier = { ...caller, role: "CASHIER" as const };
	await expect(
		till.ask(cashier, countDifference, { id }),
	).rejects.toMatchObject({ code: "forbidden" });
});
