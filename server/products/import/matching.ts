import { LineError } from "./line-error.ts";
import type { ProductLine } from "./product-file.ts";

/** A stored product. */
export type Known = Record<string, unknown> & { id: string };

/** A line's key: its trimmed SKU, or without one its trimmed name. */
export function keyOf({ sku, name }: Record<string, unknown>): string {
	const code = trimmed(sku);
	return code === "" ? `name ${trimmed(name)}` : `sku ${code}`;
}

/** An index of products, in which lines are looked up. */
export interface Matching {
	/** Adds or updates products, which must come in the order of their last change. */
	learn(products: readonly Known[]): void;
	/**
	 * Finds a line's product: by the id in a Counterfoil export, otherwise the only active product with its key (or with the
	 * file's second code), otherwise the most recently changed inactive one.
	 *
	 * @throws LineError if several active products match
	 */
	find(line: ProductLine): Known | undefined;
}

export function openMatching(): Matching {
	const byId = new Map<string, Known>();
	const byKey = new Map<string, Map<string, Known>>();

	/** A product is indexed both by its code and by its name. */
	function keysOf(product: Known): Set<string> {
		return new Set([keyOf(product), keyOf({ name: product.name })]);
	}

	function forget(product: Known): void {
		for (const key of keysOf(product)) byKey.get(key)?.delete(product.id);
	}

	return {
		learn(products) {
			for (const product of products) {
				const before = byId.get(product.id);
				if (before) forget(before);
				byId.set(product.id, product);
				for (const key of keysOf(product)) {
					const alike = byKey.get(key) ?? new Map<string, Known>();
					byKey.set(key, alike.set(product.id, product));
				}
			}
		},

		find({ id, otherSku, fields }) {
			const own = id === undefined ? undefined : byId.get(id);
			if (own) return own;
			const known = (key: string) => [...(byKey.get(key)?.values() ?? [])];
			const byCode = known(keyOf(fields));
			const alike =
				byCode.length === 0 && otherSku !== undefined
					? known(keyOf({ sku: otherSku }))
					: byCode;
			const sold = alike.filter(({ isActive }) => isActive);
			if (sold.length > 1)
				throw new LineError(
					"several_products",
					`Several products have this ${fields.sku === undefined ? "name" : "SKU"}`,
					{ field: fields.sku === undefined ? "name" : "sku" },
				);
			return sold[0] ?? alike.at(-1);
		},
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
