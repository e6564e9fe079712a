import { extractTextItems, getDocumentProxy } from "unpdf";
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

test("names that are too long for one line of a shift report's PDF go below their label, on one page", async () => {
	const { server, asha } = await twoShops();
	const { businessId } = asha;
	const name = "Chege Baraka Chege Baraka Chege Baraka";
	const other = await server.addUser(name, { businessId, role: "MANAGER" });
	const body = { openingFloat: 500 };
	const opened = await server.ask("POST", "/api/shifts", { as: asha, body });
	const { shift } = opened.body as { shift: { id: string } };
	const path = `/api/shifts/${shift.id}`;
	await server.ask("POST", `${path}/close`, {
		...{ as: other, body: { counted: [{ method: "CASH", amount: 500 }] } },
	});
	const headers = { authorization: asha.bearer };
	for (const width of [58, 80]) {
		const url = `${path}?format=pdf&width=${width}`;
		const pdf = await fetch(new URL(url, server.url), { headers });
		const pages = await extractTextItems(
			await getDocumentProxy(await pdf.bytes()),
		);
		expect(pages.totalPages).toBe(1);
		const items = pages.items.flat().filter(({ str }) => str.trim() !== "");
		const said = items.map(({ str }) => str).join(" ");
		expect(said).toContain("Asha,");
		for (const word of name.split(" ")) expect(said).toContain(word);
		for (const one of items) {
			const overlapping = items.filter(
				(it) =>
					it !== one &&
					Math.abs(it.y - one.y) < one.fontSize / 2 &&
					it.x < one.x + one.width &&
					one.x < it.x + it.width,
			);
			expect(overlapping).toEqual([]);
		}
	}
});
