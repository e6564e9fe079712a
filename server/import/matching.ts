import { ShopError } from "../../sync/errors.ts";
import type { ProductLine } from "./product-csv.ts";

/** A product as it stands. */
export type Known = Record<string, unknown> & { id: string };

/** What a line is known by: its sku, or without one its name. White space around a word is no part of it. */
export function keyOf({ sku, name }: Record<string, unknown>): string {
	const code = trimmed(sku);
	return code === "" ? `name ${trimmed(name)}` : `sku ${code}`;
}

/**
 * Opens the search for the product that a line means: the one whose id our own file gives, or else the only one of its
 * key that is sold, or else the last of those that no longer are.
 *
 * @param products those changed last at the end
 * @throws ShopError from the search, where several products may be meant
 */
export function openMatching(
	products: Known[],
): (line: ProductLine) => Known | undefined {
	const byId = new Map(products.map((row) => [row.id, row]));
	const byKey = new Map<string, Known[]>();
	for (const row of products)
		for (const key of new Set([keyOf(row), keyOf({ name: row.name })])) {
			const alike = byKey.get(key);
			if (alike) alike.push(row);
			else byKey.set(key, [row]);
		}

	return ({ id, fields }) => {
		const own = id === undefined ? undefined : byId.get(id);
		if (own) return own;
		const alike = byKey.get(keyOf(fields)) ?? [];
		const sold = alike.filter(({ isActive }) => isActive);
		if (sold.length > 1)
			throw new ShopError(
				"invalid_args",
				`Several products have this ${fields.sku === undefined ? "name" : "SKU"}`,
			);
		return sold[0] ?? alike.at(-1);
	};
}

export function isSame(stored: unknown, given: unknown): boolean {
	return typeof given === "string"
		? trimmed(stored) === given
		: stored === given;
}

export function trimmed(word: unknown): string {
	return typeof word === "string" ? word.trim() : "";
}
