import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { textsIn } from "../testing/all-words.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";
import { fr } from "./fr.ts";

const english = textsIn("en");

/** The texts of a page, also those that only a screen reader says. */
async function textsOf(page: Page): Promise<string[]> {
	const lines = await page.evaluate(() => {
		const said = ["aria-label", "title", "placeholder", "alt"];
		const attributes = [...document.querySelectorAll("body *")].flatMap((one) =>
			said.map((name) => one.getAttribute(name) ?? ""),
		);
		return [...document.body.innerText.split("\n"), ...attributes];
	});
	return lines.map((line) => line.trim());
}

describe("the app in Chromium (skipped where none is found)", () => {
	for (const [language, locale, texts] of [
		["sw", "sw-KE", textsIn("sw")],
		["fr", "fr-FR", fr],
	] as const)
		inBrowser(
			`a browser in ${language} sells without an English word on till, payment and receipt`,
			async () => {
				const foreign = new Set(Object.values(texts));
				const left = new Set(
					Object.values(english).filter((text) => !foreign.has(text)),
				);
				const server = await openShopServer();
				const owner = await server.fill();
				const { page, context, problems } = await openWindow({ locale });
				await context.addCookies([await ownerCookie(server, owner)]);
				const expectNoEnglish = async () => {
					const lines = await textsOf(page);
					expect(lines.filter((line) => left.has(line))).toEqual([]);
				};
				const button = (word: keyof typeof fr) =>
					page.getByRole("button", { name: texts[word] as string });

				await page.goto(server.url);
				await page.getByRole("button", { name: /^Milk/ }).click();
				expect(await page.evaluate("document.documentElement.lang")).toBe(
					language,
				);
				await expectNoEnglish();
				await page.keyboard.press("F8");
				await button("pay.complete").waitFor();
				await expectNoEnglish();
				await button("pay.complete").click();
				await button("pay.next").waitFor();
				await page.getByText(texts["pay.sent"] as string).waitFor();
				await expectNoEnglish();
				expect(problems).toEqual([]);
			},
		);
});
