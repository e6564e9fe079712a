import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { parseCursor } from "../protocol/protocol.ts";
import { openShop } from "../shop.ts";
import {
	addCategories,
	addMilk,
	openTestShop,
	saleArgs,
} from "../testing/shop.ts";
import { decompress } from "./compressed-rows.ts";

async function open() {
	const { store, env, caller } = await openTestShop();
	const snapshotSize = { partRows: 4, blockVersions: 4 };
	const shop = openShop({ store, env, snapshotSize });
	await addCategories({ shop, caller } as never, 5);
	await addMilk({ shop, caller } as never);
	for (let i = 0; i < 6; i += 1)
		await shop.mutate(
			caller,
			saleCreate,
			saleArgs(`s-${i}`, [{ productId: "milk" }]),
		);
	const { snapshot, olderFacts } = shop.compressed;
	return {
		...{ shop, env, caller },
		part: async (part: number, cursor?: string) =>
			decompress(await snapshot(caller, { part, cursor })),
		facts: async (cursor: string, upTo: number) =>
			decompress(await olderFacts(caller, { cursor, upTo })),
	};
}

test("a snapshot has the rows that members edit, in parts, with the stock at its cursor and no sales [JOIN-3]", async () => {
	const { part, shop, caller } = await open();
	const first = await part(0);
	expect(first).toMatchObject({ part: 0, parts: 2 });
	expect(first.cursor).toBe(await shop.head(caller.businessId));
	const { changes } = await part(1, first.cursor);
	const all = [...first.changes, ...changes];
	expect(all.map(({ entity }) => entity)).toEqual([
		...["business", "category", "category", "category"],
		...["category", "category", "product"],
	]);
	expect(all.at(-1)?.row).toMatchObject({ id: "milk", quantity: 4 });
});

test("tills that join within ten minutes share a snapshot, and get the first part of another one after that [JOIN-6]", async () => {
	const { part, env, shop, caller } = await open();
	const { cursor } = await part(0);
	await shop.mutate(caller, saleCreate, saleArgs("later"));
	env.pass(10 * 60_000);
	expect(await part(1, cursor)).toMatchObject({ cursor, part: 1 });
	expect(await part(0)).toMatchObject({ cursor, part: 0 });
	env.pass(1);
	const next = await part(1, cursor);
	expect(next.part).toBe(0);
	expect(next.cursor).toBe(await shop.head(caller.businessId));
});

test("a part that a snapshot does not have is answered with its first [JOIN-6]", async () => {
	const { part } = await open();
	const { cursor } = await part(0);
	expect(await part(2, cursor)).toMatchObject({ cursor, part: 0 });
	expect(await part(1, "nonsense")).toMatchObject({ cursor, part: 0 });
});

test("older facts come in blocks that end at the same versions for every till, down to the first [JOIN-4]", async () => {
	const { facts, shop, caller } = await open();
	const cursor = await shop.head(caller.businessId);
	let upTo = parseCursor(cursor)?.version as number;
	const blocks: [number, number][] = [];
	const seen = new Set<string>();
	while (upTo > 0) {
		const { from, changes } = await facts(cursor, upTo);
		for (const { entity, id, version } of changes) {
			expect(version).toBeGreaterThan(from);
			expect(version).toBeLessThanOrEqual(upTo);
			seen.add(`${entity} ${id}`);
		}
		blocks.push([from, upTo]);
		upTo = from;
	}
	expect(blocks.slice(1).map(([from]) => from % 4)).toEqual(
		blocks.slice(1).map(() => 0),
	);
	expect(seen.size).toBe(7);
	expect([...seen].filter((one) => one.startsWith("sale "))).toHaveLength(6);
	expect(await facts(cursor, 0)).toMatchObject({ from: 0, changes: [] });
});

test.each(["", "nonsense", "other-epoch.3", "beyond"])(
	"a till with a cursor of another history (%s) gets no older facts, and hears so [JOIN-7]",
	async (given) => {
		const { facts, shop, caller } = await open();
		const head = await shop.head(caller.businessId);
		const beyond = head.replace(/\.\d+/, ".999");
		const cursor = given === "beyond" ? beyond : given;
		expect(await facts(cursor, 3)).toMatchObject({
			...{ changes: [], from: 3, reset: true },
		});
		expect(await facts(head, 999)).toMatchObject({ changes: [], reset: true });
	},
);
