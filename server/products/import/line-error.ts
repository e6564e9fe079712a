import type { ImportRefusal } from "../../../sync/protocol/import-refusals.ts";

/** A line can't be imported; the message says why to developers, and the code to people. */
export class LineError extends Error {
	override readonly name = "LineError";
	readonly code: ImportRefusal["code"];
	readonly field: string | undefined;
	readonly value: string | undefined;

	constructor(
		code: ImportRefusal["code"],
		message: string,
		{ field, value }: { field?: string | undefined; value?: string } = {},
	) {
		super(message);
		this.code = code;
		this.field = field;
		this.value = value;
	}
}

/** A line that can't be imported, with its cells. */
export interface RefusedLine extends ImportRefusal {
	record: string[];
}

export function refuseLine(
	{ line, record }: { line: number; record: string[] },
	{ code, message: reason, field, value }: LineError,
): RefusedLine {
	return {
		line,
		record,
		reason,
		code,
		...(field === undefined ? {} : { field }),
		...(value === undefined ? {} : { value }),
	};
}

/** A refused line as it is answered: without its cells. */
export function toWire({ record, ...refusal }: RefusedLine): ImportRefusal {
	return refusal;
}
