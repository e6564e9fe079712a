import { buffer, text } from "node:stream/consumers";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import { type Format, toFile } from "./formats.ts";

/** @returns a file with one column of words */
function fileOf(format: Format, words: string[]): Promise<Buffer> {
	async function* pages() {
		yield words.map((name) => ({ name }));
	}
	return buffer(
		toFile(format, { name: "products", columns: ["name"], pages: pages() }),
	);
}

async function sheetOf(file: Buffer): Promise<string> {
	const zip = await fromBufferPromise(file);
	for await (const entry of zip.eachEntry())
		if (entry.fileName === "xl/worksheets/sheet1.xml")
			return text(await zip.openReadStreamPromise(entry));
	throw new Error("The file has no sheet");
}

test("a spreadsheet is well-formed XML and keeps any characters in its cells", async () => {
	const words = [
		"a\ufffeb\uffff",
		"_x0041_",
		"_x0041_x0042_x00e9_",
		"_x005F_x0041_",
		"_x41_ _X0041_ x0041_",
		"<b>&amp;\u0001\u000b\ud83e\udd5b",
	];
	const file = await fileOf("xlsx", words);
	const { sheets } = await readXlsx(file);
	expect(sheets[0]?.rows.slice(1)).toEqual(words.map((word) => [word]));
	const sheet = await sheetOf(file);
	// Characters that XML can't contain.
	expect(sheet).not.toMatch(/[^\t\n\r\u0020-\ufffd]/);
	expect(sheet).toContain(">_x005F_x0041_<");
	expect(sheet).toContain(">_x005F_x0041_x005F_x0042_x005F_x00e9_<");
});
