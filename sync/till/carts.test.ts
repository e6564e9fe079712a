import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop } from "../testing/shop.ts";
import type { Cart } from "./cart.ts";
import { openCarts, takeOut } from "./carts.ts";

async function open() {
	const { shop, store, caller, rows } = await openTestShop();
	return {
		...{ shop, store, caller, rows },
		carts: openCarts(store, caller.businessId),
		others: openCarts(store, "another-shop"),
	};
}

const sold = {
	...{ id: "1", productId: null, name: "Milk", quantity: 2 },
	...{ price: 60, cost: 50, isService: false },
};
const milk = { ...sold, listPrice: 60 };
const cart = (id: string, more: Partial<Cart> = {}): Cart => ({
	...{ id, lines: [milk], note: "" },
	...more,
});
const heldAt = "2026-11-20T09:00:00.000Z";

test("a window's cart is stored unchanged and removed when it is empty", async () => {
	const { carts, others } = await open();
	expect(await carts.read("w1")).toBeUndefined();
	expect(await carts.keep("w1", cart("w1", { note: "Blue" }), false)).toBe(
		true,
	);
	expect(await carts.read("w1")).toEqual(cart("w1", { note: "Blue" }));
	expect(await carts.owners()).toEqual(["w1"]);
	expect([await others.read("w1"), await others.owners()]).toEqual([
		undefined,
		[],
	]);
	expect(await carts.keep("w1", null, true)).toBe(true);
	expect(await carts.owners()).toEqual([]);
});

test("a window whose cart was taken over no longer stores it", async () => {
	const { carts } = await open();
	await carts.keep("w1", cart("w1"), false);
	expect(await carts.takeOver("w2", "w1")).toEqual(cart("w2"));
	expect(await carts.takeOver("w3", "w1")).toBeUndefined();
	expect(await carts.keep("w1", cart("w1"), true)).toBe(false);
	await carts.hold("w1", cart("h1", { heldAt }));
	expect([await carts.owners(), await carts.held()]).toEqual([["w2"], []]);
});

test("only one of two windows resumes a held cart, and its own cart is held instead", async () => {
	const { carts } = await open();
	const held = cart("h1", { heldAt });
	await carts.keep("w1", cart("w1"), false);
	await carts.hold("w1", held);
	expect([await carts.owners(), await carts.held()]).toEqual([[], [held]]);
	const aside = cart("h2", { heldAt, note: "In its place" });
	const [first, second] = await Promise.all([
		carts.resume("w1", "h1", aside),
		carts.resume("w2", "h1", cart("h3", { heldAt, lines: [] })),
	]);
	expect([first, second]).toEqual([cart("w1"), undefined]);
	expect(await carts.held()).toEqual([aside]);
	expect(await carts.resume("w2", "h2", cart("h3", { lines: [] }))).toEqual(
		cart("w2", { note: "In its place" }),
	);
	expect(await carts.held()).toEqual([]);
});

test("a sale removes its cart in one transaction, and only one of two windows sells a cart", async () => {
	const { shop, caller, carts, rows } = await open();
	await carts.keep("w1", cart("w1"), false);
	const sell = (id: string) =>
		shop.mutate(
			caller,
			saleCreate,
			{ id, items: [sold] },
			{ alongside: (tx) => takeOut(tx, caller.businessId, "w1") },
		);
	const done = await Promise.allSettled([sell("s1"), sell("s2")]);
	expect(done).toMatchObject([
		{ status: "fulfilled" },
		{ status: "rejected", reason: { code: "cart_taken" } },
	]);
	expect(await rows("SELECT id FROM sales")).toEqual([{ id: "s1" }]);
	expect(await carts.read("w1")).toBeUndefined();
});
