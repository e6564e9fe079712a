import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { askAhead } from "./ask-ahead.ts";
import { shopKey } from "./client.ts";

test("what a hidden page has named is asked once, and what waits for something else isn't", async () => {
	const queries = new QueryClient();
	const asked: string[] = [];
	const name = (key: string, name: string, enabled = true) =>
		new QueryObserver(queries, {
			queryKey: [key, name],
			queryFn: async () => {
				asked.push(name);
				return name;
			},
			staleTime: Number.POSITIVE_INFINITY,
			enabled,
		});
	const [shown] = [
		name(shopKey, "business.get"),
		name(shopKey, "product.list"),
		name(shopKey, "sale.get", false),
		name("server", "members"),
	];
	askAhead(queries);
	const hide = shown?.subscribe(() => {});
	await expect.poll(() => shown?.getCurrentResult().data).toBe("business.get");
	expect(asked).toEqual(["business.get", "product.list"]);
	hide?.();
});
