import {
	type Cell,
	type Cells,
	commonNames,
	type Field,
	fields,
	type Layout,
	layouts,
} from "./layouts.ts";

/** The file as a whole can't be read; the message says what to do about it. */
export class CsvFileError extends Error {
	override readonly name = "CsvFileError";
}

/** Columns of a header that are named in a message. */
const shownMax = 50;

/** Which column a field is in, where a person says so. */
export type ColumnMap = Partial<Record<Field, string>>;

/** What a row says of a product. */
interface Row {
	texts: Partial<Record<Field, string>>;
	/** The product's code in a column that was spared: it may be known by that. */
	otherSku?: string | undefined;
	isOffSale: boolean;
}

/** What is in a file's columns. */
interface Columns {
	/** Undefined where no system's is known. */
	layout: Layout | undefined;
	/** Whose words are used, by their index. */
	used: Set<number>;
	/** Columns of codes that some of the rows read so far did not need, as they had a better one. */
	spared: Set<number>;
	/** @returns undefined for a row that is no product of its own */
	read(record: string[]): Row | undefined;
	/** The product's id, which only a file of ours has. */
	idOf(record: string[]): string | undefined;
}

/** @throws CsvFileError for a header without a name, or with several columns where one must be chosen */
export function readColumns(header: string[], map: ColumnMap): Columns {
	const names = header.map(toPlain);
	const layout = layouts.find(({ knownBy }) =>
		knownBy.every((name) => names.includes(name)),
	);
	const indexes = new Map<Field, number[]>();
	for (const field of fields) {
		const mapped = map[field];
		const found =
			mapped !== undefined
				? [indexOfMapped(header, mapped)]
				: layout
					? indexesOf(header, names, field, layout.columns[field] ?? [])
					: indexesOf(header, names, field, commonNames[field]).slice(
							0,
							// A line without a barcode has its code elsewhere.
							field === "sku" ? undefined : 1,
						);
		if (found.length > 0) indexes.set(field, found);
	}
	if (!indexes.has("name"))
		throw new CsvFileError(
			`The header has no column for the name. It has: ${listed(header)}`,
		);
	const others = [
		...(layout?.variants ?? []),
		...(layout?.marks ?? []),
		...(layout?.id === undefined ? [] : [layout.id]),
	].flatMap((name) => matching(names, name));
	const spared = new Set<number>();
	const idIndex = names.indexOf(layout?.id ?? "");
	return {
		layout,
		used: new Set([...[...indexes.values()].flat(), ...others]),
		spared,
		read: openReader(names, indexes, layout, spared),
		idOf: (record) => withoutApostrophe(record[idIndex] ?? "") || undefined,
	};
}

/** One row after another: what a system says once for a product's rows is carried on to the others. */
function openReader(
	names: string[],
	indexes: Map<Field, number[]>,
	layout: Layout | undefined,
	spared: Set<number>,
): Columns["read"] {
	const parents = new Map<string, Row>();
	const seen = new Set<string>();

	return (record) => {
		const cell: Cell = (name) => (record[names.indexOf(name)] ?? "").trim();
		const cells: Cells = (begin) =>
			matching(names, `${begin}*`).map((index) => (record[index] ?? "").trim());
		const row: Row["texts"] = {};
		let otherSku: string | undefined;
		for (const [field, columns] of indexes) {
			const [first, other] = columns.flatMap((index) => {
				const text = toText(record[index] ?? "");
				return text === "" ? [] : [{ index, text }];
			});
			if (first) row[field] = first.text;
			if (field !== "sku" || !other || other.text === first?.text) continue;
			spared.add(other.index);
			otherSku = other.text;
		}
		if (!layout) return { texts: row, otherSku, isOffSale: false };
		if (layout.categories && row.category !== undefined)
			row.category = leafOf(row.category, layout.categories);
		if (layout.quotedCodes) row.sku = row.sku?.replace(/^'(?=\d+$)/, "");
		const parent = parents.get(layout.parent?.(cell) ?? "");
		const isOffSale =
			layout.isOffSale?.(cell, cells) ?? parent?.isOffSale ?? false;
		for (const key of layout.keys?.(cell) ?? [])
			if (key !== "" && !parents.has(key))
				parents.set(key, { texts: { ...row }, isOffSale });
		if (layout.isPassedOver?.(cell)) return undefined;
		for (const field of ["name", "category", "imageUrl"] as const) {
			const inherited = parent?.texts[field];
			if (row[field] === undefined && inherited !== undefined)
				row[field] = inherited;
		}
		if (layout.repeats && row.sku !== undefined) {
			if (seen.has(row.sku)) return undefined;
			if (row.name !== undefined) seen.add(row.sku);
		}
		const variant = (layout.variants ?? [])
			.map((column) => toText(cell(column)))
			.filter((word) => word !== "" && word !== layout.onlyVariant)
			.join(" / ");
		if (row.name !== undefined && variant !== "")
			row.name = `${row.name} - ${variant}`;
		return { texts: row, otherSku, isOffSale };
	};
}

function toText(cell: string): string {
	return withoutApostrophe(cell).trim();
}

/** Our own file keeps formulas from spreadsheets by an apostrophe, which is no part of the word. */
function withoutApostrophe(cell: string): string {
	return cell.replace(/^'(?='*[=+\-@\t\r])/, "");
}

/** @example leafOf("Food > Dairy, New", "paths") === "Dairy" */
function leafOf(category: string, kind: "path" | "paths"): string {
	// A comma within a name has a backslash before it.
	const [first = ""] =
		kind === "paths" ? category.split(/(?<!\\),/) : [category];
	return first.split(">").at(-1)?.replaceAll("\\,", ",").trim() ?? "";
}

/** @example toPlain("In stock [Main Street]") === "instockmainstreet" */
function toPlain(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The columns of a name, or of all that begin with it and go on, where it ends in `*`. */
function matching(names: string[], wanted: string): number[] {
	if (!wanted.endsWith("*")) {
		const index = names.indexOf(wanted);
		return index >= 0 ? [index] : [];
	}
	const begin = wanted.slice(0, -1);
	return names.flatMap((name, index) =>
		name.startsWith(begin) && name !== begin ? [index] : [],
	);
}

/** @throws CsvFileError where only places have it, and several */
function indexesOf(
	header: string[],
	names: string[],
	field: Field,
	wanted: string[],
): number[] {
	const matches = wanted.map((name) => matching(names, name));
	const found = matches.filter((places) => places.length === 1).flat();
	const several = matches.find((places) => places.length > 1);
	if (found.length === 0 && several)
		throw new CsvFileError(
			`The file has ${field} for several places: ${listed(several.map((index) => header[index] ?? ""))}. Choose one with --map "${field}=${header[several[0] as number]}"`,
		);
	return found;
}

/** What a person can read of it. */
function listed(header: string[]): string {
	const text = header.slice(0, shownMax).join(", ");
	return text.slice(0, shownMax * 20) || "nothing";
}

function indexOfMapped(header: string[], wanted: string): number {
	const exact = header.findIndex((name) => name.trim() === wanted);
	const index =
		exact >= 0 ? exact : header.map(toPlain).indexOf(toPlain(wanted));
	if (index >= 0) return index;
	throw new CsvFileError(
		`The header has no column ${wanted}. It has: ${listed(header)}`,
	);
}
