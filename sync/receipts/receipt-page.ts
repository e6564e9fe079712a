import type { Receipt } from "../queries/receipt.ts";
import { escapeHtml as text } from "./html.ts";
import {
	headingOf,
	type PaperWidth,
	toMoney,
	toQuantity,
	totalsOf,
} from "./receipt-paper.ts";

/**
 * Renders a receipt as an HTML page for printing on a roll of paper.
 *
 * @param width of the paper in millimetres
 * @param nonce of the response's style-src, if it has a content security policy
 */
export function toPage(
	receipt: Receipt,
	width: PaperWidth,
	nonce = "",
): string {
	const { business, lines, notes, status } = receipt;
	const paragraph = (content: string | null) =>
		content === null ? "" : `<p class="lines">${text(content)}</p>`;
	const goods = lines.map(
		({ name, quantity, price, total, refunded }) => `
        <tr><td colspan="2">${text(name)}</td></tr>
        <tr><td>${toQuantity(quantity)} × ${toMoney(price)}${refunded > 0 ? `, taken back: ${toQuantity(refunded)}` : ""}</td><td class="amount">${toMoney(total)}</td></tr>`,
	);
	const totals = totalsOf(receipt).map(
		([label, amount]) => `
        <tr><th scope="row">${text(label)}</th><td class="amount">${amount}</td></tr>`,
	);
	return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${text(headingOf(receipt)[0] ?? "")}</title>
    <style nonce="${text(nonce)}">
      @page { size: ${width}mm 297mm; margin: 0; }
      body { width: ${width - 8}mm; margin: 0 auto; padding: 4mm 0; font: 9pt/1.35 ui-monospace, monospace; color: #000; background: #fff; }
      h1 { font-size: 12pt; margin: 0; text-align: center; overflow-wrap: anywhere; }
      p { margin: 1mm 0; text-align: center; overflow-wrap: anywhere; }
      .lines { white-space: pre-line; }
      .mark { font-weight: bold; border: 1px solid; }
      table { width: 100%; border-collapse: collapse; border-top: 1px dashed; margin-top: 2mm; }
      td, th { padding: .3mm 0; vertical-align: top; overflow-wrap: anywhere; }
      th { text-align: left; font-weight: normal; }
      tr:first-child th, tr:first-child .amount { font-weight: bold; }
      .amount { text-align: right; white-space: nowrap; }
    </style>
  </head>
  <body>
    <h1>${text(business.name)}</h1>
    ${paragraph(business.header)}
    ${headingOf(receipt)
			.map((line) => `<p>${text(line)}</p>`)
			.join("")}
    ${status === "sold" ? "" : `<p class="mark">${status.toUpperCase()}</p>`}
    <table><tbody>${goods.join("")}
    </tbody></table>
    <table><tbody>${totals.join("")}
    </tbody></table>
    ${paragraph(notes)}
    ${paragraph(business.footer)}
  </body>
</html>
`;
}
