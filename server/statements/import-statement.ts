import {
	statementImport,
	statementLinesMax,
} from "../../sync/entities/statement.ts";
import { CsvFileError } from "../../sync/protocol/csv-records.ts";
import { businessGet } from "../../sync/queries/business.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { readStatement } from "../../sync/statements/read-statement.ts";
import type { Statement } from "../../sync/statements/statement.ts";
import { isPdfFile, readStatementPdf } from "./statement-pdf.ts";

/**
 * Reads a statement in CSV or PDF, or messages, in the shop's time zone.
 *
 * @param password of a PDF
 * @throws CsvFileError if it is none of them
 */
export async function readShopStatement(
	shop: Pick<Shop, "ask">,
	asker: Pick<Caller, "businessId" | "role">,
	bytes: Uint8Array,
	password?: string,
): Promise<Statement> {
	const text = isPdfFile(bytes)
		? await readStatementPdf(bytes, password)
		: new TextDecoder().decode(bytes);
	const { timeZone } = await shop.ask(asker, businessGet, {});
	const statement = readStatement(text, timeZone);
	if (statement) return statement;
	throw new CsvFileError(
		"This is neither an M-PESA statement in CSV or PDF nor M-PESA messages",
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
