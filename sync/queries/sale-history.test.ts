import { expect, test } from "vitest";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, saleArgs } from "../testing/shop.ts";
import { saleHistory } from "./sale-history.ts";

test("a sale is found by a part of its payment's code, beside other payments too", async () => {
	const { shop, caller } = await openTestShop();
	const mpesa = { paymentMethod: "MPESA", paymentCode: "TIA9B1U5VV" };
	const tenders = [
		{ method: "CASH", amount: 10 },
		{ method: "MPESA", amount: 40, code: "UIBJN5YMQC" },
	];
	await shop.mutate(caller, saleCreate, { ...saleArgs("one"), ...mpesa });
	await shop.mutate(caller, saleCreate, { ...saleArgs("both"), tenders });
	await shop.mutate(caller, saleCreate, saleArgs("cash"));
	const found = async (search: string) =>
		(await shop.ask(caller, saleHistory, { search })).rows.map(({ id }) => id);
	expect(await found("tia9b1u5vv")).toEqual(["one"]);
	expect(await found("JN5")).toEqual(["both"]);
	expect(await found("TIA9B1U5VW")).toEqual([]);
});
