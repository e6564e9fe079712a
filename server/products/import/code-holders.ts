import { codeKeys } from "../../../sync/entities/gtin.ts";
import { type Pack, pack } from "../../../sync/entities/pack-row.ts";
import {
	type CodeHolder,
	type ProductCode,
	productCode,
	readHolders,
} from "../../../sync/entities/product-code.ts";
import { selectWires } from "../../../sync/rows/rows.ts";
import type { Connection } from "../../../sync/store/store.ts";
import { LineError } from "./line-error.ts";
import { type Known, type Matching, trimmed } from "./matching.ts";
import { codesIn, type ProductLine } from "./product-file.ts";

/** What is stored about the codes and packs of some lines. */
export interface StoredCodes {
	/** Products by each code. */
	holders: ReadonlyMap<string, readonly CodeHolder[]>;
	/** By product. */
	packs: ReadonlyMap<string, readonly Pack[]>;
	codes: ReadonlyMap<string, readonly ProductCode[]>;
}

/** A code that a line gives its product, or a pack of it. */
interface GivenCode {
	code: string;
	packId?: string;
}

export async function readStoredCodes(
	tx: Connection,
	businessId: string,
	lines: readonly ProductLine[],
	matching: Pick<Matching, "find">,
): Promise<StoredCodes> {
	const holders = new Map<string, CodeHolder[]>();
	const packs = new Map<string, Pack[]>();
	const codes = new Map<string, ProductCode[]>();
	for (const line of lines) {
		const { sku: _, ...fields } = line.fields;
		const given = codesIn(fields);
		for (const code of given) {
			const found: CodeHolder[] = [];
			for (const key of codeKeys(code))
				found.push(...(await readHolders(tx, businessId, key)));
			holders.set(code, found);
		}
		if (given.length === 0 && !fields.packs) continue;
		const id = findId(line, matching);
		if (id === undefined) continue;
		const of = "AND product_id = ? ORDER BY id";
		packs.set(id, await selectWires<Pack>(tx, pack, businessId, of, id));
		codes.set(
			id,
			await selectWires<ProductCode>(tx, productCode, businessId, of, id),
		);
	}
	return { holders, packs, codes };
}

/** @returns undefined also for a line that will be refused */
function findId(
	line: ProductLine,
	matching: Pick<Matching, "find">,
): string | undefined {
	try {
		return matching.find(line)?.id;
	} catch (error) {
		if (error instanceof LineError) return undefined;
		throw error;
	}
}

/** The lines of an import that name codes, by the codes' normal forms. */
export type CodeLines = Map<string, number>;

/** What is known of codes before a line is read. */
interface KnownCodes {
	stored: StoredCodes;
	/** @returns the number of an earlier line with a code in this normal form */
	lineOf(key: string): number | undefined;
	/** @returns whether an earlier line puts a stored product on sale */
	isSold(id: string): boolean;
}

/**
 * Returns the given codes that a line's product lacks.
 *
 * @throws LineError if another product on sale has one of them, an earlier line gives it to another, or the product has it
 * for something else
 */
export function newCodesOf(
	given: readonly GivenCode[],
	{ fields: { sku } }: ProductLine,
	product: Known,
	{ stored, lineOf, isSold }: KnownCodes,
): GivenCode[] {
	/** The product's codes with their packs. */
	const own = new Map<string, string | undefined>();
	const note = ({ code, packId }: GivenCode) => {
		for (const key of codeKeys(code)) own.set(key, packId);
	};
	note({ code: sku ?? trimmed(product.sku) });
	const packIds = stored.packs.get(product.id)?.map(({ id }) => id);
	// A code of a pack that is gone means nothing, and can be given again.
	for (const { code, packId } of stored.codes.get(product.id) ?? [])
		if (packId === undefined) note({ code });
		else if (packIds?.includes(packId)) note({ code, packId });
	return given.filter(({ code, packId }) => {
		const keys = codeKeys(code);
		const owned = keys.find((key) => own.has(key));
		if (owned !== undefined) {
			if (own.get(owned) === packId) return false;
			throw new LineError(
				"other_pack_code",
				`The product has the code ${code} for another pack or its unit`,
				{ field: packId === undefined ? "codes" : "packs", value: code },
			);
		}
		const other = stored.holders
			.get(code)
			?.find(
				({ id, isActive }) => id !== product.id && (isActive || isSold(id)),
			);
		const line = keys.map(lineOf).find((one) => one !== undefined);
		if (other || line !== undefined)
			throw new LineError(
				"code_taken",
				`${other ? `"${other.name}"` : `Line ${line}`} has the code ${code}`,
				{ field: packId === undefined ? "codes" : "packs", value: code },
			);
		note({ code, ...(packId !== undefined && { packId }) });
		return true;
	});
}

/** Notes which codes a line names. */
export function noteCodes(line: ProductLine, lineByCode: CodeLines): void {
	for (const code of codesIn(line.fields))
		for (const key of codeKeys(code)) lineByCode.set(key, line.line);
}
