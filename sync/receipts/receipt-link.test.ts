import { expect, test } from "vitest";
import { derivedId, newId, systemEnv } from "../protocol/ids.ts";
import { readReceiptCode, receiptLink } from "./receipt-link.ts";

const businessId = "019a1b2c-3d4e-7f60-8a1b-2c3d4e5f6071";
const saleId = "019a1b2c-3d4f-7aaa-bbbb-cccccccccccc";
const server = "https://shop.example";

const codeOf = (link: string | null) => link?.split("/r/")[1] ?? "";

test("a receipt's link carries the ids of its business and sale, and nothing else", () => {
	const link = receiptLink(server, { businessId, saleId });
	expect(link).toBe(
		"https://shop.example/r/AZobLD1Of2CKGyw9Tl9gcQGaGyw9T3qqu7vMzMzMzMw",
	);
	expect(readReceiptCode(codeOf(link))).toEqual({ businessId, saleId });
});

test("any new ids survive the way through a link", () => {
	for (let i = 0; i < 500; i += 1) {
		const ids = { businessId: newId(systemEnv), saleId: newId(systemEnv) };
		const link = receiptLink("http://192.168.1.5:4780", ids);
		expect(link).toMatch(/^http:\/\/192\.168\.1\.5:4780\/r\/[\w-]{43}$/);
		expect(readReceiptCode(codeOf(link))).toEqual(ids);
	}
});

test("there is no link to a sale whose id can be guessed", () => {
	for (const id of ["1", "sale", "", derivedId(saleId, 1), `${saleId}0`]) {
		expect(receiptLink(server, { businessId, saleId: id })).toBeNull();
		expect(receiptLink(server, { businessId: id, saleId })).toBeNull();
	}
});

test.each([
	null,
	"",
	"not an address",
	"http://localhost:4780",
	"http://till.localhost",
	"http://127.0.0.1:4780",
	"http://127.8.0.1",
	"http://[::1]:4780",
	"http://0.0.0.0:4780",
	"file:///r",
])("there is no link to a server that customers can't reach: %s", (address) => {
	expect(receiptLink(address, { businessId, saleId })).toBeNull();
});

test("a code is read only as it is written", () => {
	const code = codeOf(receiptLink(server, { businessId, saleId }));
	const derived = Buffer.from(
		`${businessId}${derivedId(saleId, 1)}`.replaceAll("-", ""),
		"hex",
	).toString("base64url");
	for (const wrong of [
		"",
		"sale",
		code.slice(1),
		`${code}=`,
		`${code}A`,
		// Other spellings of the last bits.
		`${code.slice(0, -1)}x`,
		`${code.slice(0, -1)}z`,
		code.replace("-", "+"),
		"A".repeat(43),
		derived,
	])
		if (wrong !== code)
			expect([wrong, readReceiptCode(wrong)]).toEqual([wrong, undefined]);
});
