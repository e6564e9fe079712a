import { writeXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { readFileInThread } from "./file-thread.ts";
import { readProductCsv, readProductFile } from "./product-file.ts";

const list = "Bezeichnung;VK-Preis;Bestand\r\nKäse, jung;1.250,50;2,125\r\n";
const cheese = { name: "Käse, jung", sellingPrice: 1250.5, quantity: 2.125 };

function swapped(bytes: Buffer): Buffer {
	return Buffer.from(bytes).swap16();
}

test.each([
	["UTF-8", Buffer.from(list)],
	["UTF-8 with a mark", Buffer.from(`\ufeff${list}`)],
	["UTF-16", Buffer.from(`\ufeff${list}`, "utf16le")],
	[
		"UTF-16, the other way round",
		swapped(Buffer.from(`\ufeff${list}`, "utf16le")),
	],
	["UTF-16 without a mark", Buffer.from(list, "utf16le")],
	[
		"UTF-16 without a mark, the other way round",
		swapped(Buffer.from(list, "utf16le")),
	],
	["Latin-1", Buffer.from(list, "latin1")],
	["tabs", Buffer.from(list.replaceAll(";", "\t"))],
	["bars", Buffer.from(list.replaceAll(";", "|"))],
	["a line that names the separator", Buffer.from(`sep=;\r\n${list}`)],
	[
		"commas in the header",
		Buffer.from(
			list
				.replace("VK", '"VK, EUR, brutto, "')
				.replace('"VK, EUR, brutto, "-Preis', '"Preis"'),
		),
	],
])("a list from a spreadsheet is read in %s", (_what, bytes) => {
	const { lines, refused } = readProductCsv(bytes);
	expect(refused).toEqual([]);
	expect(lines.map(({ fields }) => fields)).toEqual([cheese]);
});

test("a list in Windows-1252 says that its encoding is guessed, and a line that names the separator counts", () => {
	const text = "sep=|\nname|price\nSaft \x80 \x96 neu|cheap\n";
	const { lines, refused, notes } = readProductCsv(
		Buffer.from(text.replace("cheap", "5"), "latin1"),
	);
	expect(refused).toEqual([]);
	expect(lines).toMatchObject([{ line: 3, fields: { name: "Saft € – neu" } }]);
	expect(notes).toEqual([{ code: "guessed_encoding", lines: [] }]);
});

test.each([
	[
		"Jina,Msimbo pau,Bei ya kununua,Bei ya kuuza,Idadi,Onya zikibaki,Aina,Huduma,Inauzwa",
		"la,hapana",
	],
	[
		"Nom du produit,Code-barres,Prix d’achat,Prix de vente,Quantité,Stock minimum,Catégorie,Service,Actif",
		"non,non",
	],
	[
		"Artikel,Strichcode,EK-Preis,VK-Preis,Bestand,Mindestbestand,Warengruppe,Dienstleistung,Aktiv",
		"nein,nein",
	],
	[
		"Producto,Código de barras,Precio de compra,Precio de venta,Existencias,Stock mínimo,Categoría,Servicio,Activo",
		"no,no",
	],
])("the columns of a list are recognized by %s", (header, flags) => {
	const { lines, ignored } = readProductCsv(
		Buffer.from(`${header}\nA,6001,1,2,3,4,B,${flags}\n`),
	);
	expect(ignored).toEqual([]);
	expect(lines[0]?.fields).toEqual({
		...{ name: "A", sku: "6001", buyingPrice: 1, sellingPrice: 2 },
		...{ quantity: 3, lowStock: 4, category: "B" },
		...{ isService: false, isActive: false },
	});
});

test("a price that can be read in two ways is refused where nothing decides, and read as the user says", () => {
	const file = Buffer.from("name;price\nTea;1.250\nMilk;65\n");
	expect(readProductCsv(file).refused).toMatchObject([
		{
			line: 2,
			code: "ambiguous_number",
			field: "sellingPrice",
			value: "1.250",
		},
	]);
	expect(readProductCsv(file, { decimal: "," }).lines[0]?.fields).toEqual({
		...{ name: "Tea", sellingPrice: 1250 },
	});
	// Commas separate cells, so they don't separate decimals.
	const quoted = Buffer.from('name,price\nTea,"1,250"\n');
	expect(readProductCsv(quoted).lines[0]?.fields.sellingPrice).toBe(1250);
});

describe("a workbook", () => {
	const header = ["Name", "Barcode", "Price", "Qty", "Bought on"];
	const rows = [
		["Tea", 6_001_240_000_001, 65.4, 1.125, new Date("2026-11-25")],
		["Milk", "0600000000001", "1,250.50", null, null],
		["Rounded", 6_001_240_000_001_234, 5, 1, null],
		["Unclear", "7", "1,250", 1, null],
	];
	const book = () =>
		writeXlsx({
			sheets: [
				{ name: "Secret", rows: [header, ["Hidden"]], hidden: true },
				{ name: "Read me", rows: [["How to fill this in"]] },
				{ name: "Items", rows: [[], header, ...rows] },
			],
		});

	test("its sheet of products is read with whole codes, and the others are named", async () => {
		const bytes = await book();
		const read = await readFileInThread(bytes, {});
		expect(read.lines.map(({ line, fields }) => [line, fields])).toEqual([
			[
				3,
				{
					...{ name: "Tea", sku: "6001240000001", sellingPrice: 65.4 },
					quantity: 1.125,
				},
			],
			[4, { name: "Milk", sku: "0600000000001", sellingPrice: 1250.5 }],
		]);
		expect(read.refused).toMatchObject([
			{ line: 5, code: "rounded_code", value: "6.00124e+15" },
			{ line: 6, code: "ambiguous_number" },
		]);
		expect(read.notes).toEqual([
			{ code: "other_sheets", value: "Read me", lines: [] },
			{ code: "check_digit", lines: [3, 4] },
		]);
		expect(read.ignored).toEqual(["Bought on"]);
	});

	test("its rows are limited, and no formula is run", async () => {
		const bytes = await writeXlsx({
			sheets: [
				{
					name: "A",
					rows: [
						["name", "price"],
						["Tea", null],
						["Milk", 5],
					],
					cells: new Map([["1,1", { formula: "1+1", formulaResult: 9 }]]),
				},
			],
		});
		await expect(readProductFile(bytes, { linesMax: 1 })).rejects.toMatchObject(
			{ code: "file_too_long" },
		);
		const { lines } = await readProductFile(bytes, { linesMax: 2 });
		expect(lines.map(({ fields }) => fields.sellingPrice)).toEqual([9, 5]);
	});
});
