import { codeKeys } from "../../../sync/entities/gtin.ts";
import {
	type CodeHolder,
	readHolders,
} from "../../../sync/entities/product-code.ts";
import type { Connection } from "../../../sync/store/store.ts";
import { LineError } from "./line-error.ts";
import type { ProductLine } from "./product-file.ts";

/** Stored products by each code that some lines add to theirs. */
export type CodeHolders = ReadonlyMap<string, readonly CodeHolder[]>;

export async function readCodeHolders(
	tx: Connection,
	businessId: string,
	lines: readonly ProductLine[],
): Promise<CodeHolders> {
	const holders = new Map<string, CodeHolder[]>();
	for (const { fields } of lines)
		for (const code of fields.codes ?? []) {
			const found: CodeHolder[] = [];
			for (const key of codeKeys(code))
				found.push(...(await readHolders(tx, businessId, key)));
			holders.set(code, found);
		}
	return holders;
}

/** The lines of an import that name codes, by the codes' normal forms. */
export type CodeLines = Map<string, number>;

/** What is known of codes before a line is read. */
interface KnownCodes {
	holders: CodeHolders;
	/** @returns the number of an earlier line with a code in this normal form */
	lineOf(key: string): number | undefined;
	/** @returns whether an earlier line puts a stored product on sale */
	isSold(id: string): boolean;
}

/**
 * Returns the codes that a line adds to its product.
 *
 * @throws LineError if another product on sale has one of them, or an earlier line gives it to another
 */
export function newCodesOf(
	{ fields }: ProductLine,
	productId: string,
	{ holders, lineOf, isSold }: KnownCodes,
): string[] {
	const own = codeKeys(fields.sku ?? "");
	return [...new Set(fields.codes)].filter((code) => {
		const keys = codeKeys(code);
		const found = holders.get(code) ?? [];
		if (keys.some((key) => own.includes(key))) return false;
		if (found.some(({ id }) => id === productId)) return false;
		const other = found.find(({ id, isActive }) => isActive || isSold(id));
		const line = keys.map(lineOf).find((one) => one !== undefined);
		if (!other && line === undefined) return true;
		throw new LineError(
			"code_taken",
			`${other ? `"${other.name}"` : `Line ${line}`} has the code ${code}`,
			{ field: "codes", value: code },
		);
	});
}

/** Notes which codes a line names. */
export function noteCodes(
	{ line, fields }: ProductLine,
	lineByCode: CodeLines,
): void {
	const { sku, codes = [] } = fields;
	for (const code of sku === undefined ? codes : [sku, ...codes])
		for (const key of codeKeys(code)) lineByCode.set(key, line);
}
