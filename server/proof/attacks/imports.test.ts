import { constants, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { readProductCsv } from "../../products/import/product-file.ts";
import { twoShops } from "../../testing/server.ts";

const formula = '=cmd|"/c calc"!A0';
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A workbook whose only sheet unpacks to two gigabytes in one cell, as it says. */
function zipBomb(): Buffer {
	const megabyte = deflateRawSync(Buffer.alloc(1_000_000, " "), {
		finishFlush: constants.Z_FULL_FLUSH,
	});
	const relations =
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships";
	const relation = (kind: string, target: string) =>
		`<Relationships><Relationship Id="rId1" Type="${relations}/${kind}" Target="${target}"/></Relationships>`;
	return zipOf([
		["[Content_Types].xml", [deflateRawSync("<Types/>")]],
		["_rels/.rels", [deflateRawSync(relation("officeDocument", "xl/w.xml"))]],
		[
			"xl/w.xml",
			[
				deflateRawSync(
					`<workbook xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
				),
			],
		],
		["xl/_rels/w.xml.rels", [deflateRawSync(relation("worksheet", "s.xml"))]],
		[
			"xl/s.xml",
			[
				deflateRawSync(
					'<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>',
					{ finishFlush: constants.Z_FULL_FLUSH },
				),
				...Array.from({ length: 1_900 }, () => megabyte),
				deflateRawSync("</t></is></c></row></sheetData></worksheet>"),
			],
		],
	]);
}

/** A ZIP archive of entries that are packed already. */
function zipOf(entries: [string, Buffer[]][]): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, packed] of entries) {
		const body = Buffer.concat(packed);
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(8, 4);
		common.writeUInt32LE(body.length, 14);
		common.writeUInt32LE(2_000_000_000, 18);
		common.writeUInt16LE(name.length, 22);
		const local = Buffer.concat([
			Buffer.from("504b0304", "hex"),
			common,
			Buffer.from(name),
			body,
		]);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		directory.push(
			Buffer.from("504b01021400", "hex"),
			common,
			place,
			Buffer.from(name),
		);
		parts.push(local);
		offset += local.length;
	}
	const central = Buffer.concat(directory);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(entries.length, 4);
	end.writeUInt16LE(entries.length, 6);
	end.writeUInt32LE(central.length, 8);
	end.writeUInt32LE(offset, 12);
	return Buffer.concat([
		...parts,
		central,
		Buffer.from("504b0506", "hex"),
		end,
	]);
}

/** Hostile product files, each with the expected answer and number of products. */
const files: [string, string | Buffer, number, object, number][] = [
	[
		"a byte order mark",
		"\ufeffname,price\nChai,5\n",
		200,
		{ created: 1, refused: [] },
		1,
	],
	[
		"formulas, which are only words here",
		`name,price\n${quoted(formula)},5\n`,
		200,
		{ created: 1, preview: [{ name: formula }] },
		1,
	],
	[
		"a formula for a price",
		"name,price\nTea,=1+1\n",
		200,
		{ created: 0, refused: [{ line: 2 }] },
		0,
	],
	[
		"the names of what every object has",
		"name,__proto__,constructor,toString\nKahawa,a,b,c\n",
		200,
		{ created: 1, ignored: ["__proto__", "constructor", "toString"] },
		1,
	],
	[
		"another business's name for its own",
		"name,businessId,id\nMaji,BARAKA,canary\n",
		200,
		{ created: 1, ignored: ["businessId", "id"] },
		1,
	],
	[
		"a NUL and a name that is too long",
		`name,price\na\u0000b,1\n${"a".repeat(10_000)},1\n`,
		200,
		{ created: 0, refused: [{ line: 2 }, { line: 3 }] },
		0,
	],
	["a picture", Buffer.from("89504e470d0a1a0a00ff", "hex"), 400, {}, 0],
	["a broken workbook", Buffer.from("504b0304ff", "hex"), 400, {}, 0],
	["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), 400, {}, 0],
	["a workbook of gigabytes", zipBomb(), 400, {}, 0],
	["nothing", "", 400, {}, 0],
	[
		"a million lines",
		`name\n${"a\n".repeat(1_000_000)}`,
		400,
		{ error: expect.stringContaining("120000 lines") },
		0,
	],
	[
		"a million lines of an older kind",
		`name\r${"a\r".repeat(1_000_000)}`,
		400,
		{ error: expect.stringContaining("120000 lines") },
		0,
	],
	[
		"a million columns",
		`sku${",a".repeat(1_000_000)}\n`,
		400,
		{ error: expect.stringContaining("Line 1 has more than") },
		0,
	],
	[
		"two hundred thousand columns without a name",
		`sku${",a".repeat(200_000)}\n`,
		400,
		{ error: expect.stringMatching(/^The header has no column.{0,1200}$/) },
		0,
	],
	[
		"a quotation that never ends",
		`name\n"${"a".repeat(1_000_000)}`,
		400,
		{ error: expect.stringContaining("quotation mark") },
		0,
	],
	["more bytes than a file may have", "a".repeat(20_000_001), 413, {}, 0],
];

describe("a file of products", () => {
	oneIn(4)("a hostile product file does no harm", async () => {
		const { server, asha, baraka } = await twoShops();
		const before = await server.shop.blocks(baraka.caller);
		const count = async () => {
			const { body } = await server.ask("GET", "/api/products", { as: asha });
			return (body as unknown[]).length;
		};
		let known = await count();
		for (const [what, file, status, answer, products] of files) {
			const told = await server.ask("POST", "/api/imports/products", {
				as: asha,
				headers: { "content-type": "text/csv" },
				body:
					typeof file === "string"
						? file.replace("BARAKA", baraka.businessId)
						: file,
			});
			expect({ what, status: told.status, body: told.body }).toMatchObject({
				what,
				status,
				body: answer,
			});
			// The answer doesn't echo the file.
			if (status >= 400) expect(told.text.length).toBeLessThan(2_000);
			known += products;
			expect([what, await count()]).toEqual([what, known]);
		}
		expect(await server.shop.blocks(baraka.caller)).toEqual(before);
		expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
	});

	test("an exported product file escapes formulas, and imports back unchanged", async () => {
		const { server, asha } = await twoShops();
		for (const name of [
			...[formula, "+1+1", "-2+3", "@SUM(A1)", "\t=2", "\r=3"],
			// Which some spreadsheets read as the narrow ones.
			...["＝4+4", "＋5+5", "－6+6", "＠SUM(A7)"],
		]) {
			const made = await server.ask("POST", "/api/products", {
				as: asha,
				body: { name, sku: name },
			});
			expect(made.status).toBe(201);
			await server.ask("POST", "/api/sales", {
				as: asha,
				body: {
					items: [{ name, quantity: 1, price: 1, cost: 1 }],
					notes: name,
					paymentMethod: name,
				},
			});
		}
		for (const path of ["/api/products.csv", "/api/sales-history.csv"]) {
			const { text, headers } = await server.ask("GET", path, { as: asha });
			expect(text).toContain("'=cmd|");
			for (const cell of text.split(/,|\r\n/))
				expect(cell).not.toMatch(/^"?[=+@\t\r＝＋－＠]|^"?-\D/);
			expect(headers.get("content-disposition")).toMatch(/^attachment/);
			expect(headers.get("x-content-type-options")).toBe("nosniff");
		}
		const { text } = await server.ask("GET", "/api/products.csv", { as: asha });
		const again = await server.ask("POST", "/api/imports/products", {
			as: asha,
			body: text,
		});
		// Import trims white space around a text.
		expect(again.body).toMatchObject({
			unchanged: 11,
			created: 0,
			refused: [],
		});
	});

	test.each([
		["in the middle of a word", "\nb\xff\nc\n", 3],
		["first in a line", "\n\x80b\n", 3],
		["alone in the last line", "\n\xe2\x82", 3],
		["in the only other line", "\xff", 2],
		["after a long line", `${"a".repeat(1_000)}\n\xc3(`, 3],
	])(
		"a product file of damaged UTF-8 is refused with the line: %s",
		(_what, bytes, line) => {
			const file = Buffer.concat([
				Buffer.from("name\nThé à l’eau"),
				Buffer.from(bytes, "latin1"),
			]);
			expect(() => readProductCsv(file)).toThrow(`(line ${line})`);
		},
	);
});
