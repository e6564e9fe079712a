import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { toPdf } from "../../../server/sales/receipt-pdf.ts";
import {
	type ReceiptBlock,
	type ReceiptDocument,
	toDocument,
} from "../../../sync/receipts/receipt-document.ts";
import { papers, toPage } from "../../../sync/receipts/receipt-page.ts";
import { toText } from "../../../sync/receipts/receipt-text.ts";
import {
	testLink,
	testReceipts,
} from "../../../sync/receipts/testing/receipts.ts";
import { receiptLanguages } from "../../../sync/receipts/words/index.ts";
import { sampled } from "../../../sync/testing/lane.ts";
import { toEscPos } from "../../shell/printing/escpos.ts";
import { ReceiptView } from "./receipt-view.tsx";

/** Without what media may differ in: spaces, emphasis, accents, and signs that few printers have. */
function bare(text: string): string {
	return text
		.normalize("NFD")
		.replaceAll("−", "-")
		.replaceAll("×", "x")
		.replace(/\s|\p{M}|-{8,}|\*\*\*/gu, "")
		.toLowerCase();
}

/** A text without the letters that differ between a printer's code pages. */
function ascii(text: string): string {
	return bare(
		text
			.normalize("NFC")
			.replaceAll("−", "-")
			.replaceAll("×", "x")
			.replace(/[^ -~]/g, ""),
	);
}

/** Everything that a receipt says, in its order. */
function factsOf(
	{ blocks }: ReceiptDocument,
	{ canStrike }: { canStrike: boolean },
): string {
	const textsOf = (block: ReceiptBlock): string[] => {
		switch (block.kind) {
			case "title":
			case "paragraph":
			case "mark":
				return [block.text];
			case "pair":
			case "total":
				return [block.label, block.value];
			case "item": {
				const { name, each, amount, notes } = block;
				if (!each) return [name, amount, ...notes];
				const { quantity, pack, price, was } = each;
				const prices = canStrike
					? [was?.price ?? "", price]
					: [price, was ? `, ${was.words}` : ""];
				return [name, `${quantity}×${pack}`, ...prices, amount, ...notes];
			}
			case "qr":
				return [block.caption];
			default:
				return [];
		}
	};
	return blocks.flatMap(textsOf).join("");
}

function textOfHtml(html: string): string {
	const [, article = ""] = /<article[^>]*>(.*)<\/article>/s.exec(html) ?? [];
	const letters: Record<string, string> = { amp: "&", quot: '"' };
	return article
		.replace(/<[^>]*>/g, "")
		.replace(/&(\w+);/g, (_, name: string) => letters[name] ?? name);
}

async function readPdf(pdf: Buffer) {
	const document = await getDocumentProxy(new Uint8Array(pdf));
	const first = await document.getPage(1);
	const { width, height } = first.getViewport({ scale: 1 });
	return {
		text: (await extractText(document, { mergePages: true })).text,
		urls: [...pdf.toString("latin1").matchAll(/\/URI \((.*)\)/g)].map(
			([, url]) => url,
		),
		widthMm: Math.round((width / 72) * 25.4),
		heightMm: Math.round((height / 72) * 25.4),
	};
}

const [esc, fs, gs] = ["\u001b", "\u001c", "\u001d"] as const;

/** What a printer would print, and the contents of its QR codes. */
function readEscPos(bytes: Uint8Array) {
	const codes: string[] = [];
	let rest = Buffer.from(bytes).toString("latin1");
	let text = "";
	const take = (length: number) => {
		const taken = rest.slice(0, length);
		rest = rest.slice(length);
		return taken;
	};
	while (rest !== "") {
		if (rest.startsWith(`${gs}(k`)) {
			take(3);
			const [low = 0, high = 0] = Buffer.from(take(2), "latin1");
			const body = take(low + high * 256);
			// Function 180 stores the code's content.
			if (body.startsWith("1P0")) codes.push(body.slice(3));
		} else if (rest.startsWith(`${esc}@`) || rest.startsWith(`${fs}.`)) take(2);
		else if (rest.startsWith(esc) || rest.startsWith(gs)) take(3);
		else text += take(1);
	}
	return { text, codes };
}

describe.each(receiptLanguages)("a receipt in %s", (language) => {
	test.each(sampled(Object.keys(testReceipts), 3))(
		"a receipt (%s) says the same, in the same order, in each medium",
		async (name) => {
			const receipt = testReceipts[name];
			if (!receipt) throw new Error(`There is no test receipt ${name}`);
			const isCopy = name === "refunded";
			const options = { language, isCopy, link: testLink };
			const document = toDocument(receipt, options);
			const facts = bare(factsOf(document, { canStrike: true }));
			const plainFacts = factsOf(document, { canStrike: false });
			expect(facts).toContain(bare(receipt.business.name));

			const view = renderToStaticMarkup(
				createElement(ReceiptView, { receipt: document }),
			);
			expect(bare(textOfHtml(view))).toBe(facts);
			expect(view).toContain(`aria-label="${testLink}"`);
			for (const paper of papers) {
				const page = toPage(document, { paper });
				expect(bare(textOfHtml(page).replaceAll("#39", "'"))).toBe(facts);
				expect(page).toContain(`aria-label="${testLink}"`);
				const pdf = await readPdf(await toPdf(document, paper));
				expect(bare(pdf.text)).toBe(facts);
				expect(pdf.urls).toEqual([testLink]);
				expect(pdf.widthMm).toBe(paper === "A4" ? 210 : Number(paper));
			}
			for (const width of [58, 80] as const) {
				const printed = readEscPos(toEscPos(document, width));
				// No code page has ũ, which becomes a question mark.
				if (name !== "long-names")
					expect(ascii(printed.text)).toBe(ascii(plainFacts));
				expect(printed.codes).toEqual([testLink]);
				const text = toText(document, 48).replace(testLink, "");
				expect(bare(text)).toBe(bare(plainFacts));
			}
		},
	);
});

test("a receipt without a link has its number as a code, where it prints and shows", async () => {
	const { plain } = testReceipts;
	if (!plain) throw new Error("There is no plain receipt");
	const document = toDocument(plain);
	const label = `aria-label="${plain.number}"`;
	expect(
		renderToStaticMarkup(createElement(ReceiptView, { receipt: document })),
	).toContain(label);
	expect(toPage(document, { paper: "58" })).toContain(label);
	expect(readEscPos(toEscPos(document, 58)).codes).toEqual([plain.number]);
	expect((await readPdf(await toPdf(document, "58"))).urls).toEqual([]);
	const linked = toText(toDocument(plain, { link: testLink }), 48);
	expect(linked).toContain(toText(document, 48).trimEnd());
});

test("a PDF on a roll is as long as its receipt, and a letter of another script is missed aloud", async () => {
	const { plain } = testReceipts;
	if (!plain) throw new Error("There is no plain receipt");
	const short = await readPdf(await toPdf(toDocument(plain), "80"));
	expect(short.heightMm).toBeGreaterThan(50);
	expect(short.heightMm).toBeLessThan(100);
	expect(short.text).not.toContain("can't show");
	const [line] = plain.lines;
	const lines = Array.from({ length: 60 }, (_, i) => ({
		...(line as NonNullable<typeof line>),
		name: `茶 ${i} Mũthĩga`,
	}));
	const document = toDocument({ ...plain, lines });
	const long = await readPdf(await toPdf(document, "80"));
	expect(long.heightMm).toBeGreaterThan(short.heightMm + 60 * 4);
	expect(long.text).toContain("? 59 Muthiga");
	expect(long.text).toContain("This file can't show some letters");
	const sheets = await getDocumentProxy(
		new Uint8Array(await toPdf(document, "A4")),
	);
	expect(sheets.numPages).toBe(2);
});
