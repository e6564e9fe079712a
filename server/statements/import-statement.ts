import {
	statementImport,
	statementLinesMax,
} from "../../sync/entities/statement.ts";
import { CsvFileError } from "../../sync/protocol/csv-records.ts";
import { businessGet } from "../../sync/queries/business.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { isPdf, readStatement } from "../../sync/statements/read-statement.ts";
import type { Statement } from "../../sync/statements/statement.ts";

/**
 * Reads a statement in CSV, or messages, in the shop's time zone.
 *
 * @throws CsvFileError if it is neither
 */
export async function readShopStatement(
	shop: Pick<Shop, "ask">,
	asker: Pick<Caller, "businessId" | "role">,
	bytes: Uint8Array,
): Promise<Statement> {
	const text = new TextDecoder().decode(bytes);
	const { timeZone } = await shop.ask(asker, businessGet, {});
	const statement = readStatement(text, timeZone);
	if (statement) return statement;
	throw new CsvFileError(
		isPdf(text)
			? "Statements in PDF can't be read. Download the statement as CSV, or paste the messages."
			: "This is neither an M-PESA statement in CSV nor M-PESA messages",
	);
}

/** Records what a statement says was received, and nothing twice. */
export async function importStatement(
	shop: Pick<Shop, "mutate">,
	caller: Caller,
	{ payments }: Statement,
): Promise<void> {
	for (let at = 0; at < payments.length; at += statementLinesMax)
		await shop.mutate(caller, statementImport, {
			method: "MPESA",
			lines: payments.slice(at, at + statementLinesMax),
		});
}
