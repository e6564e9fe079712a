import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, saleArgs } from "../testing/shop.ts";
import { customerPayments } from "./customer.ts";
import { countLast } from "./last-counted.ts";
import { layawayList } from "./layaway.ts";
import { mutationAbout } from "./mutation.ts";
import { paymentList } from "./payment-list.ts";
import { saleList } from "./sale.ts";
import { saleHistory } from "./sale-history.ts";
import { stockMovementList } from "./stock.ts";

test.each(["1.5", "1e300", "-1e999", "9007199254740992", "null", '"5"'])(
	"a cursor with %s where a row has a whole number counts as none",
	async (number) => {
		const { shop, caller } = await openTestShop();
		const line = { productId: "milk" };
		await shop.mutate(caller, saleCreate, saleArgs("s", [line]));
		for (const list of [saleList, paymentList, stockMovementList] as const) {
			const after = `[${number},"s"]`;
			const { rows } = await shop.ask(caller, list as typeof saleList, {
				after,
			});
			expect([list.name, rows.length]).toEqual([list.name, 1]);
		}
	},
);

test.each([
	["a NUL", "s\0"],
	["half a letter", "s\ud800"],
	["60,000 letters", "s".repeat(60_000)],
])("an id or a word with %s is found nowhere", async (_, text) => {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, saleCreate, saleArgs("s"));
	const ids = { customerId: text };
	expect([
		(await shop.ask(caller, customerPayments, ids)).rows,
		(await shop.ask(caller, layawayList, ids)).rows,
		(await shop.ask(caller, countLast, { productIds: [text] })).products,
		(await shop.ask(caller, mutationAbout, { recordId: text })).mutations,
		(await shop.ask(caller, saleHistory, { search: text })).rows,
	]).toEqual([[], [], [], [], []]);
});
