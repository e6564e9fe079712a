import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("where cashiers see no costs, REST and the CSV give them none, and everybody else all", async () => {
	const { server, asha } = await twoShops();
	const { businessId } = asha;
	const cashier = await server.addUser("Chege", {
		...{ businessId, role: "CASHIER" },
	});
	const item = { name: "Milk", quantity: 2, price: 50, cost: 40 };
	const body = { items: [{ ...item, productId: "milk" }] };
	await server.ask("POST", "/api/sales", { as: cashier, body });
	const paths = ["/api/sales", "/api/products/milk", "/api/dashboard"];
	const read = async (path: string, as: typeof cashier) => {
		const { text } = await server.ask("GET", path, { as });
		return text;
	};
	const known = await Promise.all(paths.map((path) => read(path, cashier)));
	for (const text of known)
		expect(text).toMatch(/"(cost|profit|buyingPrice)":\d/);
	await server.ask("PATCH", "/api/business", {
		...{ as: asha, body: { limits: [{ role: "CASHIER", seesProfit: false }] } },
	});
	for (const path of paths) {
		expect(await read(path, cashier)).toMatch(
			/"(cost|profit|buyingPrice)":null/,
		);
		expect(await read(path, cashier)).not.toMatch(
			/"(cost|profit|buyingPrice)":\d/,
		);
		expect(await read(path, asha)).toMatch(/"(cost|profit|buyingPrice)":\d/);
	}
	const made = await server.ask("POST", "/api/sales", { as: cashier, body });
	expect(made.body).toMatchObject({ total: 100, cost: null, profit: null });
	const csv = (as: typeof cashier) => read("/api/sales-history.csv", as);
	expect(await csv(asha)).toContain(",40,");
	expect(await csv(cashier)).not.toContain(",40,");
});
