import { expect, test } from "vitest";
import { toDocument } from "./receipt-document.ts";
import { testLink, testReceipts } from "./testing/receipts.ts";
import { whatsAppLink } from "./whatsapp.ts";

const plain = testReceipts.plain as NonNullable<(typeof testReceipts)[string]>;
const document = toDocument(plain, { language: "en", link: testLink });
const linkTo = (phone: string | null, currency = "KES") =>
	new URL(whatsAppLink(document, { phone, currency }));

test("a receipt goes to WhatsApp as text, in letters of one width, with its link", () => {
	const text = linkTo("0722 000 111").searchParams.get("text") ?? "";
	expect(text).toMatch(/^```\n {7}Duka la Mama Njeri\n/);
	expect(text).toMatch(/\nTOTAL KES +325\n/);
	expect(text.endsWith(`\`\`\`\n${testLink}`)).toBe(true);
	expect(text.match(/https:/g)).toHaveLength(1);
});

test.each([
	["0722 000 111", "KES", "/254722000111"],
	["0722 000 111", "TZS", "/255722000111"],
	["+254 722-000-111", "TZS", "/254722000111"],
	["00254722000111", "KES", "/254722000111"],
	// WhatsApp asks for the contact.
	["0722 000 111", "XAU", "/"],
	[null, "KES", "/"],
	["", "KES", "/"],
])("the number %s of a shop with %s opens wa.me%s", (phone, currency, path) => {
	const url = linkTo(phone, currency);
	expect(url.origin + url.pathname).toBe(`https://wa.me${path}`);
});

test("a name can't end the letters of one width, and a long receipt leaves out its goods", () => {
	const line = plain.lines[0] as (typeof plain.lines)[number];
	const textOf = (name: string, count: number) => {
		const lines = Array.from({ length: count }, () => ({ ...line, name }));
		const long = toDocument({ ...plain, lines }, { link: testLink });
		const link = whatsAppLink(long, { currency: "KES" });
		return { link, text: new URL(link).searchParams.get("text") ?? "" };
	};
	expect(textOf("a```b", 1).text.match(/```/g)).toHaveLength(2);
	const { link, text } = textOf("Milk", 500);
	expect(link.length).toBeLessThan(6_100);
	expect(text).not.toContain("Milk");
	expect(text).toContain("TOTAL KES");
	expect(text).toContain(testLink);
});
