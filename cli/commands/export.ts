import { InvalidArgumentError, Option } from "commander";
import type { Manifest } from "../../server/operations/archive/manifest.ts";
import { writeArchive } from "../../server/operations/archive/write.ts";
import {
	type Format,
	formats,
	toFile,
} from "../../server/operations/export/formats.ts";
import {
	type Days,
	type ExportTable,
	exportTables,
	type Pages,
} from "../../server/operations/export/tables.ts";
import { day } from "../../sync/entities/fields.ts";
import { customerData } from "../../sync/queries/customer-data.ts";
import { Command } from "./command.ts";
import { UsageError } from "./command-error.ts";
import { printManifest } from "./export/manifest.ts";
import { limitHeapGrowth } from "./export/memory.ts";
import { openProgress, writeAtomically, writeOut } from "./export/output.ts";
import { asOwner, withBusiness } from "./open-shop.ts";

interface Options extends Days {
	business?: string;
	format: Format;
	json?: true;
	out?: string;
}

export function exportCommand(): Command {
	const command = new Command("export").description(
		"Export the shop's data as CSV, JSON lines or XLSX",
	);
	for (const [name, table] of Object.entries(exportTables))
		command.addCommand(tableCommand(name, table));
	command.addCommand(
		new Command("customer")
			.description(
				"Export all that the shop keeps of one customer, as JSON: the record, payments, sales, refunds and layaways",
			)
			.argument("<id>", "the customer's id, as export customers shows it")
			.ofBusiness()
			.option("--out <file>", "write to a file instead of standard output")
			.examples("counterfoil export customer 0199a7f0-… --out zawadi.json")
			.action(exportCustomer),
	);
	return command.addCommand(
		new Command("all")
			.description(
				"Export the whole shop as one archive for import archive: records, mutation log, tills, and members with their password hashes. Pictures and AI gateway keys are not included",
			)
			.requiredOption("--out <file>", "the archive to write")
			.ofBusiness()
			.option("--no-passwords", "leave out the password hashes")
			.option("--json", "print the archive's contents as JSON")
			.examples("counterfoil export all --out shop.zip")
			.action(exportAll),
	);
}

async function exportCustomer(
	id: string,
	{ business, out }: { business?: string; out?: string },
): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const data = await shop.ask(asOwner(businessId), customerData, { id });
		await writeOut(out, toJson(data));
	});
}

async function* toJson(data: object) {
	yield `${JSON.stringify(data, null, 2)}\n`;
}

interface ArchiveOptions {
	business?: string;
	json?: true;
	out: string;
	passwords: boolean;
}

async function exportAll(options: ArchiveOptions): Promise<void> {
	const { out, passwords: withPasswords, json } = options;
	limitHeapGrowth();
	const progress = openProgress(true);
	await withBusiness(options.business, async (shop, businessId) => {
		let made: Manifest | undefined;
		await writeAtomically(out, async (file, signal) => {
			made = await writeArchive(shop, businessId, file, {
				withPasswords,
				signal,
				onProgress: progress.update,
			});
		});
		progress.end(
			withPasswords
				? `${out} contains password hashes: keep it as safe as the shop itself`
				: `Wrote ${out}; its members will need new passwords`,
		);
		if (made) printManifest(made, json);
	});
}

function tableCommand(name: string, table: ExportTable): Command {
	const command = new Command(name)
		.description(table.description)
		.ofBusiness()
		.addOption(
			new Option("--format <format>", "the file format")
				.choices(formats)
				.default("csv"),
		)
		.option("--json", "the same as --format jsonl")
		.option("--out <file>", "write to a file instead of standard output");
	if (table.hasDays)
		command
			.option("--from <day>", "first business day, such as 2026-11-01", toDay)
			.option("--to <day>", "last business day", toDay);
	return command
		.examples(
			...(table.hasDays
				? [
						`counterfoil export ${name} --from 2026-11-01 --to 2026-11-30 --out ${name}.csv`,
						`counterfoil export ${name} --format jsonl | head`,
					]
				: [`counterfoil export ${name} --format xlsx --out ${name}.xlsx`]),
		)
		.action((options: Options) => exportTable(name, table, options));
}

async function exportTable(
	name: string,
	table: ExportTable,
	{ business, json, out, from, to, ...options }: Options,
): Promise<void> {
	const format = json ? "jsonl" : options.format;
	if (from !== undefined && to !== undefined && from > to)
		throw new UsageError(`--from ${from} is after --to ${to}`);
	if (format === "xlsx" && out === undefined && process.stdout.isTTY)
		throw new UsageError(
			"XLSX can't be shown in a terminal: name a file with --out",
		);
	limitHeapGrowth();
	const progress = openProgress(out !== undefined || !process.stdout.isTTY);
	await withBusiness(business, async (shop, businessId) => {
		let rows = 0;
		async function* counted(pages: Pages): Pages {
			for await (const page of pages) {
				yield page;
				rows += page.length;
				progress.update(rows);
			}
		}
		const pages = counted(table.read({ shop, businessId }, { from, to }));
		await writeOut(
			out,
			toFile(format, { name, columns: table.columns, pages }),
		);
		progress.end(`${rows} rows`);
	});
}

function toDay(text: string): string {
	if (!day.safeParse(text).success)
		throw new InvalidArgumentError("Must be a day like 2026-11-20.");
	return text;
}
