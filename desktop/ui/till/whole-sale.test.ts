import { describe, expect } from "vitest";
import {
	inBrowser,
	lineOf,
	openShopServer,
	openWindow,
	ownerCookie,
	quantityOf,
	tapNext,
	textOf,
} from "../testing/browser.ts";

async function openTill(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	const sales = () =>
		server
			.now()
			.rows("SELECT total, paid, payment_method AS method, notes FROM sales");
	return { page, problems, sales };
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe("a whole sale, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a sale is searched, counted, discounted, paid and followed by the next, by keyboard alone",
		async () => {
			const { page, problems, sales } = await openTill();
			const press = (key: string) => page.keyboard.press(key);
			// A person's pace; faster keys are a scanner's.
			const type = (text: string) => page.keyboard.type(text, { delay: 130 });
			const total = expect.poll(() => textOf(page, "total"));
			await press("/");
			await type("bread");
			await press("Enter");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("1");
			await press("+");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("2");
			await press("ArrowDown");
			for (const key of ["ArrowRight", "Enter"]) await press(key);
			await expect.poll(() => quantityOf(page, "Milk")).toBe("1");
			await press("*");
			await type("3");
			await press("Enter");
			await expect.poll(() => quantityOf(page, "Milk")).toBe("3");
			await press("F6");
			await type("10");
			await press("Enter");
			await total.toBe("KES 283.50");
			await press("F8");
			await type("300");
			await press("Enter");
			// There is no coin for half a shilling.
			expect(await textOf(page, "change-due")).toBe("KES 16");
			await press("Enter");
			await page.getByTestId("change-due").waitFor({ state: "detached" });
			await press("/");
			await type("sugar");
			await press("Enter");
			await expect.poll(() => quantityOf(page, "Sugar")).toBe("1");
			await expect
				.poll(sales)
				.toEqual([
					{ total: 283.5e6, paid: 299.5e6, method: "CASH", notes: null },
				]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a sale is picked, counted, discounted, noted, paid by the keypad and followed by the next, by touch alone",
		async () => {
			const { page, problems, sales } = await openTill(phone);
			const sheet = page.getByRole("dialog");
			const tap = (name: string | RegExp) =>
				page.getByRole("button", { name, exact: true }).tap();
			await tap(/^Milk/);
			await tap(/^Bread/);
			await tap(/2 lines/);
			await tap("One more: Bread");
			await tap("Discount");
			await tap("10 %");
			await expect.poll(() => textOf(page, "total")).toBe("KES 166.50");
			await tap("Note");
			await sheet.getByRole("textbox", { name: "Note" }).fill("For the school");
			await tap("Done");
			await sheet.getByRole("button", { name: "Pay" }).tap();
			await sheet.getByRole("button", { name: "Complete sale" }).waitFor();
			for (const key of ["2", "00", "Erase", "Erase", "00"]) await tap(key);
			await expect.poll(() => textOf(page, "change")).toBe("KES 33");
			await tap("Complete sale");
			await expect.poll(() => textOf(page, "change-due")).toBe("KES 33");
			await tapNext(page, "Next sale");
			await tap(/^Sugar/);
			await page.getByRole("button", { name: /1 line/ }).waitFor();
			await expect.poll(sales).toEqual([
				{
					total: 166.5e6,
					// Half a shilling was kept.
					paid: 199.5e6,
					method: "CASH",
					notes: "For the school",
				},
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"on a phone a line taken out in the cart's sheet is put back by the toast above it",
		async () => {
			const { page, problems } = await openTill(phone);
			for (const name of [/^Milk/, /^Bread/])
				await page.getByRole("button", { name }).tap();
			await page.getByRole("button", { name: /2 lines/ }).tap();
			await page.getByRole("button", { name: "Remove: Bread" }).tap();
			await expect.poll(() => lineOf(page, "Bread").count()).toBe(0);
			await page.getByRole("button", { name: "Undo" }).tap();
			await expect.poll(() => lineOf(page, "Bread").count()).toBe(1);
			await page.getByText("Bread removed").waitFor({ state: "detached" });
			expect(problems).toEqual([]);
		},
	);
});
