import { readFileSync, writeFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { type Field, fields } from "../../server/products/import/layouts.ts";
import {
	type ColumnMap,
	CsvFileError,
	type ProductCsv,
	type RefusedLine,
	readProductCsv,
} from "../../server/products/import/product-csv.ts";
import {
	importProducts,
	type ProductImport,
	planProductImport,
} from "../../server/products/import/products.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { CommandError } from "./error.ts";
import { archiveCommand } from "./import/archive.ts";
import { chooseBusiness, withShop } from "./shop.ts";

/** Exit status where lines were refused, though the others went in. */
const someRefused = 1;
const shownMax = 50;

interface Options {
	business?: string;
	dryRun?: true;
	json?: true;
	map?: ColumnMap;
	refused?: string;
}

export function importCommand(): Command {
	const products = new Command("products")
		.description(
			`Creates and updates products from a CSV file with a header: name, and any of ${fields.slice(1).join(", ")}. Files of Shopify, Square, Loyverse and WooCommerce are known by their columns. ` +
				"A product is known by its barcode or SKU, or without one by its name; in our own export by its id. The good lines go in part by part, and one that was cut off goes on with the same file; exit status 1 says that lines were refused.",
		)
		.argument("<file>", "the CSV file")
		.option("--business <id>", "where there are several")
		.option(
			"--map <field=column,…>",
			"where a field is, if its column has another name",
			toMap,
		)
		.option("--dry-run", "say what would happen, and change nothing")
		.option("--refused <file>", "write the refused lines to a CSV file")
		.option("--json", "print JSON")
		.addHelpText(
			"after",
			`
Examples:
  counterfoil import products products_export.csv --dry-run
  counterfoil import products old-till.csv --map "name=Artikel,sellingPrice=VK brutto"
  counterfoil import products products_export.csv --map "sku=Variant Barcode"`,
		)
		.action(importFile);
	return new Command("import")
		.description("Takes in products of another till, or a whole shop")
		.addCommand(products)
		.addCommand(archiveCommand());
}

/** A column's name may have commas in it: only one before a field begins the next. */
function toMap(text: string, before: ColumnMap = {}): ColumnMap {
	const map = { ...before };
	for (const part of text.split(
		new RegExp(`,(?=\\s*(?:${fields.join("|")})=)`),
	)) {
		const at = part.indexOf("=");
		const field = part.slice(0, at).trim();
		const column = part.slice(at + 1).trim();
		if (!(fields as readonly string[]).includes(field) || column === "")
			throw new InvalidArgumentError(
				`"${part}" must be like name=Column; fields are ${fields.join(", ")}.`,
			);
		map[field as Field] = column;
	}
	return map;
}

async function importFile(file: string, options: Options): Promise<void> {
	const csv = readCsv(file, options.map);
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, options.business);
		const isDry = options.dryRun === true;
		if (csv.system !== undefined)
			console.error(`It is a file of ${csv.system}`);
		if (csv.passedOver > 0)
			console.error(`Rows that are no product of their own: ${csv.passedOver}`);
		if (csv.ignored.length > 0)
			console.error(`Columns that are not used: ${csv.ignored.join(", ")}`);
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
					refused: refused.map(({ line, reason }) => ({ line, reason })),
				}),
			);
		else
			console.log(
				`${isDry ? "Would have " : ""}created ${created}, updated ${updated}, unchanged ${unchanged}, refused ${refused.length}`,
			);
		if (refused.length > 0) process.exitCode = someRefused;
	});
}

/** A smaller import is done before anybody could read how far it is. */
const shownFrom = 500;

/** Tells how far it has come: many thousands of lines take a while. */
async function importShowing(
	shop: Shop,
	businessId: string,
	csv: ProductCsv,
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

function readCsv(file: string, map: ColumnMap | undefined) {
	try {
		return readProductCsv(readFileSync(file), map);
	} catch (error) {
		if (error instanceof CsvFileError) throw new CommandError(error.message);
		if ((error as NodeJS.ErrnoException).code !== undefined)
			throw new CommandError(
				`${file} can't be read: ${(error as Error).message}`,
			);
		throw error;
	}
}

function report(refused: RefusedLine[]): void {
	for (const { line, record, reason } of refused.slice(0, shownMax))
		console.error(`line ${line}: ${reason} (${record.slice(0, 3).join(", ")})`);
	if (refused.length > shownMax)
		console.error(
			`… and ${refused.length - shownMax} more; --refused FILE writes all of them`,
		);
}

function writeRefused(file: string, text: string): void {
	try {
		writeFileSync(file, text);
	} catch (error) {
		throw new CommandError(
			`${file} can't be written, and nothing was imported: ${(error as Error).message}`,
		);
	}
}

/**
 * The refused lines with their reason, ready to be corrected and imported. What a line has too many of stays at its end:
 * as it is, it would be refused again.
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
