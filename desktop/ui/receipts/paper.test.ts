import type { Page } from "playwright-core";
import { getDocumentProxy } from "unpdf";
import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

/** A till of a shop with this many products, from `Product 0`. */
async function openTill(count: number) {
	const server = await openShopServer();
	const products = Object.fromEntries(
		Array.from({ length: count }, (_, i) => [
			`Product ${i}`,
			{ sku: `CODE-${i}`, sellingPrice: 10 + i },
		]),
	);
	const owner = await server.fill(products);
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Product 0/ }).waitFor();
	return { page, problems };
}

async function sell(page: Page, lines: number): Promise<void> {
	for (let i = 0; i < lines; i += 1) await scan(page, `CODE-${i}`);
	await scan(page, "CF-CASH");
	await page.getByRole("article", { name: "Receipt" }).waitFor();
}

interface PrintedPage {
	/** In millimetres. */
	width: number;
	height: number;
	/** From the top, each with its distance from the left and the top in points. */
	items: { text: string; x: number; y: number; size: number }[];
}

/** The pages that a printer would get. */
async function printed(
	page: Page,
	options: Parameters<Page["pdf"]>[0] = { preferCSSPageSize: true },
): Promise<PrintedPage[]> {
	const pdf = await getDocumentProxy(new Uint8Array(await page.pdf(options)));
	const pages: PrintedPage[] = [];
	for (let number = 1; number <= pdf.numPages; number += 1) {
		const one = await pdf.getPage(number);
		const { width, height } = one.getViewport({ scale: 1 });
		const { items } = await one.getTextContent();
		pages.push({
			width: Math.round((width / 72) * 25.4),
			height: Math.round((height / 72) * 25.4),
			items: items.flatMap((item) =>
				"str" in item && item.str.trim() !== ""
					? [
							{
								text: item.str,
								x: item.transform[4],
								y: height - item.transform[5],
								size: item.height,
							},
						]
					: [],
			),
		});
	}
	return pages;
}

const textOf = ({ items }: PrintedPage) =>
	items.map(({ text }) => text).join("");

describe("printing in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a receipt prints once, on one strip, however many products the shop has",
		async () => {
			const { page, problems } = await openTill(200);
			await sell(page, 2);
			const [strip, ...more] = await printed(page);
			expect(more).toEqual([]);
			expect(strip?.width).toBe(80);
			expect(strip?.height).toBeGreaterThan(50);
			expect(strip?.height).toBeLessThan(120);
			const text = textOf(strip as PrintedPage);
			expect(text.match(/Duka la Njeri/g)).toHaveLength(1);
			expect(text).toMatch(/Product 0.*Product 1.*Total.*Served by/);
			// Neither the till nor its dialog prints.
			expect(text).not.toMatch(/Product 2|Next sale|Settings|On the server/);
			for (const paper of [
				{ format: "A4" },
				{ width: "80mm", height: "297mm" },
				{ width: "80mm", height: "150mm" },
			]) {
				const pages = await printed(page, paper);
				expect(pages).toHaveLength(1);
				// Each later print is a copy.
				expect(textOf(pages[0] as PrintedPage)).toBe(
					text.replace("Duka la Njeri", "$&COPY"),
				);
			}
			// The next sale's receipt replaces this one.
			await scan(page, "CODE-3");
			await scan(page, "CF-CASH");
			await page
				.getByRole("article", { name: "Receipt" })
				.getByText("Product 3")
				.waitFor();
			const [next, ...others] = await printed(page);
			expect(others).toEqual([]);
			expect(textOf(next as PrintedPage)).toContain("Product 3");
			expect(textOf(next as PrintedPage)).not.toContain("COPY");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a receipt reprinted from the history is one strip, too",
		async () => {
			const { page } = await openTill(3);
			await sell(page, 3);
			await page.getByText("On the server").waitFor();
			const id = await page.evaluate(async () => {
				const answer = await fetch("/api/sales-history");
				return (await answer.json()).sales[0].id;
			});
			await page.goto(
				new URL(`/api/receipts/${id}?format=html`, page.url()).href,
			);
			const pages = await printed(page);
			expect(pages).toHaveLength(1);
			expect(pages[0]).toMatchObject({ width: 80, height: 297 });
			expect(textOf(pages[0] as PrintedPage)).toMatch(
				/Product\s?0.*Product\s?2/,
			);
		},
	);

	inBrowser(
		"a receipt prints on the paper that this browser has chosen, and a copy of it too",
		async () => {
			const { page, problems } = await openTill(3);
			for (const [chip, width, height] of [
				["58 mm", 58, undefined],
				["80 mm", 80, undefined],
				["A4", 210, 297],
			] as const) {
				await page.getByRole("link", { name: "Settings" }).click();
				await page.getByRole("link", { name: "Receipt printer" }).click();
				await page.getByRole("radio", { name: chip }).click();
				await page.getByRole("link", { name: "Till", exact: true }).click();
				await page.getByRole("button", { name: /^Product 0/ }).waitFor();
				await sell(page, 2);
				const [sheet, ...more] = await printed(page);
				expect(more).toEqual([]);
				expect(sheet?.width).toBe(width);
				if (height) expect(sheet?.height).toBe(height);
				else expect(sheet?.height).toBeLessThan(120);
				expect(textOf(sheet as PrintedPage)).toMatch(
					/Product\s?0.*Product\s?1.*Served by/,
				);
				await page.getByText("On the server").waitFor();
				await page.getByRole("button", { name: "Next sale" }).click();
				await page.getByRole("link", { name: "Sales" }).click();
				await page
					.getByRole("button", { name: /-00000\d/ })
					.first()
					.click();
				const opening = page.waitForEvent("popup");
				await page.getByRole("button", { name: "Print" }).click();
				const copy = await opening;
				await copy.getByText("TOTAL KES").waitFor();
				const [copied] = await printed(copy);
				expect([copied?.width, copied?.height]).toEqual([width, 297]);
				await copy.close();
			}
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a long receipt continues over pages, with each line once and no overlaps",
		async () => {
			const { page } = await openTill(70);
			await sell(page, 70);
			const pages = await printed(page);
			expect(pages.length).toBeGreaterThan(1);
			const names = pages
				.flatMap(({ items }) => items)
				.filter(({ text }) => text.startsWith("Product "));
			expect(names.map(({ text }) => text)).toEqual(
				Array.from({ length: 70 }, (_, i) => `Product ${i}`),
			);
			for (const { width, height, items } of pages) {
				expect([width, height]).toEqual([80, 297]);
				const places = items.map(({ x, y }) => `${Math.round(x)},${y}`);
				expect(new Set(places).size).toBe(places.length);
				const lines = items.filter(({ text }) => text.startsWith("Product "));
				for (const [i, { y, size }] of lines.slice(1).entries())
					expect(y - (lines[i]?.y ?? 0)).toBeGreaterThan(size);
			}
		},
	);
});
