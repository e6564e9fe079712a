/** A text on a page, by its left end and its baseline; y grows upwards. */
interface PlacedText {
	str: string;
	x: number;
	y: number;
	width: number;
	fontSize: number;
}

/** Texts on one baseline, from left to right. */
interface Line {
	y: number;
	fontSize: number;
	cells: PlacedText[];
}

interface Column {
	name: string;
	left: number;
	right: number;
}

/** What a header must have. */
const columnsNeeded = [
	/^receipt/i,
	/^(completed|completion) time$/i,
	/^paid in$/i,
];
/** How many lines above and below its first name the names of a header may take. */
const wraps = [0, 1, 2].flatMap((above) =>
	[0, 1, 2].map((below) => [above, below] as const),
);
/** A line belongs to the row above it if it is at most so many letters' heights below. */
const wrapHeights = 2;
const rowBegin = /^[A-Z0-9]{8,12}$/;

/**
 * Reads the table of an M-PESA statement from the texts of its pages. Cells belong to the column whose name they stand under;
 * a line without a code continues the row above it.
 *
 * @returns the names of its columns, and its rows; undefined if no page has such a table
 */
export function readPdfTable(
	pages: readonly (readonly PlacedText[])[],
): string[][] | undefined {
	let columns: Column[] | undefined;
	const rows: string[][] = [];
	for (const page of pages) {
		const lines = linesOf(page);
		const header = findHeader(lines);
		// Not every page repeats the names.
		if (header && !columns) columns = header.columns;
		if (columns)
			rows.push(
				...readRows(lines.slice(header?.end ?? 0), {
					places: header?.columns ?? columns,
					columns,
				}),
			);
	}
	return columns && [columns.map(({ name }) => name), ...rows];
}

function linesOf(page: readonly PlacedText[]): Line[] {
	const lines: Line[] = [];
	const texts = page.filter(({ str }) => str.trim() !== "");
	for (const text of [...texts].sort((a, b) => b.y - a.y)) {
		const last = lines.at(-1);
		if (last && last.y - text.y < text.fontSize / 3) last.cells.push(text);
		else lines.push({ y: text.y, fontSize: text.fontSize, cells: [text] });
	}
	for (const line of lines) line.cells = joined(line.cells);
	return lines;
}

/** Joins words that stand as near as those of one cell. */
function joined(texts: readonly PlacedText[]): PlacedText[] {
	const cells: PlacedText[] = [];
	for (const text of [...texts].sort((a, b) => a.x - b.x)) {
		const last = cells.at(-1);
		const gap = last ? text.x - last.x - last.width : Infinity;
		if (last && gap < text.fontSize * 0.4) {
			const space = gap > text.fontSize * 0.1 ? " " : "";
			last.str += space + text.str;
			last.width = text.x + text.width - last.x;
		} else cells.push({ ...text });
	}
	return cells;
}

/** @returns the columns, and the line after their names */
function findHeader(
	lines: readonly Line[],
): { columns: Column[]; end: number } | undefined {
	for (const [i, { cells }] of lines.entries()) {
		if (!cells.some(({ str }) => /^receipt/i.test(str.trim()))) continue;
		for (const [above, below] of wraps) {
			const [begin, end] = [Math.max(i - above, 0), i + below + 1];
			const columns = columnsOf(lines.slice(begin, end));
			if (isHeader(columns)) return { columns, end };
		}
	}
	return undefined;
}

const isHeader = (columns: readonly Column[]) =>
	columnsNeeded.every((needed) =>
		columns.some(({ name }) => needed.test(name)),
	);

/** Joins the parts of a name that takes several lines. */
function columnsOf(lines: readonly Line[]): Column[] {
	const columns: Column[] = [];
	for (const { cells } of lines)
		for (const { str, x, width } of cells) {
			const right = x + width;
			const above = columns.find((one) => one.left < right && x < one.right);
			if (above) {
				above.name += ` ${str.trim()}`;
				above.left = Math.min(above.left, x);
				above.right = Math.max(above.right, right);
			} else columns.push({ name: str.trim(), left: x, right });
		}
	return columns.sort((a, b) => a.left - b.left);
}

function readRows(
	lines: readonly Line[],
	{
		places,
		columns,
	}: { places: readonly Column[]; columns: readonly Column[] },
): string[][] {
	const rows: string[][] = [];
	const codeAt = columns.findIndex(({ name }) => /^receipt/i.test(name));
	let row: string[] | undefined;
	let above = Infinity;
	for (const { y, fontSize, cells } of lines) {
		const placed = cells.map(({ str, x, width }) => ({
			str: str.trim(),
			at: columnAt(places, x, x + width),
		}));
		const code = placed.find(({ at }) => at === codeAt);
		if (code && rowBegin.test(code.str)) {
			row = columns.map(() => "");
			rows.push(row);
		} else if (code || above - y > fontSize * wrapHeights) row = undefined;
		for (const { str, at } of placed)
			if (row) row[at] = row[at] ? `${row[at]} ${str}` : str;
		above = y;
	}
	return rows;
}

/** Returns the column that a cell stands under, else the nearest. */
function columnAt(
	columns: readonly Column[],
	left: number,
	right: number,
): number {
	const distances = columns.map((column) =>
		Math.max(column.left - right, left - column.right),
	);
	return distances.indexOf(Math.min(...distances));
}
