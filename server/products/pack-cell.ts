import type { ProductPack } from "../../sync/entities/pack-row.ts";
import { LineError } from "./import/line-error.ts";
import { fromPart, splitCell, toPart } from "./list-cell.ts";

/** A pack in a file of products; what is absent stays as it is. */
export interface FilePack {
	name: string;
	size: number;
	sellingPrice?: number;
	isActive?: boolean;
	codes: string[];
}

const decimal = /^\d+([.,]\d+)?$/;
const [yes, no] = ["yes", "no"];

/**
 * Reads the packs in a cell: name, size, price, whether it is sold, and codes.
 *
 * @example readPacks("Carton;24;1400;yes;15449000000993|Half carton;12")
 * @throws LineError
 */
export function readPacks(cell: string): FilePack[] {
	return splitCell(cell, "|")
		.filter((part) => part.trim() !== "")
		.map((part) => {
			const [name = "", size = "", price = "", sold = "", ...codes] = splitCell(
				part,
				";",
			).map(fromPart);
			const isSold = sold.toLowerCase();
			if (
				name === "" ||
				!decimal.test(size) ||
				(price !== "" && !decimal.test(price)) ||
				!["", yes, no].includes(isSold)
			)
				throw new LineError(
					"wrong_pack",
					`packs: "${part}" is not a pack like Carton;24;1400`,
					{ field: "packs", value: part },
				);
			return {
				...{ name, size: toNumber(size) },
				...(price !== "" && { sellingPrice: toNumber(price) }),
				...(isSold !== "" && { isActive: isSold === yes }),
				codes: codes.filter((code) => code !== ""),
			};
		});
}

/** Such a cell never has thousands marks. */
const toNumber = (text: string) => Number(text.replace(",", "."));

/** Writes packs for `readPacks`, or null for none. */
export function writePacks(
	packs: readonly ProductPack[],
	codesOf: (id: string) => readonly string[],
): string | null {
	const cells = packs.map(({ id, name, size, sellingPrice, isActive }) =>
		[
			...[name, String(size), String(sellingPrice ?? "")],
			isActive ? yes : no,
			...codesOf(id).toSorted(),
		]
			.map((part) => toPart(part ?? ""))
			.join(";"),
	);
	return cells.join("|") || null;
}
