import { readFileSync } from "node:fs";
import {
	importStatement,
	readShopStatement,
} from "../../../server/statements/import-statement.ts";
import { plus } from "../../../sync/entities/money.ts";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import type { StatementRefusal } from "../../../sync/statements/statement.ts";
import { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { withBusiness } from "../open-shop.ts";
import { readPassword } from "../password.ts";
import { say } from "../print.ts";

/** Exit status if lines were refused, even though the others were imported. */
const someRefused = 1;
const shownMax = 50;

interface Options {
	business?: string;
	dryRun?: true;
	json?: true;
	passwordStdin?: true;
}

export function statementCommand(): Command {
	return new Command("statement")
		.description(
			"Record what an M-PESA statement says was received: a CSV or PDF file from the operator's portal, or a text file with its messages in English or Swahili. Payments that are known already change nothing; export statement compares them with the sales. Exits with 1 if lines were refused",
		)
		.argument("<file>", "the CSV, PDF or text file")
		.ofBusiness()
		.option("--dry-run", "show what the file has, without changing anything")
		.option(
			"--password-stdin",
			"read the PDF's password from standard input; at a terminal it is asked for",
		)
		.printsJson()
		.examples(
			"counterfoil import statement ORG_600123_Statement.csv --dry-run",
			"counterfoil import statement messages.txt",
			"counterfoil import statement statement.pdf --password-stdin < password.txt",
		)
		.action(importFile);
}

async function importFile(file: string, options: Options): Promise<void> {
	const bytes = readBytes(file);
	await withBusiness(options.business, async (shop, businessId) => {
		const caller = {
			...{ businessId, userId: null, deviceId: null },
			role: "OWNER" as const,
		};
		const read = (password?: string) =>
			readShopStatement(shop, caller, bytes, password);
		const statement = await read()
			.catch(async (error) => {
				const isLocked =
					error instanceof CsvFileError && error.code === "file_password";
				if (!isLocked) throw error;
				return read(await readPassword(options));
			})
			.catch(toCommandError);
		if (!options.dryRun) await importStatement(shop, caller, statement);
		const { payments, passedOver, refused } = statement;
		const amount = payments.reduce((sum, one) => plus(sum, one.amount), 0);
		report(refused);
		console.log(
			options.json
				? JSON.stringify({
						...{ dryRun: options.dryRun === true, amount, passedOver, refused },
						payments: payments.length,
					})
				: `${options.dryRun ? "Would have imported" : "Imported"} payments: ${payments.length}, together ${amount}; passed over ${passedOver}, refused ${refused.length}`,
		);
		if (refused.length > 0) process.exitCode = someRefused;
	});
}

function readBytes(file: string): Uint8Array {
	try {
		return readFileSync(file);
	} catch (error) {
		throw new CommandError(`Can't read ${file}: ${(error as Error).message}`);
	}
}

function toCommandError(error: unknown): never {
	if (error instanceof CsvFileError) throw new CommandError(error.message);
	throw error;
}

function report(refused: readonly StatementRefusal[]): void {
	for (const { line, code, text } of refused.slice(0, shownMax))
		say(`line ${line}: ${code} (${text})`);
	if (refused.length > shownMax) say(`… and ${refused.length - shownMax} more`);
}
