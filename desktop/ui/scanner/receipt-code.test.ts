import { expect, test } from "vitest";
import { receiptLink } from "../../../sync/receipts/receipt-link.ts";
import { isReceiptLink, receiptOf } from "./receipt-code.ts";

const ids = {
	businessId: "019ab510-0fa3-715c-ba90-9488ebf3025a",
	saleId: "01a20ce1-e1ae-7082-a4de-d5fd024d24b2",
};

test("a receipt is known by the link of its QR code and by its number", () => {
	expect(receiptOf(receiptLink("https://shop.example", ids) ?? "")).toEqual(
		ids,
	);
	expect(receiptOf(" pq-000014 ")).toEqual({ number: "PQ-000014" });
});

test("only the link is surely no product's code", () => {
	const link = receiptLink("https://shop.example", ids) ?? "";
	expect(isReceiptLink(link)).toBe(true);
	expect(isReceiptLink("PQ-000014")).toBe(false);
});

test.each([
	"6161100101234",
	"CF-CASH",
	"milk",
	"https://shop.example/r/short",
	"https://shop.example/products",
	"",
])("%j is no receipt", (code) => {
	expect(receiptOf(code)).toBeUndefined();
});
