import type * as z from "zod";
import type {
	Category,
	categoryCreate,
	categoryUpdate,
} from "../../../sync/entities/category.ts";
import type {
	Product,
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import type { saleCreate } from "../../../sync/entities/sale.ts";
import type { stockAdjust } from "../../../sync/entities/stock.ts";
import { toDecimal, toMicros } from "../../../sync/money.ts";
import type { OutboxEntry } from "./database.ts";

/** What a shop sells, as the feed brought it. */
interface Sold {
	products: ReadonlyMap<string, Product>;
	categories: ReadonlyMap<string, Category>;
}
/** The same, to be changed. */
interface Shown {
	products: Map<string, Product>;
	categories: Map<string, Category>;
}
type ArgsOf<M extends { args: z.ZodType }> = z.input<M["args"]>;

/** What is sold with all that was made here and that the feed has not brought yet; what the server refused is not. */
export function withUnseen(
	{ products, categories }: Sold,
	entries: readonly OutboxEntry[],
	cursorVersion: number,
): { products: Product[]; categories: Category[] } {
	const shown = {
		products: new Map(products),
		categories: new Map(categories),
	};
	for (const entry of entries) {
		const { state, version = Number.POSITIVE_INFINITY } = entry;
		const isSeen = state === "acknowledged" && version <= cursorVersion;
		if (!isSeen && state !== "rejected") effects[entry.name]?.(shown, entry);
	}
	return {
		products: [...shown.products.values()],
		categories: [...shown.categories.values()],
	};
}

/** What the mutations that this app makes do, as far as the till shows it; the server has the last word. */
const effects: Record<string, (shown: Shown, entry: OutboxEntry) => void> = {
	"sale.create"(shown, { args }) {
		const { items } = args as ArgsOf<typeof saleCreate>;
		for (const { productId, quantity, isService } of items)
			if (productId && !isService) moveStock(shown, productId, -quantity);
	},
	"stock.adjust"(shown, { args }) {
		const { productId, delta } = args as ArgsOf<typeof stockAdjust>;
		moveStock(shown, productId, delta);
	},
	"product.create"(shown, { args, at }) {
		const made = args as ArgsOf<typeof productCreate>;
		if (shown.products.has(made.id)) return;
		shown.products.set(made.id, {
			sku: null,
			quantity: 0,
			lowStock: 5,
			isService: false,
			isActive: true,
			categoryId: null,
			imageUrl: null,
			thumbnailUrl: null,
			businessId: "",
			createdAt: at,
			updatedAt: at,
			...made,
			category: categoryOf(shown, made.categoryId),
		});
	},
	"product.update"(shown, { args }) {
		const { id, set, seenQuantity } = args as ArgsOf<typeof productUpdate>;
		const product = shown.products.get(id);
		if (!product) return;
		const { quantity: counted, ...edits } = set;
		const edited = { ...product, ...edits };
		const category = categoryOf(shown, edited.categoryId);
		shown.products.set(id, { ...edited, category });
		if (counted !== undefined)
			moveStock(shown, id, counted, seenQuantity ?? product.quantity);
	},
	"product.delete"(shown, { args }) {
		const { id } = args as { id: string };
		const product = shown.products.get(id);
		if (product) shown.products.set(id, { ...product, isActive: false });
	},
	"category.create"(shown, { args, at }) {
		const made = args as ArgsOf<typeof categoryCreate>;
		if (shown.categories.has(made.id)) return;
		const stamps = { businessId: "", createdAt: at, updatedAt: at };
		shown.categories.set(made.id, { sortOrder: 0, ...stamps, ...made });
	},
	"category.update"(shown, { args }) {
		const { id, set } = args as ArgsOf<typeof categoryUpdate>;
		const category = shown.categories.get(id);
		if (!category) return;
		shown.categories.set(id, { ...category, ...set });
		regroup(shown, id, id);
	},
	"category.delete"(shown, { args }) {
		const { id } = args as { id: string };
		if (shown.categories.delete(id)) regroup(shown, id, null);
	},
};

/** By the difference of two quantities, without a binary remainder. */
function moveStock({ products }: Shown, id: string, to: number, from = 0) {
	const product = products.get(id);
	if (!product) return;
	const quantity = toDecimal(
		toMicros(product.quantity) + toMicros(to) - toMicros(from),
	);
	products.set(id, { ...product, quantity });
}

function regroup(shown: Shown, from: string, to: string | null): void {
	const category = categoryOf(shown, to);
	for (const [id, product] of shown.products)
		if (product.categoryId === from)
			shown.products.set(id, { ...product, categoryId: to, category });
}

function categoryOf(
	{ categories }: Shown,
	categoryId: string | null | undefined,
): Product["category"] {
	const category = categories.get(categoryId ?? "");
	if (!category) return null;
	const { id, name, sortOrder } = category;
	return { id, name, sortOrder };
}
