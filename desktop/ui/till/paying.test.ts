import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import { signsOfDay } from "../../../sync/statements/mpesa-code.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	textOf,
} from "../testing/browser.ts";

/** A till of a shop whose gifts have no price, whose bags are free, and which has coins of a cent. */
async function openTill(cashUnit = 0.01) {
	const server = await openShopServer();
	const owner = await server.fill({
		Milk: { sku: "6001087340014", sellingPrice: 99.567 },
		Gift: { sku: "GIFT-1", sellingPrice: null },
		Bag: { sellingPrice: 0 },
	});
	await server.now().shop.mutate(owner, businessUpdate, { set: { cashUnit } });
	const open = async (who: { userId: string; businessId: string }) => {
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, who)]);
		await page.goto(server.url);
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		return { page, problems };
	};
	return { server, owner, open };
}

function never(): never {
	throw new Error("The button is not on the screen");
}

describe("the till in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the displayed total pays a sale exactly, and the till's shortcuts are off during payment",
		async () => {
			const { server, owner, open } = await openTill();
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Quantity: Milk").fill("0.5");
			await expect.poll(() => textOf(page, "total")).toBe("KES 49.78");
			await page.keyboard.press("F8");
			const received = page.getByLabel("Cash received");
			await received.waitFor();
			for (const key of ["F9", "F8", "?"]) await page.keyboard.press(key);
			expect(await page.getByText("1 held sale").count()).toBe(0);
			expect(await received.getAttribute("placeholder")).toBe("49.78");
			await received.fill("49.70");
			await page.getByText("Short by").waitFor();
			await received.fill("49.78");
			await page.getByText("Short by").waitFor({ state: "detached" });
			expect(await textOf(page, "change")).toBe("KES 0");
			await page.getByRole("button", { name: "Complete sale" }).click();
			const receipt = page.getByRole("article", { name: "Receipt" });
			await receipt.waitFor();
			expect(await textOf(page, "amount-paid")).toBe("KES 49.78");
			expect(await page.getByText("Give change").count()).toBe(0);
			await page.keyboard.press("F9");
			expect(await receipt.textContent()).toMatch(/Change0\.00Served/);
			await page.getByText("On the server").waitFor();
			const [sale] = await server.now().rows("SELECT total, paid FROM sales");
			expect(sale?.paid).toBe(sale?.total);
			await page.getByRole("button", { name: "Next sale" }).click();
			await scan(page, "AB+C&D#1");
			await page
				.getByRole("dialog", { name: "New item" })
				.getByText("AB+C&D#1")
				.waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"cash is rounded to the shop's coin, shown before paying and recorded with the sale",
		async () => {
			const { server, owner, open } = await openTill(5);
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByText("Rounded from 99.57").waitFor();
			await page.getByRole("button", { name: "200", exact: true }).click();
			await expect.poll(() => textOf(page, "change")).toBe("KES 100");
			await page.keyboard.press("Enter");
			await expect.poll(() => textOf(page, "change-due")).toBe("KES 100");
			await page.getByText("On the server").waitFor();
			expect(
				await server.now().rows("SELECT total, paid, rounding FROM sales"),
			).toEqual([{ total: 99.567e6, paid: 199.567e6, rounding: -0.433e6 }]);
			await page.keyboard.press("Enter");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("Control+Enter");
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 100");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"what is shown as due pays a sale exactly by M-PESA, and so does a part where the rest is too small for any coin",
		async () => {
			const { server, owner, open } = await openTill(5);
			const { page, problems } = await open(owner);
			const pay = async (amount: string) => {
				await page.getByRole("button", { name: /^Milk/ }).click();
				await page.keyboard.press("F8");
				await page.getByRole("radio", { name: "M-PESA" }).click();
				await page.getByLabel("Amount").fill(amount);
			};
			await pay("99.57");
			await page.keyboard.press("Enter");
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 99.57");
			await page.getByRole("button", { name: "Next sale" }).click();
			await pay("99");
			await page.getByRole("radio", { name: "Cash" }).click();
			await page.getByRole("button", { name: "Complete sale" }).click();
			await expect.poll(() => textOf(page, "change-due")).toBe("KES 0.57");
			await page.getByText("On the server").waitFor();
			expect(
				await server
					.now()
					.rows(
						"SELECT paid, payment_method, rounding FROM sales ORDER BY paid",
					),
			).toEqual([
				{ paid: 99e6, payment_method: "MPESA", rounding: null },
				{ paid: 99.567e6, payment_method: "MPESA", rounding: null },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a code that names a part of a payment is checked, too, before the goods go",
		async () => {
			const { server, owner, open } = await openTill();
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByRole("radio", { name: "M-PESA" }).click();
			await page.getByLabel("M-PESA code").fill("qx-12");
			await page.getByLabel("Amount").fill("50");
			await page.getByRole("radio", { name: "Cash" }).click();
			const complete = page.getByRole("button", { name: "Complete sale" });
			await complete.click();
			await page.getByText("QX12 doesn't look like an M-PESA code").waitFor();
			expect(await server.now().rows("SELECT id FROM sales")).toEqual([]);
			await page.getByRole("button", { name: "Go back" }).click();
			await page.getByRole("button", { name: "Take out: M-PESA" }).click();
			await complete.click();
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 99.57");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a double click or a long Enter that completes a sale leaves its change on the screen",
		async () => {
			const { owner, open } = await openTill();
			const { page, problems } = await open(owner);
			const due = () => textOf(page, "change-due");
			const pay = async () => {
				await page.getByRole("button", { name: /^Milk/ }).click();
				await page.keyboard.press("F8");
				await page.getByLabel("Cash received").fill("100");
			};
			await pay();
			const complete = page.getByRole("button", { name: "Complete sale" });
			const { x, y, width, height } = (await complete.boundingBox()) ?? never();
			// Where the next button comes to be.
			const end = [x + width - 60, y + height / 2] as const;
			await page.mouse.click(...end);
			await expect.poll(due).toBe("KES 0.43");
			await page.mouse.move(...end);
			await page.mouse.down({ clickCount: 2 });
			await page.mouse.up({ clickCount: 2 });
			await page.waitForTimeout(200);
			expect(await due()).toBe("KES 0.43");
			await page.mouse.click(...end);
			await page.getByTestId("change-due").waitFor({ state: "detached" });

			await pay();
			await page.keyboard.down("Enter");
			await expect.poll(due).toBe("KES 0.43");
			for (let i = 0; i < 3; i += 1) await page.keyboard.down("Enter");
			await page.waitForTimeout(200);
			expect(await due()).toBe("KES 0.43");
			await page.keyboard.up("Enter");
			await page.keyboard.press("Enter");
			await page.getByTestId("change-due").waitFor({ state: "detached" });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a payment by the scanner forgets nothing that was handed over before",
		async () => {
			const { server, owner, open } = await openTill();
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.keyboard.type("20");
			await page.getByRole("radio", { name: "Card" }).click();
			await page.getByText("Still to pay").waitFor();
			await page.waitForTimeout(300);
			await scan(page, "CF-CASH");
			await page.waitForTimeout(300);
			await page.getByRole("button", { name: /Complete sale/ }).click();
			await page.getByRole("article", { name: "Receipt" }).waitFor();
			const rows = () =>
				server
					.now()
					.rows("SELECT method, amount FROM payments ORDER BY method");
			await expect.poll(rows).toEqual([
				{ method: "CARD", amount: 79.567e6 },
				{ method: "CASH", amount: 20e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a payment by the scanner closes the sheet that is open over the sale",
		async () => {
			const { owner, open } = await openTill();
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("?");
			const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
			await keys.waitFor();
			// A key right before a code would be its first.
			await page.waitForTimeout(300);
			await scan(page, "CF-CASH");
			await page.getByRole("article", { name: "Receipt" }).waitFor();
			expect(await keys.count()).toBe(0);
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await expect.poll(() => textOf(page, "total")).toBe("KES 99.57");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a cashier is asked for the price of a product without one, and can't change stock",
		async () => {
			const { server, owner, open } = await openTill();
			const { store, env } = server.now().shop;
			const { id: userId } = await createUser(
				store,
				env,
				{ email: "c@example.com", name: "Chege", passwordHash: cheapHash },
				{ businessId: owner.businessId, role: "CASHIER" },
			);
			const { page, problems } = await open({ ...owner, userId });
			await page.getByRole("button", { name: /^Bag/ }).click();
			expect(await page.getByRole("dialog").count()).toBe(0);
			await scan(page, "GIFT-1");
			await page
				.getByRole("dialog", { name: "Price of Gift" })
				.getByLabel("Price")
				.fill("110");
			await page.keyboard.press("Enter");
			await page.getByLabel("Price: Gift").fill("120");
			expect(await page.getByLabel("Price: Bag").count()).toBe(0);
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			expect(await server.now().rows("SELECT total FROM sales")).toEqual([
				{ total: 120e6 },
			]);
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByText("This is for an owner or manager").waitFor();
			expect(
				await page.getByRole("button", { name: "Change stock" }).count(),
			).toBe(0);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a wrong amount or an odd code is named in plain words, and the cart stays until it is corrected",
		async () => {
			const { server, owner, open } = await openTill();
			const { page, problems } = await open(owner);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			const received = page.getByLabel("Cash received");
			await received.fill("6001087340014");
			await received.press("Enter");
			await page.getByText("The cash received is too large.").waitFor();
			await page.keyboard.press("Escape");
			await page.reload();
			await expect.poll(() => textOf(page, "total")).toBe("KES 99.57");
			await page.getByRole("button", { name: "Note" }).click();
			await page.getByRole("textbox", { name: "Note" }).fill("For school");
			await page.keyboard.press("Escape");
			await page.keyboard.press("F8");
			await page.getByRole("radio", { name: "M-PESA" }).click();
			const code = page.getByLabel("M-PESA code");
			await code.fill("qx-12");
			await code.press("Enter");
			await page.getByText("QX12 doesn't look like an M-PESA code").waitFor();
			await page.getByRole("button", { name: "Go back" }).click();
			const lastWeek = toIso(Date.now() - 7 * 24 * 3_600_000).slice(0, 10);
			await code.fill(`${signsOfDay(lastWeek)}9B1U5VV`);
			await code.press("Enter");
			await page.getByText(/9B1U5VV looks like a payment of/).waitFor();
			await page.getByRole("button", { name: "Go back" }).click();
			await code.fill("tia9b1u5vv");
			await code.press("Enter");
			await page.getByText("On the server").waitFor();
			expect(
				await server
					.now()
					.rows("SELECT notes, payment_code, receipt_number FROM sales"),
			).toEqual([
				{
					...{ notes: "For school", payment_code: "TIA9B1U5VV" },
					receipt_number: expect.stringMatching(/-000001$/),
				},
			]);
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.evaluate(() =>
				localStorage.setItem("counterfoil-language", "sw"),
			);
			await page.reload();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByLabel("Pesa iliyopokelewa").fill("2000000000");
			await page.keyboard.press("Enter");
			await page.getByText("Pesa iliyopokelewa ni kubwa mno.").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"cash below the total asks for confirmation, and never shows as negative change",
		async () => {
			const { server, owner, open } = await openTill();
			const { page, problems } = await open(owner);
			const received = page.getByLabel("Cash received");
			const short = page.getByRole("alert").getByText("KES 49.57 short.");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await received.fill("50");
			await received.press("Enter");
			await short.waitFor();
			// The next Enter returns to the amount.
			await page.keyboard.press("Enter");
			await short.waitFor({ state: "detached" });
			await page.keyboard.type("0");
			await page.keyboard.press("Enter");
			await page.getByText("Type the cash received, or leave it").waitFor();
			expect(
				await page.getByRole("button", { name: "Sell anyway" }).count(),
			).toBe(0);
			await received.fill("50");
			await received.press("Enter");
			await short.waitFor();
			await page.getByRole("button", { name: "Sell anyway" }).click();
			await page.getByText("On the server").waitFor();
			const receipt = page.getByRole("article", { name: "Receipt" });
			const text = (await receipt.textContent()) ?? "";
			expect(text.replaceAll("\u00a0", " ")).toContain("Short by49.57");
			expect(text).not.toMatch(/[-−]\s?\d+\.\d/);
			expect(await textOf(page, "change-due")).toBe("KES 49.57");
			const [sale] = await server
				.now()
				.rows("SELECT id, paid, rounding FROM sales");
			// 99.567 is 99.57 in coins; what the shop keeps isn't paid.
			expect(sale).toMatchObject({ paid: 49.997e6, rounding: -0.003e6 });
			const printed = await page.evaluate(
				async (id) => (await fetch(`/api/receipts/${id}?format=html`)).text(),
				sale?.id as string,
			);
			expect(printed).toMatch(/Short by<.*>49\.57</);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a line without a price, kept from an earlier version, asks before it is sold for 0",
		async () => {
			const { server, owner, open } = await openTill();
			const { page } = await open(owner);
			await scan(page, "GIFT-1");
			const sheet = page.getByRole("dialog", { name: "Price of Gift" });
			await sheet.getByLabel("Price").fill("5");
			await page.getByRole("button", { name: "Sell once" }).click();
			await sheet.waitFor({ state: "detached" });
			await page.getByLabel("Price: Gift").fill("0");
			await scan(page, "CF-CASH");
			const question = page.getByRole("alert").getByText("will be sold for 0");
			expect(await question.textContent()).toMatch(/: Gift$/);
			await page.locator("button:focus", { hasText: "Go back" }).waitFor();
			await page.keyboard.press("Enter");
			await question.waitFor({ state: "detached" });
			expect(await server.now().rows("SELECT id FROM sales")).toEqual([]);
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Sell anyway" }).click();
			await page.getByText("On the server").waitFor();
			expect(await server.now().rows("SELECT total FROM sales")).toEqual([
				{ total: 0 },
			]);
		},
	);
});
