import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, saleArgs } from "../testing/shop.ts";
import { paymentList } from "./payment-list.ts";
import { saleList } from "./sale.ts";
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
