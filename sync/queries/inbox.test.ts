import { expect, test } from "vitest";
import { twoTills } from "../testing/shop.ts";
import { inboxItemList } from "./inbox.ts";

test("a till's inbox lists items of pending mutations first, page by page", async () => {
	const { server, a } = await twoTills();
	const sent = [await a.sell({ milk: 11 }), await a.sell({ milk: 12 })];
	await a.till.sync();
	a.line.online = false;
	server.env.pass(1_000);
	const unsent = [await a.sell({ milk: 13 })];
	server.env.pass(1_000);
	unsent.push(await a.sell({ milk: 14 }));
	const latestFirst = [...sent, ...unsent].toReversed();
	for (const limit of [1, 2, 3, 4, 200]) {
		const seen: (string | null)[] = [];
		for (let offset = 0; offset < 4; offset += limit) {
			const page = await a.till.ask(a.caller, inboxItemList, { limit, offset });
			expect(page.total).toBe(4);
			seen.push(...page.items.map(({ saleId }) => saleId));
		}
		expect(seen).toEqual(latestFirst);
	}
});
