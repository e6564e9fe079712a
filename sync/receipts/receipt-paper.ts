import type { Receipt } from "../queries/receipt.ts";

/** Characters per line of thermal paper, by its width in millimetres. */
export const columnsByWidth = { 58: 32, 80: 48 } as const;
export type PaperWidth = keyof typeof columnsByWidth;

const money = new Intl.NumberFormat("en", {
	minimumFractionDigits: 2,
	maximumFractionDigits: 6,
	// No minus sign before zero.
	signDisplay: "negative",
});
const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

export const toMoney = (amount: number) => money.format(amount);
export const toQuantity = (quantity: number) => plain.format(quantity);

/** The lines below the goods, each a label and an amount. */
export function totalsOf(receipt: Receipt): [string, string][] {
	const { business, refunds, refundedTotal, total } = receipt;
	const rows: [string, string][] = [
		[`TOTAL ${business.currency}`, toMoney(total)],
		[receipt.paymentMethod, toMoney(receipt.paid)],
		receipt.change < 0
			? ["Short by", toMoney(-receipt.change)]
			: ["Change", toMoney(receipt.change)],
	];
	for (const { kind, reason, total: back } of refunds)
		rows.push([
			`${kind === "void" ? "Void" : "Refund"}: ${reason}`,
			toMoney(-back),
		]);
	if (refunds.length > 0)
		rows.push(["After refunds", toMoney(total - refundedTotal)]);
	return rows;
}

/** The lines above the goods. */
export function headingOf(receipt: Receipt): string[] {
	return [
		receipt.number === null ? receipt.id : `Receipt ${receipt.number}`,
		receipt.localTime,
		...(receipt.cashier === null ? [] : [`Served by ${receipt.cashier}`]),
	];
}

/** Renders a receipt as plain text for a thermal printer. */
export function toText(receipt: Receipt, width: PaperWidth): string {
	const columns = columnsByWidth[width];
	const { business, lines, notes, status } = receipt;
	const rule = "-".repeat(columns);
	const center = (text: string) =>
		wrap(text, columns).map(
			(line) =>
				`${" ".repeat(Math.floor((columns - lengthOf(line)) / 2))}${line}`,
		);
	const spread = (label: string, amount: string) => {
		const room = columns - lengthOf(amount) - 1;
		const labels = wrap(label, room);
		const last = labels.pop() ?? "";
		const gap = " ".repeat(columns - lengthOf(last) - lengthOf(amount));
		return [...labels, `${last}${gap}${amount}`];
	};
	const paragraph = (text: string | null) =>
		(text ?? "").split("\n").flatMap((line) => (line ? center(line) : []));
	return [
		...center(business.name),
		...paragraph(business.header),
		...headingOf(receipt).flatMap(center),
		...(status === "sold" ? [] : center(`*** ${status.toUpperCase()} ***`)),
		rule,
		...lines.flatMap(({ name, quantity, price, total, refunded }) => [
			...wrap(name, columns),
			...spread(
				`  ${toQuantity(quantity)} x ${toMoney(price)}`,
				toMoney(total),
			),
			...(refunded > 0 ? [`  taken back: ${toQuantity(refunded)}`] : []),
		]),
		rule,
		...totalsOf(receipt).flatMap(([label, amount]) => spread(label, amount)),
		...(notes === null ? [] : [rule, ...wrap(notes, columns)]),
		...(business.footer === null ? [] : [rule, ...paragraph(business.footer)]),
		"",
	].join("\n");
}

/** Breaks lines at spaces if possible. Control characters become spaces, because a printer would obey them. */
function wrap(text: string, columns: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.replace(/\p{Cc}/gu, " ").split(/(?<= )/)) {
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

function lengthOf(text: string): number {
	return [...text].length;
}
