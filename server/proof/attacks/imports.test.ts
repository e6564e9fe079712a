import { describe, expect, test } from "vitest";
import { readProductCsv } from "../../products/import/product-csv.ts";
import { twoShops } from "../../testing/server.ts";

const formula = '=cmd|"/c calc"!A0';
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

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
	["a spreadsheet's own format", Buffer.from("504b0304ff", "hex"), 400, {}, 0],
	["nothing", "", 400, {}, 0],
	[
		"a million lines",
		`name\n${"a\n".repeat(1_000_000)}`,
		400,
		{ error: expect.stringContaining("50000 lines") },
		0,
	],
	[
		"a million lines of an older kind",
		`name\r${"a\r".repeat(1_000_000)}`,
		400,
		{ error: expect.stringContaining("50000 lines") },
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
	test("a hostile product file does no harm", async () => {
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
		for (const name of [formula, "+1+1", "-2+3", "@SUM(A1)", "\t=2", "\r=3"]) {
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
				expect(cell).not.toMatch(/^"?[=+@\t\r]|^"?-\D/);
			expect(headers.get("content-disposition")).toMatch(/^attachment/);
			expect(headers.get("x-content-type-options")).toBe("nosniff");
		}
		const { text } = await server.ask("GET", "/api/products.csv", { as: asha });
		const again = await server.ask("POST", "/api/imports/products", {
			as: asha,
			body: text,
		});
		// Import trims white space around a text.
		expect(again.body).toMatchObject({ unchanged: 7, created: 0, refused: [] });
	});

	test.each([
		["in the middle of a word", "name\na\nb\xff\nc\n", 3],
		["first in a line", "name\na\n\x80b\n", 3],
		["alone in the last line", "name\na\n\xe2\x82", 3],
		["in the only line", "\xff", 1],
		["after a long line", `name\n${"a".repeat(1_000)}\n\xc3(`, 3],
	])(
		"a product file that is not UTF-8 is refused with the line: %s",
		(_what, bytes, line) => {
			expect(() => readProductCsv(Buffer.from(bytes, "latin1"))).toThrow(
				`(line ${line})`,
			);
		},
	);
});
