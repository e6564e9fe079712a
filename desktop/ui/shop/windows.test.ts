import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import {
	goods,
	holdNext,
	inBrowser,
	openShopServer,
	openWindow,
	scan,
	signIn,
	textOf,
	ticketOf,
	totalsOf,
} from "../testing/browser.ts";

const milk = (page: Page) => page.getByRole("button", { name: /^Milk/ });
const heldMilk = (page: Page) =>
	page.getByRole("dialog").getByRole("button", { name: /Milk/ });
const bread = (page: Page) => page.getByRole("button", { name: /^Bread/ });

async function pay(page: Page): Promise<void> {
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
}

/** Opens two signed-in windows of one browser. */
async function openTwo() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page: first, context, problems } = await openWindow();
	await signIn(first, server);
	await milk(first).waitFor();
	const openTab = async () => {
		const page = await context.newPage();
		page.setDefaultTimeout(15_000);
		await page.goto(server.url);
		await milk(page).waitFor();
		return page;
	};
	return { server, caller, context, problems, first, openTab };
}

describe("several windows of one browser, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a changed price and the number of pending mutations show in every window",
		async () => {
			const { server, caller, context, first, openTab } = await openTwo();
			const second = await openTab();
			for (const sellingPrice of [70, 71, 72]) {
				await server.now().shop.mutate(caller, productUpdate, {
					id: "milk",
					set: { sellingPrice },
				});
				const shown = { name: new RegExp(`^Milk.*${sellingPrice}`) };
				await first.getByRole("button", shown).waitFor();
				await second.getByRole("button", shown).waitFor();
			}
			await context.setOffline(true);
			await milk(first).click();
			await pay(first);
			await second
				.getByRole("status", { name: "Offline, 1 waiting" })
				.waitFor();
			await ticketOf(second, "Milk", 19).waitFor();
		},
	);

	inBrowser(
		"each window has its own cart, which a reload keeps; a closed window's cart goes to the next",
		async () => {
			const { server, first, openTab, problems } = await openTwo();
			await milk(first).click();
			const second = await openTab();
			await bread(second).click();
			await expect.poll(() => textOf(second, "total")).toBe("KES 60");
			// A hidden window is slow.
			await first.bringToFront();
			await first.reload();
			await expect.poll(() => textOf(first, "total")).toBe("KES 65");
			await second.bringToFront();
			// It also survives a visit to another page.
			await second.getByRole("link", { name: "Sales" }).click();
			await second.getByRole("link", { name: "Till", exact: true }).click();
			await expect.poll(() => textOf(second, "total")).toBe("KES 60");
			await first.bringToFront();
			await pay(first);
			await first.getByText("On the server").waitFor();
			await second.close();
			const third = await openTab();
			await expect.poll(() => textOf(third, "total")).toBe("KES 60");
			const fourth = await openTab();
			await fourth.waitForTimeout(500);
			expect(await textOf(fourth, "total")).toBe("KES 0");
			await third.bringToFront();
			await pay(third);
			await third.getByText("On the server").waitFor();
			expect(await totalsOf(server.now())).toEqual([65, 60]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("a paid sale is not in the cart after a crash", async () => {
		const { server, first, openTab } = await openTwo();
		await milk(first).click();
		await first.keyboard.press("F8");
		await first.getByRole("button", { name: "Complete sale" }).waitFor();
		// The page is frozen from here on.
		await first.evaluate(`
				const { postMessage } = Worker.prototype;
				Worker.prototype.postMessage = function (message) {
					if (this.onmessage) postMessage.call(this, message);
					if (message.call?.name === "mutate") this.onmessage = null;
				};`);
		await first.getByRole("button", { name: "Complete sale" }).click();
		await expect.poll(() => totalsOf(server.now())).toEqual([65]);
		await first.goto("about:blank");
		const next = await openTab();
		// The next window takes the saved cart.
		await bread(next).click();
		await expect.poll(() => textOf(next, "total")).toBe("KES 60");
	});

	inBrowser(
		"a window whose shop can't be opened yet gets its cart once it can",
		async () => {
			const { server, context, first } = await openTwo();
			await milk(first).click();
			await expect.poll(() => textOf(first, "total")).toBe("KES 65");
			await context.route("**/*.wasm", (route) => route.abort());
			await first.goto(server.url);
			await first.getByText("Will retry automatically").waitFor();
			await context.unroute("**/*.wasm");
			await bread(first).click();
			await expect.poll(() => textOf(first, "total")).toBe("KES 125");
		},
	);

	inBrowser("holding a sale twice at once holds it once", async () => {
		const { first } = await openTwo();
		await milk(first).click();
		await first.evaluate(
			`for (const _ of [1, 2]) window.dispatchEvent(new KeyboardEvent("keydown", { key: "F9" }))`,
		);
		await first.getByRole("button", { name: "1 held sale" }).waitFor();
		await first.waitForTimeout(300);
		await first.getByRole("button", { name: "1 held sale" }).waitFor();
	});

	inBrowser(
		"a held sale that two windows resume at once goes to one of them",
		async () => {
			const { first, openTab } = await openTwo();
			await milk(first).click();
			await first.keyboard.press("F9");
			const second = await openTab();
			for (const page of [first, second]) {
				await page.getByRole("button", { name: "1 held sale" }).click();
				await heldMilk(page).waitFor();
			}
			await heldMilk(first).click();
			await expect.poll(() => textOf(first, "total")).toBe("KES 65");
			await second
				.getByRole("button", { name: "1 held sale" })
				.waitFor({ state: "detached" });
			expect(await textOf(second, "total")).toBe("KES 0");
		},
	);

	inBrowser(
		"what is scanned while a held sale comes back, or while goods are kept for a customer, is sold",
		async () => {
			const { first, server } = await openTwo();
			await milk(first).click();
			await first.keyboard.press("F9");
			await first.getByRole("button", { name: "1 held sale" }).click();
			let letGo = await holdNext(first, "resumeCart");
			await heldMilk(first).click();
			await scan(first, goods.Bread.sku);
			await letGo();
			await expect.poll(() => textOf(first, "total")).toBe("KES 125");

			await first.getByRole("button", { name: "Keep for a customer" }).click();
			await first.getByLabel("For whom?").fill("Zawadi");
			await first.getByRole("button", { name: "Add Zawadi" }).click();
			letGo = await holdNext(first, "mutate");
			await first
				.getByRole("dialog")
				.getByRole("button", { name: "Keep for a customer" })
				.click();
			await scan(first, goods.Bread.sku);
			await letGo();
			await expect.poll(() => textOf(first, "total")).toBe("KES 60");
			await expect
				.poll(() => server.now().rows("SELECT total FROM layaways"))
				.toEqual([{ total: 125e6 }]);
		},
	);
});
