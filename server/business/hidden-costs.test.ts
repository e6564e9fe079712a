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

test("a cashier without costs pages through a report to its end, in no order of costs", async () => {
	const { server, asha } = await twoShops();
	const { businessId } = asha;
	const cashier = await server.addUser("Chege", {
		...{ businessId, role: "CASHIER" },
	});
	for (const productId of ["a", "b", "c"]) {
		const item = { name: productId, quantity: 1, price: 50, cost: 40 };
		const body = { items: [{ ...item, productId }] };
		await server.ask("POST", "/api/sales", { as: asha, body });
	}
	await server.ask("PATCH", "/api/business", {
		...{ as: asha, body: { limits: [{ role: "CASHIER", seesProfit: false }] } },
	});
	const { body: board } = await server.ask("GET", "/api/dashboard", {
		as: asha,
	});
	const { day } = board as { day: string };
	const read = (more: Record<string, string>, as = cashier) => {
		const query = new URLSearchParams({ from: day, to: day, ...more });
		return server.ask("GET", `/api/reports/products?${query}`, { as });
	};
	const found: string[] = [];
	let cursor: string | null = "";
	for (let page = 0; page < 3 && cursor !== null; page += 1) {
		const { body } = await read({ limit: "1", cursor });
		const { rows, nextCursor } = body as {
			rows: { productId: string }[];
			nextCursor: string | null;
		};
		found.push(...rows.map(({ productId }) => productId));
		cursor = nextCursor;
	}
	expect({ found, cursor }).toEqual({ found: ["c", "b", "a"], cursor: null });
	for (const sort of ["profit", "cost"]) {
		expect(await read({ sort })).toMatchObject({ status: 403 });
		expect(await read({ sort }, asha)).toMatchObject({ status: 200 });
	}
});
