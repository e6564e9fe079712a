import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a shift is opened, moved cash in, counted and reported over HTTP", async () => {
	const { server, asha } = await twoShops();
	const ask = async (method: string, path: string, body?: object) =>
		(await server.ask(method, path, { as: asha, body })).body as never;
	expect(await ask("GET", "/api/shifts/current")).toEqual({ shift: null });
	const opened: { shift: { id: string; businessDay: string } } = await ask(
		"POST",
		"/api/shifts",
		{
			openingFloat: 500,
		},
	);
	const path = `/api/shifts/${opened.shift.id}`;
	await ask("POST", "/api/sales", {
		items: [{ name: "Rice", quantity: 1, price: 749, cost: 600 }],
		paid: 1_000,
	});
	const expense = { amount: -149, category: "expense", reason: "Charcoal" };
	await ask("POST", "/api/cash-movements", expense);
	await ask("POST", "/api/drawer-openings", { reason: "Change for a note" });
	expect(await ask("GET", `${path}/sums`)).toMatchObject({
		figures: { facts: 3, drawerOpenings: 1 },
		expected: [{ method: "CASH", amount: 1_100 }],
	});
	const closed = await ask("POST", `${path}/close`, {
		counted: [{ method: "CASH", amount: 1_090 }],
		leftInDrawer: 500,
	});
	expect(closed).toMatchObject({
		count: {
			compared: [{ method: "CASH", expected: 1_100, counted: 1_090 }],
			leftInDrawer: 500,
		},
		late: [],
	});
	expect(await ask("GET", path)).toEqual(closed);
	const paper = await server.ask("GET", `${path}?format=text&width=58`, {
		as: asha,
	});
	expect(paper.text).toContain("Shift report (Z)");
	expect(await ask("GET", "/api/shifts")).toMatchObject([
		{ id: opened.shift.id, drawerId: "server" },
	]);
	const { businessDay } = opened.shift;
	const day = `/api/shift-days/${businessDay}`;
	expect(await ask("GET", `${day}?drawerId=server`)).toMatchObject({
		shifts: [{ id: opened.shift.id }],
		compared: [{ method: "CASH", expected: 1_100, counted: 1_090 }],
		difference: -10,
	});
	const dayPaper = await server.ask("GET", `${day}?format=text`, { as: asha });
	expect(dayPaper.text).toMatch(/Day report .*\n.*All tills/);
	const file = `/api/shift-days.csv?from=${businessDay}&to=${businessDay}`;
	expect((await server.ask("GET", file, { as: asha })).text).toContain(
		`${businessDay},,1,0,0,CASH,1100,1090,-10,0`,
	);
	expect(await ask("GET", "/api/inbox")).toMatchObject({
		items: [{ cause: "drawer_differs", amount: -10, saleId: null }],
	});
});
