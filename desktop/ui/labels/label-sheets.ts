/** Sheets and rolls of labels, in millimetres. A roll has one label a page, and its printer's driver feeds it. */
export interface LabelSheet {
	page: "A4" | "roll";
	width: number;
	height: number;
	columns: number;
	rows: number;
	/** From the page's edge to the first label. */
	top: number;
	left: number;
	/** Between two columns. */
	gap: number;
}

const a4 = { page: "A4", gap: 2.5 } as const;
const one = { columns: 1, rows: 1, top: 0, left: 0, gap: 0 };
const roll = { page: "roll", ...one } as const;

/** By the name that makers and shops use: columns and rows of a sheet, or a roll's width and height. */
export const labelSheets = {
	"3 × 8": {
		...{ ...a4, width: 70, height: 37, columns: 3, rows: 8 },
		...{ top: 0.5, left: 0, gap: 0 },
	},
	"3 × 7": {
		...{ ...a4, width: 63.5, height: 38.1, columns: 3, rows: 7 },
		...{ top: 15.1, left: 7.2 },
	},
	"5 × 13": {
		...{ ...a4, width: 38.1, height: 21.2, columns: 5, rows: 13 },
		...{ top: 10.7, left: 4.7 },
	},
	"4 × 10": {
		...{ ...a4, width: 48.5, height: 25.4, columns: 4, rows: 10 },
		...{ top: 21.5, left: 8, gap: 0 },
	},
	"2 × 7": {
		...{ ...a4, width: 99.1, height: 38.1, columns: 2, rows: 7 },
		...{ top: 15.1, left: 4.6 },
	},
	"40 × 30 mm": { ...roll, width: 40, height: 30 },
	"50 × 30 mm": { ...roll, width: 50, height: 30 },
	"57 × 32 mm": { ...roll, width: 57, height: 32 },
	"100 × 50 mm": { ...roll, width: 100, height: 50 },
} as const satisfies Record<string, LabelSheet>;
export type SheetName = keyof typeof labelSheets;

/**
 * Divides labels into pages.
 *
 * @param used how many labels of the first sheet are gone
 * @returns undefined where a label is gone
 */
export function pagesOf<T>(
	labels: readonly T[],
	{ columns, rows, page }: LabelSheet,
	used: number,
): (T | undefined)[][] {
	const places = columns * rows;
	const gone = page === "roll" ? 0 : Math.min(Math.max(used, 0), places - 1);
	const all = [...new Array<undefined>(gone), ...labels];
	return Array.from({ length: Math.ceil(all.length / places) }, (_, i) =>
		all.slice(i * places, (i + 1) * places),
	);
}
