import { escapeHtml as text } from "./html.ts";
import { toQrPath } from "./qr.ts";
import type {
	ItemBlock,
	ReceiptBlock,
	ReceiptDocument,
} from "./receipt-document.ts";
import { receiptStyle } from "./receipt-style.ts";

/** Paper for a receipt: a roll by its width in millimetres, or sheets. */
export const papers = ["58", "80", "A4"] as const;
export type Paper = (typeof papers)[number];

const layouts: Record<Paper, { page: string; body: string }> = {
	58: {
		page: "size: 58mm 297mm; margin: 0;",
		body: "width: 50mm; padding: 3mm 0; font-size: 9pt;",
	},
	80: {
		page: "size: 80mm 297mm; margin: 0;",
		body: "width: 72mm; padding: 3mm 0; font-size: 11pt;",
	},
	A4: {
		page: "size: A4; margin: 18mm;",
		body: "width: 170mm; padding: 8mm 0; font-size: 11pt;",
	},
};

interface PageOptions {
	paper: Paper;
	/** Of the response's style-src, if it has a content security policy. */
	nonce?: string;
	/** HTML that shows on screen and not on paper. */
	aside?: string;
}

/** Renders a receipt as an HTML page for the screen and for printing. */
export function toPage(
	{ language, title, blocks }: ReceiptDocument,
	{ paper, nonce = "", aside = "" }: PageOptions,
): string {
	const { page, body } = layouts[paper];
	return `<!doctype html>
<html lang="${text(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${text(title)}</title>
    <style nonce="${text(nonce)}">
      @page { ${page} }
      body { ${body} max-width: calc(100vw - 16px); margin: 0 auto; font-family: system-ui, sans-serif; color: #000; background: #fff; }
      nav { text-align: center; margin-bottom: 1em; }
      nav a { color: inherit; }
      @media print { body { max-width: none; } nav { display: none; } }
${receiptStyle}
    </style>
  </head>
  <body>
    ${aside}<article class="receipt" lang="${text(language)}">
${blocks.map(toHtml).join("\n")}
    </article>
  </body>
</html>
`;
}

function toHtml(block: ReceiptBlock): string {
	switch (block.kind) {
		case "logo":
			return `<img class="receipt-logo" src="${text(block.url)}" alt="">`;
		case "title":
			return `<h1>${text(block.text)}</h1>`;
		case "paragraph":
			return `<p class="receipt-${block.align}">${text(block.text)}</p>`;
		case "mark":
			return `<p class="receipt-mark">${text(block.text)}</p>`;
		case "pair":
			return row("receipt-row receipt-pair", text(block.label), block.value);
		case "total":
			return row("receipt-row receipt-total", text(block.label), block.value);
		case "item":
			return itemHtml(block);
		case "rule":
			return "<hr>";
		case "qr":
			return `<div class="receipt-qr">${qrSvg(block.url)}<p>${text(block.caption)}</p></div>`;
		case "code":
			return `<div class="receipt-qr receipt-code">${qrSvg(block.text)}</div>`;
		case "tear":
			return `<div class="receipt-tear"></div>`;
	}
}

function qrSvg(content: string): string {
	const { size, path } = toQrPath(content);
	return `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${text(content)}"><path d="${path}" fill="currentColor"/></svg>`;
}

function itemHtml({ name, each, amount, notes }: ItemBlock): string {
	const was = each?.was ? `<s>${text(each.was.price)}</s> ` : "";
	const detail = each
		? ` <span class="receipt-each">${text(each.quantity)} × ${text(each.pack)}${was}${text(each.price)}</span>`
		: "";
	return [
		row("receipt-row", `<span>${text(name)}</span>${detail}`, amount),
		...notes.map((note) => `<p class="receipt-note">${text(note)}</p>`),
	].join("\n");
}

function row(classes: string, label: string, value: string): string {
	return `<div class="${classes}"><div>${label}</div><div>${text(value)}</div></div>`;
}
