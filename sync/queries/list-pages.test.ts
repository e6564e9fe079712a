import { expect, test } from "vitest";
import * as z from "zod";
import { openTestShop } from "../testing/shop.ts";
import { pageOf, pagesOf } from "./list-pages.ts";
import { defineList } from "./query.ts";

/** Searches ten numbers per answer, and lists those that are divisible. */
const multiples = defineList({
	name: "number.multiples",
	summary: "The multiples of a number below a hundred",
	args: { of: z.int() },
	row: z.int(),
	placeOf: String,
	async read(_asking, { of }, { after, limit }) {
		const start = after === undefined ? 0 : Number(after) + 1;
		const rows: number[] = [];
		for (let n = start; n < 100; n += 1) {
			if (n % of === 0) rows.push(n);
			if (rows.length === limit || n === start + 9)
				return { rows, stoppedAt: String(n) };
		}
		return { rows };
	},
});

async function open() {
	const { shop, caller } = await openTestShop();
	let asked = 0;
	const counting: Pick<typeof shop, "ask"> = {
		ask: (...args) => {
			asked += 1;
			return shop.ask(...args);
		},
	};
	return { shop: counting, caller, asked: () => asked };
}

test.each([
	[3, undefined, [0, 30, 60], "60"],
	[3, "60", [90], null],
	[4, undefined, [0, 30, 60, 90], null],
	[0, undefined, [], null],
])(
	"a page of %s after %s is full and knows whether there is a next one",
	async (limit, after, rows, next) => {
		const { shop, caller } = await open();
		expect(
			await pageOf(shop, caller, multiples, { of: 30 }, { after, limit }),
		).toEqual({ rows, next });
	},
);

test("the search for a page ends when its caller has gone", async () => {
	const { shop, caller, asked } = await open();
	const page = { after: undefined, limit: 3 };
	await pageOf(shop, caller, multiples, { of: 99 }, page, () => asked() < 2);
	expect(asked()).toBe(2);
});

test("a long search for a page gives other tasks a turn", async () => {
	let asked = 0;
	const barren = {
		async ask() {
			asked += 1;
			return { rows: [], next: asked < 1_000 ? String(asked) : null };
		},
	};
	let isWanted = true;
	setImmediate(() => {
		isWanted = false;
	});
	await pageOf(
		barren as never,
		{ businessId: "shop-1", role: "OWNER" },
		multiples,
		{ of: 1 },
		{ after: undefined, limit: 3 },
		() => isWanted,
	);
	expect(asked).toBeLessThan(1_000);
});

test("pages continue to the last row or to the limit", async () => {
	const { shop, caller } = await open();
	const read = async (options: object) => {
		const pages: number[][] = [];
		for await (const page of pagesOf(
			shop,
			caller,
			multiples,
			{ of: 7 },
			options,
		))
			pages.push(page);
		return pages;
	};
	const all = Array.from({ length: 15 }, (_, i) => 7 * i);
	expect((await read({})).flat()).toEqual(all);
	const few = await read({ pageRows: 1 });
	expect(few.flat()).toEqual(all);
	expect(Math.max(...few.map(({ length }) => length))).toBe(1);
	expect((await read({ limit: 4 })).flat()).toEqual(all.slice(0, 4));
	expect(await read({ limit: 0 })).toEqual([]);
});
