import { expect, test } from "vitest";
import { openTestShop } from "../testing/shop.ts";
import { nameNumber, shopNumber } from "./names.ts";

test("a shop and each of its texts keep one number, and another shop's texts have their own", async () => {
	const { store } = await openTestShop();
	await store.write(async (tx) => {
		const [a, b] = [await shopNumber(tx, "a"), await shopNumber(tx, "b")];
		expect(await shopNumber(tx, "a")).toBe(a);
		expect(b).not.toBe(a);
		const milk = await nameNumber(tx, a, "Milk");
		expect(await nameNumber(tx, a, "Milk")).toBe(milk);
		expect(await nameNumber(tx, a, "milk")).not.toBe(milk);
		await nameNumber(tx, b, "Bread");
		expect(
			await tx.all("SELECT shop, text FROM names ORDER BY shop, n"),
		).toEqual([
			{ shop: a, text: "Milk" },
			{ shop: a, text: "milk" },
			{ shop: b, text: "Bread" },
		]);
	});
});

test("a number that was rolled back is forgotten, so that no two texts share it", async () => {
	const { store } = await openTestShop();
	const undone = new Error("Undone");
	const numbers = await store.write(async (tx) => {
		const shop = await shopNumber(tx, "a");
		await tx
			.savepoint(async () => {
				await nameNumber(tx, shop, "Milk");
				throw undone;
			})
			.catch(() => {});
		return [
			await nameNumber(tx, shop, "Bread"),
			await nameNumber(tx, shop, "Milk"),
		];
	});
	expect(new Set(numbers).size).toBe(2);

	await store
		.write(async (tx) => {
			await nameNumber(tx, await shopNumber(tx, "b"), "Tea");
			throw undone;
		})
		.catch(() => {});
	await store.write(async (tx) => {
		await nameNumber(tx, await shopNumber(tx, "c"), "Rice");
		await nameNumber(tx, await shopNumber(tx, "b"), "Tea");
	});
	const rows = await store.read((tx) =>
		tx.all(
			"SELECT business_id, text FROM names JOIN shops ON shops.n = names.shop ORDER BY business_id, names.n",
		),
	);
	expect(rows.map(({ business_id, text }) => [business_id, text])).toEqual([
		["a", "Bread"],
		["a", "Milk"],
		["b", "Tea"],
		["c", "Rice"],
	]);
});
