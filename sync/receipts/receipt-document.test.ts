import { describe, expect, test } from "vitest";
import { toDocument } from "./receipt-document.ts";
import { columnsByWidth, toText } from "./receipt-text.ts";
import { testLink, testReceipts } from "./testing/receipts.ts";
import { receiptLanguageOf, receiptLanguages } from "./words/index.ts";

const receiptOf = (name: string) => {
	const found = testReceipts[name];
	if (!found) throw new Error(`There is no test receipt ${name}`);
	return found;
};

describe.each(receiptLanguages)("a receipt in %s", (language) => {
	test.each(Object.keys(testReceipts))(
		"a receipt (%s) reads as approved on rolls of both widths",
		async (name) => {
			const document = toDocument(receiptOf(name), { language });
			for (const width of [58, 80] as const) {
				const text = toText(document, columnsByWidth[width]);
				const lines = text.split("\n");
				for (const line of lines)
					expect([...line].length).toBeLessThanOrEqual(columnsByWidth[width]);
				await expect(text).toMatchFileSnapshot(
					`golden/${name}.${language}.${width}.txt`,
				);
			}
		},
	);
});

test("a copy says so in the receipt's language, and the first print doesn't", () => {
	const marksOf = (language: "en" | "sw", isCopy: boolean) =>
		toDocument(receiptOf("plain"), { language, isCopy }).blocks.filter(
			({ kind }) => kind === "mark",
		);
	expect(marksOf("en", true)).toEqual([{ kind: "mark", text: "COPY" }]);
	expect(marksOf("sw", true)).toEqual([{ kind: "mark", text: "NAKALA" }]);
	expect(marksOf("sw", false)).toEqual([]);
});

test("a receipt ends with the QR code of its link, or else of its number", () => {
	const plain = receiptOf("plain");
	const lastOf = (link: string | null, number = plain.number) =>
		toDocument({ ...plain, number }, { link }).blocks.slice(-2);
	const tear = { kind: "tear" };
	expect(lastOf(testLink)).toMatchObject([{ kind: "qr", url: testLink }, tear]);
	const code = { kind: "code", text: "BCDF-000123" };
	expect(lastOf(null)).toEqual([code, tear]);
	expect(lastOf(null, null)).toMatchObject([{ kind: "paragraph" }, tear]);
});

test("a logo is shown from the shop's own pictures or the receipt itself, and from no other server", () => {
	const plain = receiptOf("plain");
	const logoOf = (logoUrl?: string) => {
		const business = { ...plain.business, logoUrl };
		const [first] = toDocument({ ...plain, business }).blocks;
		return first?.kind === "logo" ? first.url : undefined;
	};
	for (const url of [
		"/api/pictures/0123456789abcdef0123456789abcdef.png",
		"data:image/png;base64,AAAA",
	])
		expect(logoOf(url)).toBe(url);
	for (const url of [
		undefined,
		"",
		"https://example.com/logo.png",
		"//example.com/logo.png",
		"javascript:alert(1)",
		"data:text/html;base64,AAAA",
		"data:image/svg+xml;base64,AAAA",
	])
		expect(logoOf(url)).toBeUndefined();
});

test("no code of a payment method is on a receipt", () => {
	const methodOf = (paymentMethod: string, notes: string | null = null) => {
		const receipt = { ...receiptOf("plain"), paymentMethod, notes };
		const pairs = toDocument(receipt, { language: "sw" }).blocks.filter(
			({ kind }) => kind === "pair",
		);
		return pairs[1];
	};
	expect(methodOf("CASH")).toMatchObject({ label: "Taslimu" });
	expect(methodOf("cash")).toMatchObject({ label: "Taslimu" });
	expect(methodOf("M-Pesa")).toMatchObject({ label: "M-PESA" });
	expect(methodOf("STORE_VOUCHER")).toMatchObject({ label: "Store voucher" });
	expect(methodOf("Lipa na M-Pesa")).toMatchObject({ label: "Lipa na M-Pesa" });
	expect(methodOf("CARD", "Gift\nCARD 1234")).toMatchObject({
		label: "Kadi 1234",
	});
});

test.each([
	[["sw"], "sw"],
	[["sw-TZ"], "sw"],
	[["SW_ke", "sw-KE"], "sw"],
	[[undefined, null, "de", "sw"], "sw"],
	[["de"], "en"],
	[[], "en"],
])("the first known language of %j is %s", (codes, language) => {
	expect(receiptLanguageOf(...codes)).toBe(language);
});
