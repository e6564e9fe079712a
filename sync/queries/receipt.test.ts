import { expect, test } from "vitest";
import { saleRefund } from "../entities/refund.ts";
import { twoTills } from "../testing/shop.ts";
import { receiptGet } from "./receipt.ts";

test("a till's receipt lists synced refunds before pending ones", async () => {
	const { a } = await twoTills();
	const id = await a.sell({ milk: 3 });
	const takeBack = (reason: string) =>
		a.till.mutate(a.caller, saleRefund, {
			...{ id: reason, saleId: id, reason, restock: true },
			items: [{ id: reason, itemId: "1", quantity: 1 }],
		});
	await takeBack("b, sent");
	await a.till.sync();
	a.line.online = false;
	await takeBack("a, first unsent");
	await takeBack("c, second unsent");
	const receipt = await a.till.ask(a.caller, receiptGet, { id });
	expect(receipt.refunds.map(({ reason }) => reason)).toEqual([
		"b, sent",
		"a, first unsent",
		"c, second unsent",
	]);
	expect(receipt).toMatchObject({ status: "refunded", refundedTotal: 300 });
});
