import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	customerCreate,
	customerLimit,
} from "../../../sync/entities/customer.ts";
import { layawayCreate } from "../../../sync/entities/layaway.ts";
import { paymentAdjust } from "../../../sync/entities/payment.ts";
import {
	delayQuestions,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

async function openTills() {
	const server = await openShopServer();
	const owner = await server.fill();
	const open = async () => {
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, owner)]);
		await page.goto(server.url);
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		return { page, problems };
	};
	const tills = [await open(), await open()] as const;
	return {
		...{ server, owner },
		pages: tills.map(({ page }) => page) as [Page, Page],
		problems: () => tills.flatMap(({ problems }) => problems),
	};
}

const button = (page: Page | Locator, name: string | RegExp) =>
	page.getByRole("button", { name });
const method = (page: Page, name: string) => page.getByRole("radio", { name });

async function startPaying(page: Page): Promise<void> {
	await button(page, /^Milk/).click();
	await page.keyboard.press("F8");
	await page.getByLabel("Cash received").waitFor();
}

describe("customers, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a customer is written down while buying on credit, and pays on another till",
		async () => {
			const { server, pages, problems } = await openTills();
			const [one, other] = pages;
			await startPaying(one);
			await one.keyboard.type("20");
			await method(one, "On credit").click();
			await one.keyboard.type("Zawadi");
			await one.getByLabel("Phone").fill("0712 345 678");
			await button(one, "Add Zawadi").click();
			expect(await one.getByTestId("will-owe").textContent()).toContain("45");
			await button(one, /Complete sale/).click();
			expect(await one.getByTestId("lent").textContent()).toContain("45");
			await one.getByText("Zawadi owes").first().waitFor();
			await one.getByText("On the server").waitFor();

			await other.getByRole("link", { name: "Customers" }).click();
			await button(other, /Zawadi.*Owes 45/).click();
			await button(other, "Take a payment").click();
			await other.getByLabel("Amount").fill("30");
			await method(other, "M-PESA").click();
			await other.getByLabel("M-PESA code").fill("tia9 b1u5vv");
			await button(other, "Take a payment").click();
			await other.getByText("Payment · M-PESA · TIA9B1U5VV").waitFor();

			await button(one, /Next sale/).click();
			await one.getByRole("link", { name: "Customers" }).click();
			await button(one, /Zawadi.*Owes 15/).waitFor();
			expect(
				await server
					.now()
					.rows(
						"SELECT kind, method, amount FROM payments ORDER BY kind, amount",
					),
			).toEqual([
				{ kind: "collection", method: "CREDIT", amount: -30e6 },
				{ kind: "collection", method: "MPESA", amount: 30e6 },
				{ kind: "sale", method: "CASH", amount: 20e6 },
				{ kind: "sale", method: "CREDIT", amount: 45e6 },
			]);
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"a sale is paid in two parts, and a code that was used before is asked about",
		async () => {
			const { server, pages, problems } = await openTills();
			const [page] = pages;
			await startPaying(page);
			await page.keyboard.type("20");
			await method(page, "M-PESA").click();
			await page.getByLabel("M-PESA code").fill("TIA9B1U5VV");
			await page.keyboard.press("Enter");
			expect(await page.getByTestId("amount-paid").textContent()).toContain(
				"65",
			);
			await button(page, /Next sale/).click();
			await startPaying(page);
			await method(page, "M-PESA").click();
			await page.getByLabel("M-PESA code").fill("tia9b1u5vv");
			await page.keyboard.press("Enter");
			await page.getByText(/TIA9B1U5VV was used for another payment/).waitFor();
			await button(page, "Sell anyway").click();
			await page.getByText("On the server").waitFor();
			const { rows } = server.now();
			expect(
				await rows(
					"SELECT payment_method, payment_code, paid FROM sales WHERE total > 0 ORDER BY created_at",
				),
			).toEqual([
				{ payment_method: "MIXED", payment_code: null, paid: 65e6 },
				{ payment_method: "MPESA", payment_code: "TIA9B1U5VV", paid: 65e6 },
			]);
			expect(await rows("SELECT cause FROM inbox_items")).toContainEqual({
				cause: "code_reused",
			});
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"a customer who was written down twice becomes one, with the debt of both, and can be forgotten",
		async () => {
			const { server, pages, problems } = await openTills();
			const [page] = pages;
			const add = async (name: string, phone: string, owed: string) => {
				await button(page, "Add a customer").first().click();
				await page.getByLabel("Name").fill(name);
				await page.getByLabel("Phone").fill(phone);
				await page.getByLabel("Owes already").fill(owed);
			};
			const close = () => page.keyboard.press("Escape");
			await page.getByRole("link", { name: "Customers" }).click();
			// An empty page offers its next step.
			await button(page.locator(".empty"), "Add a customer").waitFor();
			await add("Zawadi", "0712 345 678", "120");
			await button(page, "Save").click();
			await page.getByText("Correction · Debt").waitFor();
			await page.getByText("Owed before").waitFor();
			await close();
			await add("Mama Zawadi", "+254712345678", "30");
			await page.getByText("Zawadi has this number").waitFor();
			await button(page, "Save").click();
			await button(page, "Merge with…").click();
			await page
				.getByRole("dialog")
				.getByRole("button", { name: /^Zawadi/ })
				.click();
			await page.getByText(/^Zawadi becomes Mama Zawadi/).waitFor();
			await button(page, "Merge").click();
			await page.getByText("Owes 150").first().waitFor();
			await button(page, "Take a payment").click();
			await page.getByLabel("Amount").fill("250");
			expect(await page.getByTestId("credit-left").textContent()).toContain(
				"100",
			);
			await button(page, "Take a payment").click();
			await page.getByText("Has 100").first().waitFor();
			await button(page, "Statement").click();
			const statement = page.getByRole("dialog").getByRole("article");
			await statement.getByText("Owed before").first().waitFor();
			expect(await statement.innerText()).toMatch(/Credit left KES\s+100/);
			const link = page.getByRole("link", { name: "WhatsApp" });
			expect(await link.getAttribute("href")).toMatch(
				/^https:\/\/wa\.me\/254712345678\?text=.*Credit|CREDIT/,
			);
			await close();
			await close();
			expect(await button(page, /Zawadi/).count()).toBe(1);

			await page.getByRole("link", { name: "Till" }).click();
			await startPaying(page);
			await method(page, "On credit").click();
			await button(page, /^Mama Zawadi/).click();
			expect(await page.getByTestId("credit-left").textContent()).toContain(
				"35",
			);
			await button(page, /Complete sale/).click();
			await page.getByText("Taken from their credit").waitFor();
			await page.getByText("Credit left, Mama Zawadi").first().waitFor();
			await button(page, /Next sale/).click();

			await page.getByRole("link", { name: "Customers" }).click();
			await button(page, /Zawadi/).click();
			await button(page, "Edit").click();
			await button(page, "Erase personal data").click();
			await button(page, "Erase personal data").click();
			await page.getByText(/Personal data erased on/).waitFor();
			await close();
			await button(page, /—.*Has 35/).waitFor();
			await expect
				.poll(() =>
					server.now().rows("SELECT DISTINCT name, phone FROM customers"),
				)
				.toEqual([{ name: "—", phone: null }]);
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"Enter chooses nobody while the search for what is typed is still under way",
		async () => {
			const { server, owner, pages, problems } = await openTills();
			const [page] = pages;
			const { shop } = server.now();
			for (const name of ["Asha", "Zawadi"])
				await shop.mutate(owner, customerCreate, { id: name, name });
			await delayQuestions(page, '"search":"Zawadi"', 1_000);
			await page.reload();
			await startPaying(page);
			await method(page, "On credit").click();
			await button(page, /^Asha/).waitFor();
			await page.keyboard.type("Zawadi");
			await page.waitForTimeout(500);
			await page.keyboard.press("Enter");
			await button(page, /^Asha/).waitFor({ state: "detached" });
			await page.keyboard.press("Enter");
			await page.getByTestId("will-owe").waitFor();
			await button(page, /Complete sale/).click();
			await page.getByText("Zawadi owes").first().waitFor();
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"a limit that changes elsewhere while a customer's phone is corrected stays as it was changed",
		async () => {
			const { server, owner, pages, problems } = await openTills();
			const [page] = pages;
			const { shop, rows } = server.now();
			const id = "zawadi";
			await shop.mutate(owner, customerCreate, { id, name: "Zawadi" });
			await shop.mutate(owner, customerLimit, { id, creditLimit: 500 });
			await page.getByRole("link", { name: "Customers" }).click();
			await button(page, /Zawadi/).click();
			await page.getByText("500").waitFor();
			await button(page, "Edit").click();
			await page.getByLabel("Phone").fill("0712 345 678");
			await shop.mutate(owner, customerLimit, { id, creditLimit: 2_000 });
			await shop.mutate(owner, paymentAdjust, {
				...{ id: "old", customerId: id, amount: 7, reason: "Old" },
			});
			await page.getByText("Owes 7").first().waitFor();
			await button(page, "Save").click();
			await page.getByText("0712 345 678 · Credit limit: KES 2,000").waitFor();
			await expect
				.poll(() => rows("SELECT phone, credit_limit FROM customers"))
				.toEqual([{ phone: "0712 345 678", credit_limit: 2_000e6 }]);

			// So does the limit of one whose removal is taken back.
			await shop.mutate(owner, paymentAdjust, {
				...{ id: "paid", customerId: id, amount: -7, reason: "Paid" },
			});
			await button(page, "Edit").click();
			await button(page, "Remove").click();
			await button(page, "Undo").click();
			await expect
				.poll(() =>
					rows("SELECT phone, credit_limit FROM customers WHERE deleted = 0"),
				)
				.toEqual([{ phone: "0712 345 678", credit_limit: 2_000e6 }]);
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"goods are kept for a customer at the till, paid in parts, and handed over on another till",
		async () => {
			const { server, pages, problems } = await openTills();
			const [one, other] = pages;
			await button(one, /^Milk/).click();
			await button(one, "Note").click();
			await one.getByRole("dialog").getByLabel("Note").fill("Blue one");
			await button(one, "Done").click();
			await button(one, "Keep for a customer").click();
			await one
				.getByText("The note is not kept with the goods: Blue one")
				.waitFor();
			await one.getByLabel("For whom?").fill("Zawadi");
			await button(one, "Add Zawadi").click();
			await button(one.getByRole("dialog"), "Keep for a customer").click();
			await one.getByLabel("Amount").fill("40");
			await button(one, "Take a deposit").click();
			const slip = one.getByRole("dialog").getByRole("article");
			await slip.getByText(/Left to pay/i).waitFor();
			expect(await slip.innerText()).toMatch(/left to pay KES\s+25/i);
			await one.keyboard.press("Escape");
			await one.keyboard.press("Escape");
			// The cart is free, and what is kept is not for sale.
			expect(await one.getByTestId("total").textContent()).toContain("0");

			await other.getByRole("link", { name: "Customers" }).click();
			await method(other, "Kept goods").click();
			await button(other, /Zawadi · Milk.*40 of 65 paid/).click();
			await button(other, "Hand over").click();
			await other.getByLabel("Cash received").waitFor();
			await other.keyboard.type("30");
			await button(other, /Complete sale/).click();
			expect(await other.getByTestId("change-due").textContent()).toContain(
				"5",
			);
			await other.getByText("On the server").waitFor();
			const { rows } = server.now();
			expect(
				await rows(
					"SELECT method, sum(amount) AS sum FROM payments GROUP BY method ORDER BY method",
				),
			).toEqual([
				{ method: "CASH", sum: 65e6 },
				{ method: "CREDIT", sum: 0 },
			]);
			expect(await rows("SELECT state FROM layaways")).toEqual([
				{ state: "completed" },
			]);
			expect(problems()).toEqual([]);
		},
	);

	inBrowser(
		"a customer for whom goods are kept can't be removed: nobody could pay for them any more",
		async () => {
			const { server, owner, pages } = await openTills();
			const [page] = pages;
			const { shop } = server.now();
			for (const [id, name] of [
				["a", "Asha"],
				["z", "Zawadi"],
			] as const)
				await shop.mutate(owner, customerCreate, { id, name });
			await shop.mutate(owner, layawayCreate, {
				...{ id: "kept", customerId: "a" },
				items: [
					{
						...{ id: "1", productId: "milk", name: "Milk" },
						...{ quantity: 1, price: 65, cost: 40 },
					},
				],
			});
			await page.getByRole("link", { name: "Customers" }).click();
			const remove = button(page, "Remove");
			await button(page, /^Zawadi/).click();
			await button(page, "Edit").click();
			await remove.waitFor();
			await page.keyboard.press("Escape");
			await page.keyboard.press("Escape");
			await button(page, /^Asha/).click();
			await page.getByText("0 of 65 paid").waitFor();
			await button(page, "Edit").click();
			await page.getByLabel("Name").waitFor();
			expect(await remove.count()).toBe(0);
		},
	);
});
