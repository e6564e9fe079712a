import { expect, test } from "vitest";
import type { RowKey } from "./rebase.ts";
import { addCategories, type TestTill, twoTills } from "./test-shop.ts";

/** What listeners heard since they were asked last: the rows of each commit, and how often the head was told. */
function listen({ till }: TestTill) {
	let rows: string[][] = [];
	let heads: number[] = [];
	const endings = [
		till.onRows((keys) => rows.push(namesOf(keys))),
		till.onHead(till.businessId, (head) => heads.push(head)),
	];
	return {
		take() {
			const taken = { rows, heads: heads.length };
			expect(heads).toEqual(heads.toSorted((a, b) => a - b));
			rows = [];
			heads = [];
			return taken;
		},
		end: () => {
			for (const end of endings) end();
		},
	};
}

const namesOf = (keys: readonly RowKey[]) =>
	[...new Set(keys.map(({ entity, id }) => `${entity} ${id}`))].sort();

test("rows that came before the line broke are told, since they will not come again", async () => {
	const { server, a } = await twoTills();
	await addCategories(server, 3);
	const { push } = a.line;
	a.line.push = (request) =>
		push(JSON.stringify({ ...JSON.parse(request), limit: 2 }));
	let trips = 0;
	a.line.lose = () => {
		trips += 1;
		return trips === 2 ? "request" : undefined;
	};
	const { take } = listen(a);
	await expect(a.till.sync()).rejects.toThrow("Request lost");
	const stored = await a.rows("SELECT id FROM categories ORDER BY id");
	expect(stored.length).toBeGreaterThan(0);
	const came = stored.map(({ id }) => `category ${id}`);
	expect(take()).toEqual({ rows: [came], heads: 1 });
	a.line.push = push;
	await a.till.sync();
	const all = ["category c-0", "category c-1", "category c-2"];
	const later = all.filter((name) => !came.includes(name));
	expect(take()).toEqual({ rows: [later], heads: 1 });
});
