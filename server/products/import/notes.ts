import { hasWrongCheckDigit } from "../../../sync/entities/gtin.ts";
import type { ImportNote } from "../../../sync/protocol/import-notes.ts";
import type { Columns, Row } from "./columns.ts";
import type { Table } from "./table.ts";

/** Of a price that the cashier enters at each sale, what Square and Loyverse write. */
export const hasNoFixedPrice = (text: string) => /^variable$/i.test(text);

/** The pictures that a note names; of the others it has the lines. */
const picturesMax = 20;

/** What a picture's address ends with. */
const nameOf = (address = "") =>
	address
		.replace(/[?#].*$/, "")
		.split("/")
		.at(-1) || address;

const namesIn = (pictures: readonly string[]) =>
	[
		...pictures.slice(0, picturesMax),
		...(pictures.length > picturesMax ? ["…"] : []),
	].join(", ");

const html = /<\/?[a-z][^<>]*>/i;

/** Collects what an import leaves out or changes, by what it is. */
export function openNotes(
	header: readonly string[],
	columns: Columns,
	{ isWindows1252, otherSheets = [] }: Table,
) {
	const linesByCode = new Map<ImportNote["code"], number[]>();
	const withHtml = new Set<number>();
	const pictures: string[] = [];
	const listed = (indexes: Iterable<number>) =>
		[...indexes].map((index) => header[index]).join(", ");

	function add(code: ImportNote["code"], line: number): void {
		const lines = linesByCode.get(code);
		if (lines) lines.push(line);
		else linesByCode.set(code, [line]);
	}

	return {
		add,

		/** Adds what was left out of a row that is imported. */
		addAll(
			{ notes, texts, isOffSale }: Row,
			codes: readonly string[],
			line: number,
		): void {
			for (const code of notes) add(code, line);
			if (isOffSale) add("not_on_sale", line);
			if (hasNoFixedPrice(texts.sellingPrice ?? ""))
				add("no_fixed_price", line);
			if (codes.some(hasWrongCheckDigit)) add("check_digit", line);
			if (!/^https?:/i.test(texts.imageUrl ?? "")) return;
			add("picture_skipped", line);
			if (pictures.length <= picturesMax) pictures.push(nameOf(texts.imageUrl));
		},

		/** Looks for HTML in columns that are left out. */
		look(record: readonly string[]): void {
			for (const [index, cell] of record.entries())
				if (cell.includes("<") && !columns.used.has(index) && html.test(cell))
					withHtml.add(index);
		},

		read(): ImportNote[] {
			const files: [ImportNote["code"], string][] = [
				["several_places", listed(columns.places)],
				["html", listed(withHtml)],
				["other_sheets", otherSheets.join(", ")],
			];
			return [
				...files.flatMap(([code, value]) =>
					value === "" ? [] : [{ code, value, lines: [] }],
				),
				...(isWindows1252
					? [{ code: "guessed_encoding" as const, lines: [] }]
					: []),
				...[...linesByCode].map(([code, lines]) => ({
					...{ code, lines },
					...(code === "picture_skipped" && { value: namesIn(pictures) }),
				})),
			];
		},
	};
}
