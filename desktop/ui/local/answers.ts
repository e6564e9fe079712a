import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { ApiError, ask } from "../api.ts";
import type { Catalogue } from "./catalogue.ts";
import type { LocalState } from "./shop.ts";

/** The queries of the core that this client can answer: from what it holds, and the rest by the server. */
export async function answerHere(
	state: LocalState,
	query: string,
	args: Record<string, unknown>,
): Promise<unknown> {
	const { catalogue, business } = state;
	const { limit = 50 } = args as { limit?: number };
	const text = (name: string) => (args[name] ?? "") as string;
	switch (query) {
		case "business.get":
			return business ?? (await ask("GET", "/api/business"));
		case "category.list":
			return { rows: catalogue.categories as Category[], next: null };
		case "product.get": {
			const found = catalogue.byId.get(text("id"));
			if (!found) throw new ApiError(404, "Product not found");
			return found;
		}
		case "product.byCode":
			return { product: catalogue.byCode(text("code")) ?? null };
		case "product.some":
			return {
				products: (args.ids as string[]).flatMap(
					(id) => catalogue.byId.get(id) ?? [],
				),
			};
		case "product.find": {
			const category = (args.categoryId as string) ?? null;
			return {
				products: catalogue.find(text("words"), category).slice(0, limit),
			};
		}
		case "product.list": {
			const all = shownOf(catalogue, args).filter(
				({ categoryId }) =>
					args.categoryId === undefined || categoryId === args.categoryId,
			);
			return pageOf(all, Number(text("after")), limit);
		}
		case "product.count":
			return { total: shownOf(catalogue, args).length };
		case "product.movements": {
			const page = await ask<{ movements: unknown[]; nextCursor: string }>(
				"GET",
				`/api/products/${text("id")}/movements?${toQuery(args)}`,
			);
			return { rows: page.movements, next: page.nextCursor };
		}
		case "sale.history": {
			const page = await ask<{ sales: unknown[]; nextCursor: string }>(
				"GET",
				`/api/sales-history?${toQuery(args)}`,
			);
			return { rows: page.sales, next: page.nextCursor };
		}
		case "sale.totals": {
			const page = await ask<{ totals: unknown }>(
				"GET",
				`/api/sales-history?${toQuery({ ...args, limit: 1 })}`,
			);
			return page.totals;
		}
		case "receipt.get":
			return ask("GET", `/api/receipts/${text("id")}`);
		case "dashboard.get":
			return ask("GET", "/api/dashboard");
		case "inboxItem.list":
			return ask("GET", `/api/inbox?${toQuery(args)}`);
	}
	throw new Error(`No query "${query}" here`);
}

function shownOf(
	{ products, inactive }: Catalogue,
	{ show = "active" }: { show?: unknown },
): readonly Product[] {
	return [
		...(show === "inactive" ? [] : products),
		...(show === "active" ? [] : inactive),
	];
}

function pageOf<T>(all: readonly T[], from: number, limit: number) {
	const end = from + limit;
	return {
		rows: all.slice(from, end),
		next: end < all.length ? String(end) : null,
	};
}

function toQuery({ id: _, after, ...args }: Record<string, unknown>) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries({ ...args, cursor: after }))
		if (value !== undefined) query.set(name, String(value));
	return query;
}
