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
 * key.
 *
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
		const [found, ...others] = byKey.get(keyOf(fields)) ?? [];
		if (others.length > 0)
			throw new ShopError(
				"invalid_args",
				`Several products have this ${fields.sku === undefined ? "name" : "SKU"}`,
			);
		return found;
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
