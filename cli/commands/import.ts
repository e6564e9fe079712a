import { readFileSync, writeFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { readFileInThread } from "../../server/products/import/file-thread.ts";
import { type Field, fields } from "../../server/products/import/layouts.ts";
import {
	type RefusedLine,
	toWire,
} from "../../server/products/import/line-error.ts";
import {
	type ColumnMap,
	isWorkbook,
	type ProductFile,
	type ReadOptions,
	readProductCsv,
} from "../../server/products/import/product-file.ts";
import {
	importProducts,
	type ProductImport,
	planProductImport,
} from "../../server/products/import/products.ts";
import { CsvFileError } from "../../sync/protocol/csv-records.ts";
import type { ImportNote } from "../../sync/protocol/import-notes.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { archiveCommand } from "./import/archive.ts";
import { statementCommand } from "./import/statement.ts";
import { withBusiness } from "./open-shop.ts";
import { say } from "./print.ts";

/** Exit status if lines were refused, even though the others were imported. */
const someRefused = 1;
const shownMax = 50;

interface Options {
	business?: string;
	decimal?: "," | ".";
	dryRun?: true;
	json?: true;
	map?: ColumnMap;
	refused?: string;
}

export function importCommand(): Command {
	const products = new Command("products")
		.description(
			`Create and update products from a CSV file or an XLSX workbook with a header: name and any of ${fields.slice(1).join(", ")}. Files from Shopify, Square, Loyverse, WooCommerce, Odoo and Lightspeed are recognized by their columns. ` +
				"A product is matched by its barcode or SKU, or by its name if it has neither; in a Counterfoil export, by its id. Valid lines are imported in batches; to resume an interrupted import, run it again with the same file. Exits with 1 if lines were refused",
		)
		.argument("<file>", "the CSV file or workbook")
		.ofBusiness()
		.option(
			"--map <column=field,…>",
			"name the field of a column, if it isn't recognized (field=column works too)",
			toMap,
		)
		.addOption(
			new Option(
				"--decimal <mark>",
				"the decimal mark of numbers that can be read in two ways, such as 1,250",
			).choices([".", ","]),
		)
		.option("--dry-run", "show what would change, without changing anything")
		.option("--refused <file>", "write the refused lines to a CSV file")
		.printsJson()
		.examples(
			"counterfoil import products products_export.csv --dry-run",
			'counterfoil import products old-till.xlsx --map "Artikel=name,VK brutto=sellingPrice"',
			'counterfoil import products products_export.csv --map "Variant Barcode=sku"',
		)
		.action(importFile);
	return new Command("import")
		.description(
			"Import products or an M-PESA statement from a file, or a whole shop from an archive",
		)
		.addCommand(products)
		.addCommand(statementCommand())
		.addCommand(archiveCommand());
}

const anyField = fields.join("|");
const isField = (word: string): word is Field =>
	(fields as readonly string[]).includes(word);
/** A column's name may contain commas, so only one beside a field separates two entries. */
const entryEnd = new RegExp(
	`(?<==\\s*(?:${anyField})\\s*),|,(?=\\s*(?:${anyField})=)`,
);

function toMap(text: string, before: ColumnMap = {}): ColumnMap {
	const map = { ...before };
	for (const part of text.split(entryEnd)) {
		const halves = (at: number) => [
			part.slice(0, Math.max(at, 0)).trim(),
			part.slice(at + 1).trim(),
		];
		const [column = "", field = ""] = halves(part.lastIndexOf("="));
		const [otherField = "", otherColumn = ""] = halves(part.indexOf("="));
		if (isField(field) && column !== "") map[field] = column;
		else if (isField(otherField) && otherColumn !== "")
			map[otherField] = otherColumn;
		else
			throw new InvalidArgumentError(
				`"${part}" must have the form column=field; the fields are ${fields.join(", ")}.`,
			);
	}
	return map;
}

async function importFile(file: string, options: Options): Promise<void> {
	const csv = await readFile(file, options);
	await withBusiness(options.business, async (shop, businessId) => {
		const isDry = options.dryRun === true;
		if (csv.system !== undefined) say(`Recognized a ${csv.system} file`);
		if (csv.ignored.length > 0)
			say(`Ignored columns: ${csv.ignored.join(", ")}`);
		for (const note of csv.notes) say(wordsOf(note));
		const onPlan = ({ refused }: ProductImport) => {
			if (options.refused !== undefined)
				writeRefused(options.refused, toCsv(csv.header, refused));
		};
		const plan = isDry
			? await planProductImport(shop, businessId, csv)
			: await importShowing(shop, businessId, csv, onPlan);
		if (isDry) onPlan(plan);
		const { created, updated, unchanged, refused } = plan;
		report(refused);
		if (options.json)
			console.log(
				JSON.stringify({
					dryRun: isDry,
					created,
					updated,
					unchanged,
					refused: refused.map(toWire),
					ignored: csv.ignored,
					notes: csv.notes,
				}),
			);
		else
			console.log(
				`${isDry ? "Would have " : ""}created ${created}, updated ${updated}, unchanged ${unchanged}, refused ${refused.length}`,
			);
		if (refused.length > 0) process.exitCode = someRefused;
	});
}

/** Changes; a smaller import finishes before anyone could read its progress. */
const shownFrom = 500;

/** Imports with progress on standard error: thousands of lines take a while. */
async function importShowing(
	shop: Shop,
	businessId: string,
	csv: ProductFile,
	onPlan: (plan: ProductImport) => void,
): Promise<ProductImport> {
	const caller: Caller = {
		businessId,
		userId: null,
		role: "OWNER",
		deviceId: null,
	};
	let changes = 0;
	const plan = await importProducts(shop, caller, csv, {
		onPlan(plan) {
			changes = plan.changes;
			onPlan(plan);
		},
		onProgress(done) {
			if (changes > shownFrom)
				process.stderr.write(`\r${done} of ${changes} changes`);
		},
	});
	if (changes > shownFrom) process.stderr.write("\r\x1b[K");
	return plan;
}

async function readFile(
	file: string,
	{ map, decimal }: Options,
): Promise<ProductFile> {
	try {
		const bytes = readFileSync(file);
		const options: ReadOptions = { map, decimal };
		return isWorkbook(bytes)
			? await readFileInThread(bytes, options)
			: readProductCsv(bytes, options);
	} catch (error) {
		if (error instanceof CsvFileError) throw new CommandError(error.message);
		if ((error as NodeJS.ErrnoException).code !== undefined)
			throw new CommandError(`Can't read ${file}: ${(error as Error).message}`);
		throw error;
	}
}

const noteWords: Record<ImportNote["code"], string> = {
	not_a_product: "Skipped rows without a product",
	not_on_sale: "Not on sale there, so not on sale here",
	no_fixed_price: "No fixed price, so none imported",
	second_code: "Only the barcode imported, not the other code",
	category_part: "Only one part of the category imported",
	check_digit: "Barcodes whose last digit doesn't fit the others",
	picture_skipped: "Pictures not fetched, only their addresses kept",
	several_places:
		"Ignored columns of several places; choose one of them with --map",
	html: "Ignored HTML in",
	other_sheets: "Ignored sheets",
	guessed_encoding:
		"Not Unicode, so read as Windows-1252; check the accents in names",
};

/** A note with the lines that it is about, the first of which say where to look. */
function wordsOf({ code, value, lines }: ImportNote): string {
	const where = [
		...(value === undefined ? [] : [value]),
		...(lines.length === 0 ? [] : [`${lines.length} (${linesOf(lines)})`]),
	].join(", ");
	return where === "" ? noteWords[code] : `${noteWords[code]}: ${where}`;
}

function linesOf(lines: number[]): string {
	const shown = lines.slice(0, shownMax).join(", ");
	const word = lines.length === 1 ? "line" : "lines";
	return `${word} ${shown}${lines.length > shownMax ? ", …" : ""}`;
}

function report(refused: RefusedLine[]): void {
	for (const { line, record, reason } of refused.slice(0, shownMax))
		say(`line ${line}: ${reason} (${record.slice(0, 3).join(", ")})`);
	if (refused.length > shownMax)
		say(
			`… and ${refused.length - shownMax} more; --refused FILE writes them all to a file`,
		);
}

function writeRefused(file: string, text: string): void {
	try {
		writeFileSync(file, text);
	} catch (error) {
		throw new CommandError(
			`Can't write ${file}: ${(error as Error).message}; nothing was imported`,
		);
	}
}

/**
 * The refused lines with their reasons, as a CSV file to correct and import again. Surplus cells stay at the end of their
 * line, so that it is still refused until someone corrects it.
 */
function toCsv(header: string[], refused: RefusedLine[]): string {
	const rows = refused.map(({ line, record, reason }) => [
		...header.map((_, i) => record[i] ?? ""),
		String(line),
		reason,
		...record.slice(header.length),
	]);
	const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
	return [[...header, "line", "reason"], ...rows]
		.map((row) => `${row.map(quote).join(",")}\r\n`)
		.join("");
}
