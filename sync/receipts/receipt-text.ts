import type {
	ItemBlock,
	ReceiptBlock,
	ReceiptDocument,
} from "./receipt-document.ts";

/** Characters per line of thermal paper, by its width in millimetres. */
export const columnsByWidth = { 58: 32, 80: 48 } as const;

/** Renders a receipt as plain text with lines of at most this many characters; only a link may be longer. */
export function toText({ blocks }: ReceiptDocument, columns: number): string {
	return [...blocks.flatMap((block) => toLines(block, columns)), ""].join("\n");
}

/** The lines of one block. Letters that few printers have are replaced by similar ones. */
export function toLines(block: ReceiptBlock, columns: number): string[] {
	switch (block.kind) {
		case "logo":
		case "code":
		case "tear":
			return [];
		case "title":
			return centered(block.text, columns);
		case "paragraph":
			return block.align === "center"
				? centered(block.text, columns)
				: wrapped(block.text, columns);
		case "mark":
			return centered(`*** ${block.text} ***`, columns);
		case "pair":
			return spread(block.label, block.value, columns);
		case "total":
			// Plain text has no other emphasis.
			return spread(block.label.toUpperCase(), block.value, columns);
		case "item":
			return itemLines(block, columns);
		case "rule":
			return ["-".repeat(columns)];
		case "qr":
			return [...centered(block.caption, columns), block.url];
	}
}

function itemLines(
	{ name, each, amount, notes }: ItemBlock,
	columns: number,
): string[] {
	const indented = notes.flatMap((note) => wrapped(`  ${note}`, columns));
	if (each === null) return [...spread(name, amount, columns), ...indented];
	const was = each.was === null ? "" : `, ${each.was.words}`;
	return [
		...wrapped(name, columns),
		...spread(
			`  ${each.quantity} x ${each.pack}${each.price}${was}`,
			amount,
			columns,
		),
		...indented,
	];
}

function centered(text: string, columns: number): string[] {
	return wrapped(text, columns).map(
		(line) =>
			`${" ".repeat(Math.floor((columns - lengthOf(line)) / 2))}${line}`,
	);
}

/** The least share of a line that a label keeps beside its value. */
const labelShare = 1 / 3;

/** A label at the left and a value at the right of the label's last line, or below it if the value is too long. */
function spread(label: string, value: string, columns: number): string[] {
	const right = printable(value);
	const beside = columns - lengthOf(right) - 1;
	if (beside < columns * labelShare)
		return [
			...wrapped(label, columns),
			...wrapped(right, columns).map(
				(line) => " ".repeat(columns - lengthOf(line)) + line,
			),
		];
	const labels = wrapped(label, beside);
	const last = labels.pop() ?? "";
	const gap = " ".repeat(columns - lengthOf(last) - lengthOf(right));
	return [...labels, `${last}${gap}${right}`];
}

function wrapped(text: string, columns: number): string[] {
	return text
		.split("\n")
		.flatMap((line) => (line.trim() === "" ? [] : wrap(line, columns)));
}

/** Breaks a line at spaces if possible. */
function wrap(text: string, columns: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of printable(text).split(/(?<= )/)) {
		if (lengthOf(line + word.trimEnd()) <= columns) {
			line += word;
			continue;
		}
		if (line.trim() !== "") lines.push(line.trimEnd());
		let rest = [...word];
		while (rest.length > columns) {
			lines.push(rest.slice(0, columns).join(""));
			rest = rest.slice(columns);
		}
		line = rest.join("");
	}
	lines.push(line.trimEnd());
	return lines;
}

/** Control characters become spaces, because a printer would obey them. */
function printable(text: string): string {
	return text
		.replace(/[\p{Cc}\u00A0\u202F]/gu, " ")
		.replaceAll("−", "-")
		.replaceAll("×", "x");
}

function lengthOf(text: string): number {
	return [...text].length;
}
