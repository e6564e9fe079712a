import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { paymentCollect } from "../../../sync/entities/payment.ts";
import {
	productCreate,
	productDelete,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { stockAdjust } from "../../../sync/entities/stock.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

/** Opens the inbox in a window with separate storage: a till. */
async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { shop } = server.now();
	const rows = (sql: string) => server.now().rows(sql);
	return {
		...{ server, caller, shop, rows },
		async openTill() {
			const till = await openWindow();
			await till.context.addCookies([await ownerCookie(server, caller)]);
			await till.page.goto(`${server.url}/inbox`);
			return till;
		},
		sell: (productId: string, quantity: number, price: number) =>
			shop.mutate(caller, saleCreate, {
				id: `${productId} ${quantity}`,
				items: [
					{
						...{ id: "1", name: productId, productId },
						...{ quantity, price, cost: 1 },
					},
				],
			}),
		quantityOf: async (id: string) => {
			const [found] = await rows(
				`SELECT quantity FROM products WHERE id = '${id}'`,
			);
			return Number(found?.quantity) / 1e6;
		},
		reasons: async () =>
			(
				await rows(
					"SELECT cause, resolution FROM inbox_items ORDER BY cause, resolution",
				)
			).map(({ cause, resolution }) => `${cause}: ${resolution}`),
	};
}
type OpenShop = Awaited<ReturnType<typeof openShop>>;

const groupOf = (page: Page, title: RegExp) =>
	page.getByRole("listitem", { name: title });

async function press(page: Page, title: RegExp, button: string) {
	const group = groupOf(page, title);
	await group.getByRole("button", { name: button, exact: true }).click();
}

/** Presses the buttons that settle a group. As it goes, the buttons below it move: one that is pressed at that moment is missed. */
async function settle(page: Page, title: RegExp, ...buttons: string[]) {
	for (const button of buttons) await press(page, title, button);
	await groupOf(page, title).waitFor({ state: "detached" });
}

async function count(page: Page, title: RegExp, counted: string) {
	await groupOf(page, title).getByLabel("There are").fill(counted);
	await settle(page, title, "Set the count");
}

/** Raises an item of each cause. */
async function raiseAll({ shop, caller, sell }: OpenShop): Promise<void> {
	await sell("sugar", 5, 149.5);
	await sell("sugar", 6, 149.5);
	await sell("ghee", 2, 300);
	await shop.mutate(caller, productDelete, { id: "bread" });
	await sell("bread", 1, 60);
	await shop.mutate(caller, productUpdate, {
		...{ id: "milk", set: { sellingPrice: 70 } },
	});
	// An edit and a sale in the same millisecond would have no order.
	await setTimeout(2);
	await sell("milk", 1, 65);
	const flour = { id: "flour", name: "Flour", quantity: -1e9 };
	await shop.mutate(caller, productCreate, {
		...{ ...flour, buyingPrice: 1, sellingPrice: 0 },
	});
	for (let i = 0; i < 8; i += 1)
		await shop.mutate(caller, stockAdjust, {
			...{ id: `lost ${i}`, productId: "flour", delta: -1e9 },
			reason: "other",
		});
	await sell("flour", 1e9, 0);
	const item = { id: "1", name: "Tea", quantity: 1, price: 5, cost: 1 };
	await shop.push(caller, {
		deviceId: "till-1",
		mutations: [
			{
				...{ id: "ahead", name: "sale.create" },
				at: new Date(Date.now() + 86_400_000).toISOString(),
				args: { id: "tea", items: [item] },
			},
		],
	});
}

describe("the inbox, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"each action empties its group, the menu counts what is left, and another till shows nothing to sort out",
		async () => {
			const opened = await openShop();
			const { rows, quantityOf, reasons, openTill } = opened;
			await raiseAll(opened);
			const other = await openTill();
			const { page, problems } = await openTill();
			const menu = (page: Page) =>
				page.getByRole("navigation").getByRole("link", { name: "To sort out" });
			await groupOf(page, /Sugar sold below zero/)
				.getByText("2 receipts")
				.waitFor();
			await expect.poll(() => menu(page).textContent()).toBe("To sort out6");

			await count(page, /Sugar sold below zero/, "6");
			await expect.poll(() => quantityOf("sugar")).toBe(6);
			await count(page, /Flour: stock too large/, "12.5");
			await expect.poll(() => quantityOf("flour")).toBe(12.5);
			await settle(page, /Milk sold at the old price/, "Keep as sold");
			await settle(page, /ghee: not in your products/, "Add to products");
			await settle(page, /Bread sold, though/, "Sell it again");
			await press(page, /clock or date was wrong/, "See the sale");
			await page.getByRole("dialog").getByText("Tea").waitFor();
			await page.keyboard.press("Escape");
			await settle(
				page,
				/clock or date was wrong/,
				...["Nothing to do", "It was right"],
			);
			await page.getByText("All sorted out.").waitFor();
			await expect.poll(() => menu(page).textContent()).toBe("To sort out");

			await other.page.getByText("All sorted out.").waitFor();
			expect(
				await rows(
					"SELECT name, selling_price, quantity, is_active FROM products WHERE id IN ('ghee', 'bread') ORDER BY id",
				),
			).toEqual([
				expect.objectContaining({ name: "Bread", is_active: 1 }),
				{
					...{ name: "ghee", selling_price: 300e6 },
					...{ quantity: -2e6, is_active: 1 },
				},
			]);
			expect(await reasons()).toEqual([
				"clock: right",
				"inactive_product: corrected",
				"old_price: right",
				"oversold: counted",
				"oversold: counted",
				"uncountable_stock: counted",
				"unknown_product: corrected",
			]);
			expect([...problems, ...other.problems]).toEqual([]);
		},
	);

	inBrowser(
		"a till sorts out offline, and another one shows nothing to sort out once both have synced",
		async () => {
			const { sell, quantityOf, reasons, openTill } = await openShop();
			await sell("sugar", 5, 149.5);
			await sell("ghee", 2, 300);
			const { page, context } = await openTill();
			const other = await openTill();
			await groupOf(page, /Sugar/).waitFor();
			await groupOf(other.page, /Sugar/).waitFor();
			await context.setOffline(true);
			await page.getByRole("status", { name: /Offline/ }).waitFor();
			await count(page, /Sugar/, "4");
			await press(page, /ghee/, "Nothing to do");
			await press(page, /ghee/, "Other reason");
			await page.getByLabel("Your reason").fill("A gift");
			await press(page, /ghee/, "Sorted out");
			await page.getByText("All sorted out.").waitFor();
			await page.getByText("A gift").waitFor();
			expect(await reasons()).toEqual([
				"oversold: null",
				"unknown_product: null",
			]);
			// Sold meanwhile, which the count takes into account.
			await sell("sugar", 1, 149.5);
			// Its arrival moves the buttons: one that is pressed at that moment is missed.
			await groupOf(other.page, /Sugar/).getByText("2 receipts").waitFor();
			await settle(other.page, /Sugar/, "Nothing to do", "Corrected");
			await context.setOffline(false);
			await other.page.getByText("All sorted out.").waitFor();
			await expect.poll(() => quantityOf("sugar")).toBe(3);
		},
	);

	inBrowser(
		"undo takes a count back, and what was sorted out today can be put back",
		async () => {
			const { sell, quantityOf, openTill } = await openShop();
			await sell("sugar", 5, 149.5);
			const { page, problems } = await openTill();
			await count(page, /Sugar/, "7");
			// Under the pointer it stays.
			await page.locator(".toast").hover();
			await expect.poll(() => quantityOf("sugar")).toBe(7);
			await page.getByRole("button", { name: "Undo" }).click();
			await groupOf(page, /Sugar/).waitFor();
			await expect.poll(() => quantityOf("sugar")).toBe(-3);
			await settle(page, /Sugar/, "Nothing to do", "It was right");
			await page.getByText("All sorted out.").waitFor();
			await page.getByRole("button", { name: /^Put back/ }).click();
			await groupOf(page, /Sugar/).waitFor();
			await page.getByText("Sorted out today").waitFor({ state: "detached" });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a code that named two debts' payments is looked up in the log, as no receipt has it",
		async () => {
			const { shop, caller, openTill } = await openShop();
			for (const customerId of ["Zawadi", "Njeri"])
				await shop.mutate(caller, paymentCollect, {
					...{ id: `of ${customerId}`, customerId },
					tenders: [{ method: "MPESA", amount: 50, code: "UIBJN5YMQC" }],
				});
			const { page } = await openTill();
			const group = groupOf(page, /One payment code, two payments/);
			await group.getByText("The log says who").waitFor();
			expect(await group.textContent()).not.toContain("–");
		},
	);

	inBrowser("a cashier sees the inbox without what settles it", async () => {
		const { sell, shop, caller, openTill } = await openShop();
		await sell("sugar", 5, 149.5);
		await shop.store.write((tx) =>
			tx.run(
				"UPDATE memberships SET role = 'CASHIER' WHERE user_id = ?",
				caller.userId,
			),
		);
		const { page } = await openTill();
		const group = groupOf(page, /Sugar/);
		await group.waitFor();
		expect(await group.getByRole("button").allTextContents()).toEqual([
			"See the sale",
		]);
	});
});
