import { expect, test } from "vitest";
import { cashMove } from "../../sync/entities/cash.ts";
import { customerCreate } from "../../sync/entities/customer.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { shiftClose, shiftOpen } from "../../sync/entities/shift.ts";
import { shiftList } from "../../sync/queries/shift.ts";
import { saleArgs } from "../../sync/testing/shop.ts";
import { stopClocks } from "../testing/clocks.ts";
import { twoShops } from "../testing/server.ts";

test("a day with a split sale, an expense and a count is posted line by line", async () => {
	stopClocks();
	const { server, asha } = await twoShops();
	const { shop } = server;
	const { caller } = asha;
	await shop.mutate(caller, shiftOpen, { id: "shift", openingFloat: 500 });
	const [item] = saleArgs("s").items;
	await shop.mutate(caller, customerCreate, {
		...{ id: "zawadi", name: "Zawadi", phone: null },
	});
	await shop.mutate(caller, saleCreate, {
		id: "s",
		items: [{ ...item, price: 116, cost: 60, taxClass: "B", taxRate: 16 }],
		customerId: "zawadi",
		tenders: [
			{ method: "CASH", amount: 60 },
			{ method: "MPESA", amount: 40 },
		],
	} as never);
	await shop.mutate(caller, cashMove, {
		...{ id: "m", amount: -20, category: "expense", reason: "Charcoal" },
	});
	await shop.mutate(caller, shiftClose, {
		...{ id: "z", shiftId: "shift" },
		counted: [{ method: "CASH", amount: 535 }],
	});
	const [{ businessDay } = { businessDay: "" }] = (
		await shop.ask(caller, shiftList, {})
	).rows;
	const path = `/api/reports/accounting.csv?from=${businessDay}&to=${businessDay}`;
	const { text } = await server.ask("GET", path, { as: asha });
	expect(text.replaceAll(businessDay, "DAY").trim().split("\r\n")).toEqual([
		"journalNo,journalDate,accountCode,accountName,debits,credits,description,taxClass,taxRate,currency",
		"DAY,DAY,1010,Cash outside drawers,35,,Cash outside drawers,,,KES",
		"DAY,DAY,1040,M-PESA,40,,M-PESA,,,KES",
		"DAY,DAY,1100,Customers,16,,Customers,,,KES",
		"DAY,DAY,1200,Stock,,60,Stock,,,KES",
		'DAY,DAY,2100,Output tax,,16,"Output tax, B 16 %",B,16,KES',
		'DAY,DAY,4000,Sales,,100,"Sales, B 16 %",B,16,KES',
		"DAY,DAY,5000,Cost of goods sold,60,,Cost of goods sold,,,KES",
		"DAY,DAY,6000,Expenses,20,,Expenses,,,KES",
		"DAY,DAY,6920,Cash over and short,5,,Cash over and short,,,KES",
	]);
	const rename = (accountCodes: object[]) =>
		server.ask("PATCH", "/api/business", { as: asha, body: { accountCodes } });
	// As the books call them; two accounts may be one there.
	const renamed = await rename([
		{ account: "4000", code: "700" },
		{ account: "1040", code: "52-1" },
		{ account: "1100", code: "52-1" },
	]);
	expect(renamed.status).toBe(200);
	const again = await server.ask("GET", path, { as: asha });
	expect(
		again.text.match(/(?<=DAY|\d\d,)[^,]+,(Sales|M-PESA|Customers)/g),
	).toEqual(["52-1,M-PESA", "52-1,Customers", "700,Sales"]);
	for (const wrong of [
		[{ account: "4711", code: "1" }],
		[{ account: "4000", code: " " }],
		[
			{ account: "4000", code: "1" },
			{ account: "4000", code: "2" },
		],
	])
		expect((await rename(wrong)).status).toBe(400);
});

test("files of days reach to the last day that there is", async () => {
	const { server, asha } = await twoShops();
	for (const path of ["shift-days.csv", "reports/accounting.csv"]) {
		const { status, text } = await server.ask(
			...(["GET", `/api/${path}?from=9999-12-30&to=9999-12-31`] as const),
			{ as: asha },
		);
		expect([path, status, text.split("\r\n")]).toEqual([
			...[path, 200, [expect.any(String), ""]],
		]);
	}
});
