import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { LabelGoods } from "./use-pack-labels.ts";

/** What is compared, and how many of a unit it is. */
const bases = {
	kg: { per: "kg", count: 1 },
	g: { per: "kg", count: 1_000 },
	l: { per: "l", count: 1 },
	cl: { per: "l", count: 100 },
	ml: { per: "l", count: 1_000 },
	m: { per: "m", count: 1 },
} as const;
type Unit = keyof typeof bases;

const isUnit = (word: string): word is Unit => Object.hasOwn(bases, word);

/**
 * `2 kg`, `6 x 500 ml`, `0,5 L x12`; no metres, which are also a machine's or a size. It begins with a whole number: from
 * each digit of a long one it would take too long.
 */
const sizes =
	/(?<!\d)(?:(\d+)\s*[x×]\s*)?(\d+(?:[.,]\d+)?)\s*(kg|g|cl|ml|l)\b(?:\s*[x×]\s*(\d+))?/gi;

interface UnitPrice {
	price: number;
	per: (typeof bases)[Unit]["per"];
}

/**
 * Returns what a kilogram, litre or metre costs, rounded to hundredths: by the product's unit, or by the size that its name
 * ends with.
 */
export function unitPriceOf({
	name,
	unit,
	sellingPrice,
	packSize = 1,
}: Pick<LabelGoods, "name" | "unit" | "sellingPrice" | "packSize">):
	| UnitPrice
	| undefined {
	if (sellingPrice === null) return undefined;
	const found = unit && isUnit(unit) ? { unit, size: 1 } : sizeIn(name);
	if (!found || !(found.size > 0)) return undefined;
	const { per, count } = bases[found.unit];
	const exact = (toMicros(sellingPrice) / (found.size * packSize)) * count;
	return { price: toDecimal(Math.round(exact / 10_000) * 10_000), per };
}

function sizeIn(name: string): { unit: Unit; size: number } | undefined {
	const last = [...name.matchAll(sizes)].at(-1);
	if (!last) return undefined;
	const [, before = "1", amount = "", word = "", after = "1"] = last;
	const unit = word.toLowerCase();
	if (!isUnit(unit)) return undefined;
	const size =
		Number(amount.replace(",", ".")) * Number(before) * Number(after);
	// A 5G modem is no 5 g.
	return unit === "g" && size < 7 ? undefined : { unit, size };
}
