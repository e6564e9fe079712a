import { expectTypeOf, test } from "vitest";
import type { Dashboard } from "../../../sync/queries/dashboard.ts";
import type { ShopClient } from "./client.ts";
import type { useRows } from "./use-shop-data.ts";

/** Never called; only the compiler reads it. */
const mistakes = (shop: ShopClient, rowsOf: typeof useRows) => [
	// @ts-expect-error There is no such query.
	shop.ask("product.lists", {}),
	// @ts-expect-error It takes no such argument.
	shop.ask("product.list", { find: "milk" }),
	// @ts-expect-error There is no such mutation.
	shop.mutate("product.destroy", { id: "milk" }),
	// @ts-expect-error The quantity is missing.
	shop.mutate("stock.adjust", { id: "a", productId: "p", reason: "count" }),
	// @ts-expect-error It isn't a list.
	rowsOf("business.get", {}),
];

test("a page's queries and mutations have the shop's names, arguments and answers", () => {
	expectTypeOf(mistakes).toBeFunction();
	const ask = (shop: ShopClient) => shop.ask("dashboard.get", {});
	expectTypeOf(ask).returns.resolves.toEqualTypeOf<Dashboard>();
});
