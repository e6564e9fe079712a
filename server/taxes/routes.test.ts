import { expect, test } from "vitest";
import { stopClocks } from "../testing/clocks.ts";
import { openTestServer } from "../testing/server.ts";

const vat = {
	...{ id: "B", name: "VAT", kind: "standard" },
	rates: [
		{ from: "2020-01-01", rate: 16, paidBy: { methods: ["CARD"], rate: 8 } },
	],
};

test("a posted sale is taxed by its products, whatever tax its body says, and the report has it as JSON and CSV", async () => {
	stopClocks();
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const ask = async (method: string, path: string, body?: unknown) =>
		(await server.ask(method, path, { as: asha, body })).body as never;
	const line = { name: "Soda", quantity: 2, price: 58, cost: 40 };
	const sell = (more: object = {}, paymentMethod = "CASH") =>
		ask("POST", "/api/sales", {
			paymentMethod,
			items: [{ ...line, ...more }],
			tax: 99,
			taxRate: 5,
		});

	// A shop without taxes answers as it ever did.
	const plain = await sell();
	expect(JSON.stringify(plain)).not.toContain("tax");
	expect(await ask("POST", "/api/taxes", vat)).toMatchObject(vat);
	expect(await ask("GET", "/api/taxes")).toMatchObject([vat]);
	expect(JSON.stringify(await sell())).not.toContain("tax");
	const product = { name: "Soda", sellingPrice: 58, taxClass: "B" };
	const { id: productId } = await ask("POST", "/api/products", product);
	const sold: { businessDay: string } = await sell({
		...{ productId, taxClass: "A", taxRate: 1, tax: 1 },
	});
	expect(sold).toMatchObject({
		total: 116,
		items: [{ taxClass: "B", taxRate: 16, tax: 16 }],
	});
	expect(sold).not.toHaveProperty("tax");
	expect(await sell({ productId }, "CARD")).toMatchObject({
		...{ total: 116, items: [{ taxClass: "B", taxRate: 8, tax: 8.59 }] },
	});
	const { businessDay } = sold;
	const days = `from=${businessDay}&to=${businessDay}`;
	expect(await ask("GET", `/api/reports/tax?${days}`)).toMatchObject({
		rows: [
			{ taxRate: 8, sold: { net: 107.41, tax: 8.59, gross: 116 } },
			{ taxClass: "B", sold: { net: 100, tax: 16, gross: 116 } },
			{ taxClass: null, taxRate: null, sold: { tax: 0, gross: 232 } },
		],
		total: { net: 439.41, tax: 24.59, gross: 464 },
	});
	const { text } = await server.ask("GET", `/api/reports/tax.csv?${days}`, {
		as: asha,
	});
	expect(text).toContain("B,VAT,16,100,16,116,0,0,0");
});
