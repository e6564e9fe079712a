import { readFileSync, writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { type Field, fields } from "../../server/products/import/layouts.ts";
import {
	type RefusedLine,
	toWire,
} from "../../server/products/import/line-error.ts";
import {
	type ColumnMap,
	type ProductCsv,
	readProductCsv,
} from "../../server/products/import/product-csv.ts";
import {
	importProducts,
	type ProductImport,
	planProductImport,
} from "../../server/products/import/products.ts";
import { CsvFileError } from "../../sync/protocol/csv-records.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { archiveCommand } from "./import/archive.ts";
import { statementCommand } from "./import/statement.ts";
import { withBusiness } from "./open-shop.ts";

/** Exit status if lines were refused, even though the others were imported. */
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
			`Create and update products from a CSV file with a header: name and any of ${fields.slice(1).join(", ")}. Files from Shopify, Square, Loyverse and WooCommerce are recognized by their columns. ` +
				"A product is matched by its barcode or SKU, or by its name if it has neither; in a Counterfoil export, by its id. Valid lines are imported in batches; to resume an interrupted import, run it again with the same file. Exits with 1 if lines were refused",
		)
		.argument("<file>", "the CSV file")
		.ofBusiness()
		.option(
			"--map <field=column,…>",
			"name the column of a field, if it isn't recognized",
			toMap,
		)
		.option("--dry-run", "show what would change, without changing anything")
		.option("--refused <file>", "write the refused lines to a CSV file")
		.printsJson()
		.examples(
			"counterfoil import products products_export.csv --dry-run",
			'counterfoil import products old-till.csv --map "name=Artikel,sellingPrice=VK brutto"',
			'counterfoil import products products_export.csv --map "sku=Variant Barcode"',
		)
		.action(importFile);
	return new Command("import")
		.description(
			"Import products or an M-PESA statement from a CSV file, or a whole shop from an archive",
		)
		.addCommand(products)
		.addCommand(statementCommand())
		.addCommand(archiveCommand());
}

/** A column's name may contain commas, so only a comma before a field name separates two entries. */
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
				`"${part}" must have the form field=column; the fields are ${fields.join(", ")}.`,
			);
		map[field as Field] = column;
	}
	return map;
}

async function importFile(file: string, options: Options): Promise<void> {
	const csv = readCsv(file, options.map);
	await withBusiness(options.business, async (shop, businessId) => {
		const isDry = options.dryRun === true;
		if (csv.system !== undefined)
			console.error(`Recognized a ${csv.system} file`);
		if (csv.passedOver > 0)
			console.error(`Skipped rows without a product: ${csv.passedOver}`);
		if (csv.ignored.length > 0)
			console.error(`Ignored columns: ${csv.ignored.join(", ")}`);
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
			throw new CommandError(`Can't read ${file}: ${(error as Error).message}`);
		throw error;
	}
}

function report(refused: RefusedLine[]): void {
	for (const { line, record, reason } of refused.slice(0, shownMax))
		console.error(`line ${line}: ${reason} (${record.slice(0, 3).join(", ")})`);
	if (refused.length > shownMax)
		console.error(
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
