import { expect, test } from "vitest";
import { category } from "../entities/category.ts";
import { message, openTestShop, pushOne } from "../testing/shop.ts";
import { rowPages } from "./row-pages.ts";

test.each([
	[0, 2, []],
	[3, 2, [2, 1]],
	[4, 2, [2, 2]],
	[4, 5, [4]],
])(
	"%i rows come in pages of %i, none of them empty",
	async (count, pageRows, sizes) => {
		const server = await openTestShop();
		for (let i = 0; i < count; i += 1)
			await pushOne(
				server,
				message(`m-${i}`, "category.create", { id: `c-${i}`, name: "Dairy" }),
			);
		const pages = await server.store.read(async (tx) => {
			const all: number[] = [];
			for await (const rows of rowPages(tx, category, "shop-1", pageRows))
				all.push(rows.length);
			return all;
		});
		expect(pages).toEqual(sizes);
	},
);
