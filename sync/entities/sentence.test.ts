import { expect, test } from "vitest";
import { saleRefund } from "./refund.ts";
import { saleCreate } from "./sale.ts";
import { fieldsOf, listOf } from "./sentence.ts";

test("a sentence names five items and says how many more there are", () => {
	expect(listOf(["1 x Tea", "2 x Milk"])).toBe("1 x Tea, 2 x Milk");
	const letters = ["a", "b", "c", "d", "e"];
	expect(listOf(letters)).toBe("a, b, c, d, e");
	expect(listOf([...letters, "f", "g"])).toBe("a, b, c, d, e and 2 more");
	expect(fieldsOf({ name: "Tea", sku: null })).toBe('name = "Tea", sku = null');
});

test("a sentence counts lines, and names discounts and the default payment method", () => {
	const [taken] = saleRefund.examples;
	expect(saleRefund.sentence(taken)).toBe("Refunded 1 line of sale sale: Flat");
	const items = [...taken.items, { id: "2", itemId: "2", quantity: 1 }];
	expect(saleRefund.sentence({ ...taken, items })).toMatch(/^Refunded 2 lines/);

	const [{ items: sold }] = saleCreate.examples;
	const sale = { id: "s", items: sold.slice(1) };
	const words = "Sold 1 x Bag at 5, paid by";
	expect(saleCreate.sentence(sale)).toBe(`${words} CASH`);
	expect(saleCreate.sentence({ ...sale, paymentMethod: "MPESA" })).toBe(
		`${words} MPESA`,
	);
	const given = (listPrice: number) =>
		saleCreate.sentence({
			...sale,
			items: sale.items.map((line) => ({ ...line, listPrice })),
		});
	expect(given(8)).toBe("Sold 1 x Bag at 5 instead of 8, paid by CASH");
	expect(given(5)).toBe(`${words} CASH`);
});
