import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { writeStatementPdf } from "../../server/statements/testing/statement-pdf.ts";
import { openTestServer } from "../../server/testing/server.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";

async function open() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const run = (lines: string[], ...args: string[]) => {
		const file = join(testDir(), "products.csv");
		writeFileSync(file, lines.join("\n"));
		return runCommand(["import", "products", file, ...args], {
			DATA_DIR: server.settings.dataDir,
		});
	};
	const names = async () => {
		const { body } = await server.ask("GET", "/api/products", { as: asha });
		return (body as { name: string; sku: string }[]).map(
			({ name, sku }) => `${sku} ${name}`,
		);
	};
	return { run, names };
}

test("import products recognizes another system's columns and takes a mapping for others", async () => {
	const { run, names } = await open();
	const shopify = [
		"Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode",
		"tee,Tee,Size,S,TEE-S,1200,111",
		"tee,,,M,TEE-M,cheap,112",
		"tee,,,L,TEE-L,1300,113",
	];
	const dry = await run(shopify, "--dry-run", "--json");
	expect(dry.status).toBe(1);
	expect(JSON.parse(dry.out)).toEqual({
		dryRun: true,
		created: 2,
		updated: 0,
		unchanged: 0,
		refused: [
			{
				line: 3,
				reason: expect.stringContaining("cheap"),
				code: "not_a_number",
				field: "sellingPrice",
				value: "cheap",
			},
		],
		ignored: ["Option1 Name", "Variant SKU"],
		notes: [{ code: "second_code", lines: [2, 4] }],
	});
	expect(await names()).toEqual([]);

	const mapped = await run(shopify, "--map", "sku=Variant Barcode");
	expect(mapped).toMatchObject({
		status: 1,
		out: "created 2, updated 0, unchanged 0, refused 1\n",
	});
	expect(mapped.err).toContain("Recognized a Shopify file\n");
	expect(mapped.err).toMatch(/^line 3: sellingPrice: .*cheap/m);
	expect(await names()).toEqual(["113 Tee, L", "111 Tee, S"]);

	const woo = [
		'"Art. No, old",Artikel,"GTIN, UPC, EAN, or ISBN",VK',
		"7,Milch,222,1.5",
	];
	for (const map of [
		"sku=GTIN, UPC, EAN, or ISBN,name=Artikel,sellingPrice=VK",
		"GTIN, UPC, EAN, or ISBN=sku,Artikel=name,VK=sellingPrice",
	])
		expect((await run(woo, "--map", map)).status).toBe(0);
	expect(await names()).toContain("222 Milch");

	for (const wrong of ["price=VK", "name="])
		expect(await run(woo, "--map", wrong)).toMatchObject({
			status: 2,
			err: expect.stringContaining("must have the form column=field"),
		});
	expect(await run(woo, "--map", "name=Titel")).toMatchObject({
		status: 1,
		err: expect.stringMatching(/^The header has no column Titel\. .+\n$/),
	});
});

test("import products returns lines with a stray quotation mark or a surplus comma for correction, and loses none", async () => {
	const { run, names } = await open();
	const refused = join(testDir(), "refused.csv");
	const lines = [
		"name,sku,sellingPrice",
		"Milk,q1,1",
		'"bro"ken,q2,2',
		"Bread,q3,3",
		'Screen 24" wide,q4,4',
		"Hooks, small,q5,5",
		'"Tea,q6,6',
		"Salt,q7,7",
	];
	expect(await run(lines, "--refused", refused)).toMatchObject({
		status: 1,
		out: "created 4, updated 0, unchanged 0, refused 3\n",
	});
	expect(await names()).toEqual([
		"q3 Bread",
		"q1 Milk",
		"q7 Salt",
		'q4 Screen 24" wide',
	]);
	const given = parse(readFileSync(refused), { relax_column_count: true });
	const quotes = expect.stringContaining("Quotation marks");
	expect(given).toEqual([
		["name", "sku", "sellingPrice", "line", "reason"],
		['"bro"ken', "q2", "2", "3", quotes],
		[
			...["Hooks", " small", "q5", "6"],
			expect.stringContaining("4 columns"),
			"5",
		],
		['"Tea', "q6", "6", "7", quotes],
	]);
	// The line with a surplus cell is refused until someone corrects it.
	expect(
		await run([...readFileSync(refused, "utf8").split("\n")]),
	).toMatchObject({
		out: "created 2, updated 0, unchanged 0, refused 1\n",
	});
});

test("import products changes nothing if it can't write the refused lines", async () => {
	const { run, names } = await open();
	const lines = ["name,sku,sellingPrice", "Milk,q1,1", "Tea,q2,cheap"];
	for (const file of [join(testDir(), "none/refused.csv"), testDir()])
		for (const more of [[], ["--dry-run"]])
			expect(await run(lines, "--refused", file, ...more)).toEqual({
				status: 1,
				out: "",
				err: expect.stringMatching(
					/^Can't write \S+: .+; nothing was imported\n$/,
				),
			});
	expect(await names()).toEqual([]);
	const file = join(testDir(), "refused.csv");
	expect((await run(lines, "--refused", file, "--dry-run")).status).toBe(1);
	expect(readFileSync(file, "utf8")).toContain('"Tea","q2","cheap","3"');
	expect(await names()).toEqual([]);
});

test("import statement reads a PDF with its password, and asks for one that is missing", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const row = ["UKK1A2B300", "2026-11-20 10:15:00", "Pay Bill", "Completed"];
	const file = join(testDir(), "statement.pdf");
	const rows = [[...row, "1,234.00", "", "5,500.00"]];
	writeFileSync(file, await writeStatementPdf(rows, "swordfish"));
	const of = ["--business", asha.businessId];
	const run = (input: string, ...more: string[]) =>
		runCommand(
			["import", "statement", file, ...of, ...more],
			{ DATA_DIR: server.settings.dataDir },
			input,
		);
	expect(await run("")).toMatchObject({
		...{ status: 1, err: "Give the password with --password-stdin\n" },
	});
	expect(await run("wrong\n", "--password-stdin")).toMatchObject({
		...{ status: 1, err: expect.stringContaining("needs a password") },
	});
	expect(await run("swordfish\n", "--password-stdin")).toMatchObject({
		status: 0,
	});
	expect(await server.rows("SELECT code FROM statement_lines")).toEqual([
		{ code: "UKK1A2B300" },
	]);
});
