import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import type { ImportNote } from "../../../sync/protocol/import-notes.ts";
import { withoutApostrophe } from "../../http/csv.ts";
import { commonNames } from "./column-names.ts";
import {
	type Cell,
	type Cells,
	type Field,
	fields,
	type Layout,
	layouts,
} from "./layouts.ts";

/** The most columns that a message lists. */
const shownMax = 50;

/** Columns of fields as chosen by the user; null for a field that no column has. */
export type ColumnMap = Partial<Record<Field, string | null>>;

/** A product as read from a row. */
export interface Row {
	texts: Partial<Record<Field, string>>;
	/** The product's code in a second column, by which an earlier import may have stored it. */
	otherSku?: string | undefined;
	isOffSale: boolean;
	/** What was left out of the row. */
	notes: ImportNote["code"][];
}

/** The recognized columns of a file, and how to read its rows. */
export interface Columns {
	/** The recognized system, if any. */
	layout: Layout | undefined;
	/** Indexes of the columns in use. */
	used: Set<number>;
	/** Columns that were ignored in some rows so far, because those had a better one for the field. */
	spared: Set<number>;
	/** Columns of several places, of which none was chosen. */
	places: number[];
	/** @returns undefined for a row that is not a product, such as a further picture */
	read(record: string[]): Row | undefined;
	/** The product's id, which only Counterfoil's exports have. */
	idOf(record: string[]): string | undefined;
}

/** Recognizes a header's columns. @throws CsvFileError if it has no name column, or if the user must choose between several */
export function readColumns(header: string[], map: ColumnMap): Columns {
	const { names, layout, find, placesOf } = recognize(header);
	const indexes = new Map<Field, number[]>();
	for (const field of fields) {
		const mapped = map[field];
		if (mapped === null) continue;
		const found =
			mapped !== undefined ? [indexOfMapped(header, mapped)] : find(field);
		if (found.length > 0) indexes.set(field, found);
	}
	if (!indexes.has("name"))
		throw new CsvFileError(
			`The header has no column for the product name. Its columns are: ${listed(header)}`,
		);
	const others = [
		...(layout?.variants ?? []),
		...(layout?.marks ?? []),
		...(layout?.id === undefined ? [] : [layout.id]),
	].flatMap((name) => matching(names, name));
	const spared = new Set<number>();
	const idIndex = names.indexOf(layout?.id ?? "");
	const used = new Set([...[...indexes.values()].flat(), ...others]);
	return {
		layout,
		used,
		spared,
		places: fields.flatMap(placesOf).filter((index) => !used.has(index)),
		read: openReader(names, indexes, layout, spared),
		idOf: (record) => withoutApostrophe(record[idIndex] ?? "") || undefined,
	};
}

/** The field that each column of a header is read as; null for a column that isn't recognized, or that the user must choose. */
export function recognizedFields(header: string[]): (Field | null)[] {
	const { find } = recognize(header);
	const found: (Field | null)[] = header.map(() => null);
	for (const field of fields) {
		try {
			for (const index of find(field)) found[index] ??= field;
		} catch (error) {
			if (!(error instanceof CsvFileError)) throw error;
		}
	}
	return found;
}

/** Recognizes a header's system, and finds the columns of a field. */
function recognize(header: string[]) {
	const names = header.map(toPlain);
	const layout = layouts.find(({ knownBy }) =>
		knownBy.every((name) => names.includes(name)),
	);
	/** @throws CsvFileError if the user must choose between several */
	function find(field: Field): number[] {
		if (layout)
			return indexesOf(header, names, field, layout.columns[field] ?? []);
		const found = indexesOf(header, names, field, commonNames[field]);
		// A row without a barcode may have a code in another column.
		return found.slice(0, field === "sku" ? undefined : 1);
	}
	const placesOf = (field: Field) =>
		(layout?.columns[field] ?? [])
			.map((name) => matching(names, name))
			.filter((places) => places.length > 1)
			.flat();
	return { names, layout, find, placesOf };
}

/** What a product's other rows inherit from its first one. */
interface Parent {
	name?: string;
	category?: string;
	imageUrl: string | undefined;
	isOffSale: boolean;
}

/** Reads rows in order, so that values that a system writes only in a product's first row carry over to its other rows. */
function openReader(
	names: string[],
	indexes: Map<Field, number[]>,
	layout: Layout | undefined,
	spared: Set<number>,
): Columns["read"] {
	const parents = new Map<string, Parent>();
	const seen = new Set<string>();

	return (record) => {
		const cell: Cell = (name) => (record[names.indexOf(name)] ?? "").trim();
		const cells: Cells = (begin) =>
			matching(names, `${begin}*`).map((index) => (record[index] ?? "").trim());
		const row: Row["texts"] = {};
		const notes: Row["notes"] = [];
		let otherSku: string | undefined;
		/** The product's picture, rather than the variant's. */
		let inheritable: string | undefined;
		for (const [field, columns] of indexes) {
			const [first, other] = columns.flatMap((index) => {
				const text = toText(record[index] ?? "");
				return text === "" ? [] : [{ index, text }];
			});
			if (first) row[field] = first.text;
			if (field === "imageUrl") inheritable = (other ?? first)?.text;
			if (!other || other.text === first?.text) continue;
			spared.add(other.index);
			if (field !== "sku") continue;
			otherSku = other.text;
			notes.push("second_code");
		}
		if (!layout) return { texts: row, otherSku, isOffSale: false, notes };
		if (layout.categories && row.category !== undefined) {
			const leaf = leafOf(row.category, layout.categories);
			if (leaf !== row.category.replaceAll("\\,", ","))
				notes.push("category_part");
			row.category = leaf;
		}
		if (layout.quotedCodes) row.sku = row.sku?.replace(/^'(?=\d+$)/, "");
		const parent = parents.get(layout.parent?.(cell) ?? "");
		const isOffSale =
			layout.isOffSale?.(cell, cells) ?? parent?.isOffSale ?? false;
		for (const key of layout.keys?.(cell) ?? [])
			if (key !== "" && !parents.has(key))
				parents.set(key, { ...row, imageUrl: inheritable, isOffSale });
		if (layout.isPassedOver?.(cell)) return undefined;
		for (const field of ["name", "category", "imageUrl"] as const) {
			const inherited = parent?.[field];
			if (row[field] === undefined && inherited !== undefined)
				row[field] = inherited;
		}
		if (layout.repeats && row.sku !== undefined) {
			if (seen.has(row.sku)) return undefined;
			if (row.name !== undefined) seen.add(row.sku);
		}
		const variant = (layout.variants ?? [])
			.map((column) => toText(cell(column)))
			.map((text) => (layout.namesOptions ? optionsOf(text) : text))
			.filter((word) => word !== "" && word !== layout.onlyVariant)
			.join(", ")
			.replace(/,(?=\S)/g, ", ");
		if (row.name !== undefined && variant !== "")
			row.name = `${row.name}, ${variant}`;
		if (layout.isService?.(cell)) row.isService = "yes";
		return { texts: row, otherSku, isOffSale, notes };
	};
}

function toText(cell: string): string {
	return withoutApostrophe(cell).trim();
}

/** @example leafOf("Food > Dairy, New", "paths") === "Dairy" */
function leafOf(
	category: string,
	kind: NonNullable<Layout["categories"]>,
): string {
	// A comma within a name is escaped with a backslash.
	const [first = ""] =
		kind === "paths" ? category.split(/(?<!\\),/) : [category];
	const leaf = first.split(kind === "slashes" ? " / " : ">").at(-1);
	return leaf?.replaceAll("\\,", ",").trim() ?? "";
}

/** @example toPlain("En stock [Café]") === "enstockcafe" */
function toPlain(name: string): string {
	return name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");
}

/** Indexes of the columns with a name, or with a prefix if `wanted` ends in `*`. */
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

/** @throws CsvFileError if a field has columns for several places but no general one */
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
			`The file has several columns for ${field}: ${listed(several.map((index) => header[index] ?? ""))}. Choose one with --map "${header[several[0] as number]}=${field}"`,
		);
	return found;
}

/** A readable list of columns, shortened if long. */
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
		`The header has no column ${wanted}. Its columns are: ${listed(header)}`,
	);
}

/** The options of `Size: L, Colour: Red` without their names. */
const optionsOf = (text: string): string =>
	text
		.split(",")
		.map((option) => option.slice(option.lastIndexOf(":") + 1).trim())
		.join(", ");
