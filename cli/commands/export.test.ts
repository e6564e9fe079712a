import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import {
	type Days,
	type ExportRow,
	exportTables,
} from "../../server/operations/export/tables.ts";
import { openTestServer } from "../../server/testing/server.ts";
import { businessUpdate } from "../../sync/entities/business.ts";
import { customerCreate, customerMerge } from "../../sync/entities/customer.ts";
import { paymentCollect } from "../../sync/entities/payment.ts";
import { productCreate, productDelete } from "../../sync/entities/product.ts";
import { saleRefund } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand, startCommand } from "../testing/command.ts";

const manySales = 1_200;

/** A shop in Nairobi with sales before and after its midnight, and a second shop whose data must never appear. */
async function open() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	const { shop } = server;
	await shop.mutate(asha.caller, productCreate, {
		id: "tea",
		name: '=HYPERLINK("http://x")',
		sku: "0017",
		buyingPrice: 20.5,
		sellingPrice: 30,
		quantity: -2.5,
	});
	await shop.mutate(asha.caller, productCreate, {
		id: "old",
		name: "Old",
		buyingPrice: null,
		sellingPrice: null,
	});
	await shop.mutate(asha.caller, productDelete, { id: "old" });
	await shop.mutate(baraka.caller, productCreate, {
		id: "canary",
		name: "Canary",
		buyingPrice: 1,
		sellingPrice: 2,
		quantity: 7,
	});
	const sellAt = (id: string, at: string) => ({
		id: newId(shop.env),
		name: saleCreate.name,
		at,
		args: {
			id,
			items: [
				{
					id: "1",
					name: "Tea",
					quantity: 2,
					price: 30,
					cost: 20.5,
					productId: "tea",
				},
			],
			notes: id === "late" ? "-1+1" : null,
			receiptNumber: id,
			// The till's clock and the shop's zone are three hours ahead of UTC.
			businessDay: new Date(Date.parse(at) + 3 * 3_600_000)
				.toISOString()
				.slice(0, 10),
		},
	});
	await shop.push(asha.caller, {
		mutations: [
			sellAt("early", "2026-03-01T20:59:00.000Z"),
			sellAt("late", "2026-03-01T21:01:00.000Z"),
		],
	});
	await shop.mutate(asha.caller, saleRefund, {
		id: "back",
		saleId: "late",
		reason: "Cold",
		restock: true,
		items: [{ id: "1", itemId: "1", quantity: 1 }],
	});
	const env = { DATA_DIR: server.settings.dataDir };
	const business = ["--business", asha.businessId];
	const start = (...args: string[]) =>
		startCommand(["export", ...args, ...business], env);
	async function run(...args: string[]) {
		const ended = await runCommand(["export", ...args, ...business], env);
		expect(ended.out).not.toContain("Canary");
		return ended;
	}
	async function sellMany() {
		for (let from = 0; from < manySales; from += 400)
			await shop.push(asha.caller, {
				mutations: Array.from({ length: 400 }, (_, i) =>
					// Ten sales share a moment, so that pages end between sales of the same moment.
					sellAt(
						`n-${from + i}`,
						new Date(
							Date.UTC(2026, 0, 1) + Math.floor((from + i) / 10) * 60_000,
						).toISOString(),
					),
				),
			});
	}
	return { server, asha, run, start, sellMany };
}

const readCsv = (out: string): Record<string, string>[] =>
	parse(out, { columns: true });

oneIn(3)(
	"export tax writes each month by class and rate, and what came back in its own",
	async () => {
		const { server, asha, run } = await open();
		const taxed = { taxClass: "B", taxRate: 16 };
		const line = { id: "1", name: "Soda", price: 116, cost: 1, ...taxed };
		const at = "2026-01-31T09:00:00.000Z";
		const items = [{ ...line, quantity: 3 }];
		const args = { id: "soda", items, businessDay: at.slice(0, 10) };
		await server.shop.push(asha.caller, {
			mutations: [{ id: "m", name: saleCreate.name, at, args }],
		});
		const { out } = await run(
			"tax",
			"--from",
			"2026-01-15",
			"--to",
			"2026-03-15",
		);
		const none = { taxClass: "", taxRate: "" };
		expect(readCsv(out)).toMatchObject([
			{
				...{ from: "2026-01-15", to: "2026-01-31" },
				...{ taxClass: "B", taxRate: "16", soldNet: "300" },
				...{ soldTax: "48", soldGross: "348", refundedGross: "0" },
			},
			{
				...{ from: "2026-03-01", to: "2026-03-15" },
				...{ ...none, soldTax: "0", soldGross: "120" },
			},
		]);
		const [sold] = readCsv((await run("items", "--to", "2026-01-31")).out);
		expect(sold).toMatchObject({ taxClass: "B", taxRate: "16", tax: "48" });
	},
);

test("export writes each table as CSV, by the shop's business days and with formulas escaped", async () => {
	const { server, asha, run } = await open();
	const sales = await run("sales");
	expect(sales).toMatchObject({ status: 0, err: "" });
	expect(readCsv(sales.out)).toMatchObject([
		{
			id: "late",
			businessDay: "2026-03-02",
			localTime: "2026-03-02 00:01",
			total: "60",
			cost: "41",
			profit: "19",
			refunded: "30",
			status: "partly refunded",
			notes: "'-1+1",
		},
		{ id: "early", businessDay: "2026-03-01", refunded: "0", status: "sold" },
	]);
	expect(readCsv((await run("stock")).out)).toMatchObject([
		{
			name: `'=HYPERLINK("http://x")`,
			quantity: "-5.5",
			stockValue: "-112.75",
			isLow: "1",
		},
	]);
	const days = ["--from", "2026-03-02", "--to", "2026-03-02"];
	expect(readCsv((await run("items", ...days)).out)).toMatchObject([
		{ saleId: "late", sku: "0017", quantity: "2", lineTotal: "60" },
	]);

	async function ofDays(table: "sales" | "movements", days: Days) {
		const found: ExportRow[] = [];
		for await (const rows of exportTables[table].read(
			{ shop: server.shop, businessId: asha.businessId },
			days,
		))
			found.push(...rows);
		return found;
	}
	const first = { to: "2026-03-01" };
	const second = { from: "2026-03-02", to: "2026-03-02" };
	expect(await ofDays("sales", first)).toMatchObject([{ id: "early" }]);
	expect(await ofDays("movements", second)).toMatchObject([
		{ saleId: "late", delta: -2, reason: "sale" },
	]);
	expect(await ofDays("movements", {})).toHaveLength(4);
});

test("export movements dates each movement by its sale or refund, even after the shop's zone or cut-off hour changes", async () => {
	const { server, asha, run } = await open();
	const { shop } = server;
	const takeBackAt = (id: string, at: string, businessDay: string) => ({
		id: newId(shop.env),
		name: saleRefund.name,
		at,
		args: {
			...{ id, saleId: "late", businessDay, reason: "Cold", restock: true },
			items: [{ id: "1", itemId: "1", quantity: 0.25 }],
		},
	});
	await shop.push(asha.caller, {
		mutations: [
			takeBackAt("r1", "2026-03-02T20:59:00.000Z", "2026-03-02"),
			takeBackAt("r2", "2026-03-02T21:01:00.000Z", "2026-03-03"),
		],
	});
	await shop.mutate(asha.caller, productCreate, {
		...{ id: "new", name: "New", buyingPrice: null, sellingPrice: null },
		quantity: 3,
	});
	await shop.store.write((tx) =>
		tx.run(
			"UPDATE stock_movements SET created_at = '2026-03-01T23:00:00.000Z' WHERE product_id = 'new'",
		),
	);
	async function ofDays(...days: string[]) {
		const { out } = await run("movements", ...days);
		return readCsv(out)
			.filter(({ createdAt = "" }) => createdAt < "2026-03-03")
			.map(({ businessDay, reason }) => `${businessDay} ${reason}`);
	}
	const moved = [
		"2026-03-01 sale",
		"2026-03-02 sale",
		"2026-03-02 refund",
		"2026-03-03 refund",
	];
	expect(await ofDays()).toEqual([...moved, "2026-03-02 opening"]);
	for (const set of [{ cutOffHour: 4 }, { timeZone: "America/New_York" }]) {
		await shop.mutate(asha.caller, businessUpdate, { set });
		// A movement without a sale takes its day from the shop's current cut-off hour.
		const all = [...moved, "2026-03-01 opening"];
		expect(await ofDays()).toEqual(all);
		for (const day of ["2026-03-01", "2026-03-02", "2026-03-03"])
			expect(await ofDays("--from", day, "--to", day)).toEqual(
				all.filter((row) => row.startsWith(day)),
			);
	}
	const sales = readCsv((await run("sales")).out);
	expect(sales.map(({ businessDay }) => businessDay)).toEqual([
		"2026-03-02",
		"2026-03-01",
	]);
});

test("export payments has every amount once, so that sums by method are what was taken, and export customers what each owes", async () => {
	const { server, asha, run } = await open();
	const { shop } = server;
	const { caller } = asha;
	for (const id of ["zawadi", "double"])
		await shop.mutate(caller, customerCreate, { id, name: `=${id}` });
	const items = [{ id: "1", name: "Rice", quantity: 1, price: 900, cost: 0 }];
	const sold = { items, customerId: "double" };
	const tenders = [
		{ method: "CASH", amount: 500 },
		{ method: "MPESA", amount: 100, code: "TIA9B1U5VV" },
	];
	await shop.mutate(caller, saleCreate, { id: "lent", ...sold, tenders });
	await shop.mutate(caller, paymentCollect, {
		...{ id: "collected", customerId: "zawadi" },
		tenders: [{ method: "CASH", amount: 250 }],
	});
	await shop.mutate(caller, customerMerge, {
		...{ fromId: "double", intoId: "zawadi" },
	});
	const payments = readCsv((await run("payments")).out);
	expect(payments).toHaveLength(3 + 3 + 2);
	const sums: Record<string, number> = {};
	for (const { method = "", amount } of payments)
		sums[method] = (sums[method] ?? 0) + Number(amount);
	// Two sales of 60 less a refund of 30, 500 of a sale, 250 of its debt.
	expect(sums).toEqual({ CASH: 90 + 500 + 250, MPESA: 100, CREDIT: 50 });
	expect(payments).toMatchObject(
		expect.arrayContaining([
			expect.objectContaining({
				...{ kind: "sale", receiptNumber: "late", customerId: "" },
				...{ businessDay: "2026-03-02", localTime: "2026-03-02 00:01" },
			}),
			expect.objectContaining({
				...{ code: "TIA9B1U5VV", factId: "lent", customerId: "zawadi" },
				customerName: "'=zawadi",
			}),
		]),
	);
	const day = ["--from", "2026-03-02", "--to", "2026-03-02"];
	expect(readCsv((await run("payments", ...day)).out)).toMatchObject([
		{ factId: "late", amount: "60" },
	]);
	expect(readCsv((await run("customers")).out)).toMatchObject([
		{ id: "zawadi", name: "'=zawadi", balance: "50" },
	]);
	const { out } = await run("customer", "double");
	expect(JSON.parse(out)).toMatchObject({
		customer: { id: "zawadi", balance: 50 },
		merged: [{ id: "double" }],
		sales: [{ id: "lent" }],
	});
	expect(await run("customer", "none")).toMatchObject({ status: 1 });
});

test("importing the output of export products changes nothing", async () => {
	const { server, asha, run } = await open();
	for (const [id, more] of [
		["bread-1", { sellingPrice: 50, quantity: 7 }],
		["bread-2", { sku: "BR-2", sellingPrice: 65, quantity: 20 }],
	] as const)
		await server.shop.mutate(asha.caller, productCreate, {
			...{ id, name: "Bread", buyingPrice: null },
			...more,
		});
	const before = await server.shop.digest(asha.caller);
	const file = join(testDir(), "products.csv");
	expect(await run("products", "--out", file)).toEqual({
		status: 0,
		out: "",
		err: "",
	});
	expect(readCsv(readFileSync(file, "utf8"))).toMatchObject([
		{ sku: "0017", quantity: "-5.5", isActive: "1", isService: "0" },
		{ id: "bread-1", quantity: "7" },
		{ id: "bread-2", quantity: "20" },
		{ name: "Old", buyingPrice: "", isActive: "0" },
	]);
	const { body } = await server.ask("POST", "/api/imports/products", {
		as: asha,
		body: readFileSync(file),
	});
	expect(body).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
	expect(await server.shop.digest(asha.caller)).toEqual(before);
});

test("export writes every row once as JSON lines and as XLSX, at any page size", async () => {
	const { run, sellMany } = await open();
	await sellMany();
	const { out } = await run("sales", "--json");
	const rows = out
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(new Set(rows.map(({ id }) => id)).size).toBe(manySales + 2);
	expect(rows).toHaveLength(manySales + 2);
	expect(rows[0]).toMatchObject({ id: "late", total: 60, notes: "-1+1" });
	const moved = readCsv((await run("movements")).out);
	expect(new Set(moved.map(({ id }) => id)).size).toBe(manySales + 4);

	const file = join(testDir(), "items.xlsx");
	expect((await run("items", "--format", "xlsx", "--out", file)).status).toBe(
		0,
	);
	const { sheets } = await readXlsx(readFileSync(file));
	const [header, first] = sheets[0]?.rows ?? [];
	expect(sheets[0]?.rows).toHaveLength(manySales + 3);
	const cell = (name: string) => first?.[header?.indexOf(name) ?? -1];
	expect([cell("sku"), cell("price"), cell("saleId")]).toEqual([
		"0017",
		30,
		"late",
	]);
});

oneIn(3)("export exits silently when its reader closes the pipe", async () => {
	const { start, sellMany } = await open();
	await sellMany();
	// More than fits between the two, so that it waits for its reader.
	const child = start("items", "--json");
	const ended = once(child, "exit");
	const err = text(child.stderr);
	await once(child.stdout, "data");
	child.stdout.destroy();
	await ended;
	expect({ code: child.exitCode, err: await err }).toEqual({
		// The status of a program that SIGPIPE killed.
		code: 141,
		err: "",
	});
});

test("a failed export explains itself in one line and leaves no file behind", async () => {
	const { run } = await open();
	const dir = testDir();
	const failing = [
		[["sales", "--from", "yesterday"], 2, "a day like 2026-11-20"],
		[
			["sales", "--from", "2026-03-02", "--to", "2026-03-01"],
			2,
			"--from 2026-03-02 is after --to 2026-03-01",
		],
		[["sales", "--out", dir], 1, "Can't write"],
	] as const;
	for (const [args, expected, message] of failing) {
		const { status, err } = await run(...args);
		expect(status).toBe(expected);
		expect(err.split("\n")[0]).toContain(message);
		expect(err).not.toMatch(/^ +at /m);
	}
	expect(readdirSync(dir)).toEqual([]);
});
