import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { searchable } from "../../../sync/fields.ts";

const foundMax = 200;

/** What is sold, ready to be looked through at each key that is pressed. */
export interface Catalogue {
	/** Active ones, by name. */
	products: readonly Product[];
	/** Those that are no longer sold. */
	inactive: readonly Product[];
	byId: ReadonlyMap<string, Product>;
	categories: readonly Category[];
	/** By sku, which is the barcode where goods have one. */
	byCode(code: string): Product | undefined;
	/** Those whose name or sku holds every word, the best first; all of the category where nothing is searched. */
	find(words: string, categoryId?: string | null): readonly Product[];
}

export function toCatalogue(
	products: Product[],
	categories: Category[],
): Catalogue {
	const active = products
		.filter(({ isActive }) => isActive)
		.map((product) => ({
			product,
			name: searchable(product.name),
			text: `${searchable(product.name)}\n${searchable(product.sku ?? "")}`,
		}))
		.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
	const all = active.map(({ product }) => product);
	const byCode = new Map<string, Product>();
	for (const product of all)
		if (product.sku) byCode.set(normalCode(product.sku), product);
	return {
		products: all,
		inactive: products.filter(({ isActive }) => !isActive),
		byId: new Map(products.map((product) => [product.id, product])),
		categories: categories.toSorted(
			(a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name),
		),
		byCode: (code) => byCode.get(normalCode(code)),
		find(words, categoryId) {
			const parts = searchable(words).split(/\s+/).filter(Boolean);
			const inCategory = (product: Product) =>
				categoryId == null || product.categoryId === categoryId;
			if (parts.length === 0)
				return categoryId == null ? all : all.filter(inCategory);
			const first: Product[] = [];
			const rest: Product[] = [];
			for (const { product, name, text } of active) {
				if (!parts.every((part) => text.includes(part))) continue;
				if (!inCategory(product)) continue;
				(name.startsWith(parts[0] as string) ? first : rest).push(product);
				if (first.length >= foundMax) break;
			}
			return [...first, ...rest].slice(0, foundMax);
		},
	};
}

/** A UPC of twelve digits is the EAN of thirteen that begins with a zero. */
function normalCode(code: string): string {
	const trimmed = code.trim().toLowerCase();
	return /^\d{12}$/.test(trimmed) ? `0${trimmed}` : trimmed;
}
