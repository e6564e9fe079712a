import { describe, expect, test } from "vitest";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import { readProductCsv } from "./product-file.ts";

function read(text: string) {
	return readProductCsv(Buffer.from(text));
}

describe("readProductCsv", () => {
	test("columns are recognized by name in any spelling", () => {
		const { lines, ignored, refused } = read(
			"Selling Price,NAME,stock code,Buying_price,qty,Low-stock,is service,Category,Colour\n65,Milk,00123,58.5,10,3,no,Dairy,white\n",
		);
		expect(refused).toEqual([]);
		expect(ignored).toEqual(["Colour"]);
		expect(lines[0]?.fields).toEqual({
			name: "Milk",
			sku: "00123",
			buyingPrice: 58.5,
			sellingPrice: 65,
			quantity: 10,
			lowStock: 3,
			isService: false,
			category: "Dairy",
		});
	});

	test.each([
		["commas", 'name,price\n"Hook, small",2\n'],
		["semicolons", 'name;price\n"Hook, small";2\n'],
		["tabs", "name\tprice\nHook, small\t2\n"],
		["a byte order mark and CRLF", '\ufeffname,price\r\n"Hook, small",2\r\n'],
	])("a product file may have %s", (_what, text) => {
		expect(read(text).lines.map(({ fields }) => fields)).toEqual([
			{ name: "Hook, small", sellingPrice: 2 },
		]);
	});

	test("names are kept verbatim", () => {
		const names = [
			"Žluťoučký kůň",
			"牛奶",
			"=cmd()",
			"Fish &amp; chips",
			'a "b" c',
		];
		const text = `name\n${names.map((name) => `"${name.replaceAll('"', '""')}"`).join("\n")}\n`;
		expect(read(text).lines.map(({ fields }) => fields.name)).toEqual(names);
	});

	test("only the apostrophe that an export puts before a formula is removed", () => {
		const text = "name,sku\n'=cmd(),'-a1\n'n Apple,'007\n";
		expect(read(text).lines.map(({ fields }) => fields)).toEqual([
			{ name: "=cmd()", sku: "-a1" },
			{ name: "'n Apple", sku: "'007" },
		]);
	});

	test("a refused line is reported with its reason, and the lines after it are read", () => {
		const { lines, refused } = read(
			'name,price,service\nMilk,65,\n"Two\nlines",1,\nTea,"1,250.50",\nSugar,12.5.1,\nSalt,-,\nBread,5\nSoap,5,maybe\nLast,1e3,\nGood,7,yes\n',
		);
		expect(lines.map(({ line, fields }) => [line, fields.name])).toEqual([
			[2, "Milk"],
			[3, "Two\nlines"],
			[5, "Tea"],
			[11, "Good"],
		]);
		expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
			[6, 'sellingPrice: "12.5.1" is not a number like 1250.5'],
			[7, 'sellingPrice: "-" is not a number like 1250.5'],
			[8, "2 columns where the header has 3"],
			[9, 'isService: "maybe" must be yes or no'],
			[10, 'sellingPrice: "1e3" is not a number like 1250.5'],
		]);
		const notNumber = { code: "not_a_number", field: "sellingPrice" };
		expect(
			refused.map(({ line, record, reason, ...coded }) => coded),
		).toStrictEqual([
			{ ...notNumber, value: "12.5.1" },
			{ ...notNumber, value: "-" },
			{ code: "column_count", value: "2" },
			{ code: "not_yes_or_no", field: "isService", value: "maybe" },
			{ ...notNumber, value: "1e3" },
		]);
	});

	test("yes and no are read in the languages of the app", () => {
		const { lines, refused } = read(
			"name,service\nA,ndiyo\nB,Oui\nC,la\nD,hapana\nE,non\nF,no\n",
		);
		expect(refused).toEqual([]);
		expect(lines.map(({ fields }) => fields.isService)).toEqual([
			true,
			true,
			false,
			false,
			false,
			false,
		]);
	});

	const quotes =
		"Quotation marks must enclose a whole field and be doubled inside it";

	/** Invalid quotation marks, with the lines that are still read and those refused. */
	const unquoted: [
		string,
		string[],
		(number | string)[],
		[number, string[]][],
	][] = [
		[
			"is followed by text",
			["A,1", '"bro"ken,2', "B,3", "C,4"],
			[2, "A", 4, "B", 5, "C"],
			[[3, ['"bro"ken', "2"]]],
		],
		[
			"is never closed",
			["A,1", '"open,2', "B,3"],
			[2, "A", 4, "B"],
			[[3, ['"open', "2"]]],
		],
		[
			"seems to be closed by the next invalid one",
			['"open,2', "B,3", '"C",4', '"bro"ken,5', "D,6"],
			[3, "B", 4, "C", 6, "D"],
			[
				[2, ['"open', "2"]],
				[5, ['"bro"ken', "5"]],
			],
		],
		[
			"follows a field of several lines",
			['"A\r\nB","x"y', "C,3"],
			[4, "C"],
			[[2, ["A\r\nB", '"x"y']]],
		],
		[
			"follows white space",
			['A, "x"', ' "B",2', "C,3"],
			[4, "C"],
			[
				[2, ["A", ' "x"']],
				[3, [' "B"', "2"]],
			],
		],
		[
			"is inside an unquoted field",
			['Screen 24" wide,1', '5" "x",2', "A,3"],
			[2, 'Screen 24" wide', 3, '5" "x"', 4, "A"],
			[],
		],
	];

	test.each(unquoted)(
		"no line is lost to a quotation mark that %s",
		(_what, rows, good, bad) => {
			for (const end of ["\n", "\r\n", "\r"])
				for (const last of ["", end]) {
					const text = ["name,sku", ...rows].join(end) + last;
					const { lines, refused } = read(text);
					expect(
						lines.flatMap(({ line, fields }) => [line, fields.name]),
					).toEqual(good);
					expect(refused).toEqual(
						bad.map(([line, record]) => ({
							line,
							record,
							reason: quotes,
							code: "quotation_marks",
						})),
					);
				}
		},
	);

	test("line numbers match an editor's, counting empty lines", () => {
		const { lines, refused } = read(
			'\n\nname,sku\n\n"A\n\nB",1\n\n\nC,2\nD\n\n',
		);
		expect(lines.map(({ line, record }) => [line, record])).toEqual([
			[5, ["A\n\nB", "1"]],
			[10, ["C", "2"]],
		]);
		expect(refused).toMatchObject([{ line: 11, record: ["D"] }]);
	});

	test("a file with an unreadable header is refused instead of taking another line as header", () => {
		expect(() => read('"name"s,price\nname,price\nMilk,5\n')).toThrow(
			`The header (line 1) has invalid quotation marks. ${quotes}`,
		);
	});

	test("a file with an unclosed quote in every line is parsed in linear time", () => {
		const many = 20_000;
		for (const row of ['"a""b"', 'a",b,"c', '"a,""'])
			expect(
				millisecondsOf(() => read(`name,sku\n${`${row}\n`.repeat(many)}`)),
			).toBeLessThan(5_000);
	});

	test("a file without a name column, or whose UTF-8 is damaged, is refused", () => {
		expect(() => read("sku,price\n1,2\n")).toThrow(
			"The header has no column for the product name. Its columns are: sku, price",
		);
		expect(() => read("")).toThrow(CsvFileError);
		const damaged = Buffer.concat([
			Buffer.from("name\n“Thé”\nCaf"),
			Buffer.from([0xe9]),
			Buffer.from("\n"),
		]);
		expect(() => readProductCsv(damaged)).toThrow("not UTF-8 (line 3)");
	});
});

function millisecondsOf(work: () => void): number {
	const started = performance.now();
	work();
	return performance.now() - started;
}
