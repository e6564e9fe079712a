import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
	textOf,
	totalsOf,
} from "../testing/browser.ts";

const milk = (page: Page) => page.getByRole("button", { name: /^Milk/ });
const bread = (page: Page) => page.getByRole("button", { name: /^Bread/ });

async function pay(page: Page): Promise<void> {
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
}

/** Two windows of one browser, signed in. */
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
		"a changed price, and what waits to be sent, shows in each of them",
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
			await second.getByRole("button", { name: /^Milk.*19 left/ }).waitFor();
		},
	);

	inBrowser(
		"each has a sale of its own, which a reload keeps; that of a closed one goes to the next",
		async () => {
			const { server, first, openTab, problems } = await openTwo();
			await milk(first).click();
			const second = await openTab();
			await bread(second).click();
			await expect.poll(() => textOf(second, "total")).toBe("KES 60");
			// A window that nobody sees is slow.
			await first.bringToFront();
			await first.reload();
			await expect.poll(() => textOf(first, "total")).toBe("KES 65");
			await second.bringToFront();
			// Over another page of the app it stays, too.
			await second.getByRole("link", { name: "Sales" }).click();
			await second.getByRole("link", { name: "Till" }).click();
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

	inBrowser(
		"a sale that was paid is not in the cart after a crash",
		async () => {
			const { server, first, openTab } = await openTwo();
			await milk(first).click();
			await first.keyboard.press("F8");
			await first.getByRole("button", { name: "Complete sale" }).waitFor();
			// From then on the page hears and says nothing more.
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
			// It comes to what was kept.
			await bread(next).click();
			await expect.poll(() => textOf(next, "total")).toBe("KES 60");
		},
	);

	inBrowser(
		"a window whose shop can't be opened yet has its sale when it can",
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

	inBrowser("a sale that is held twice at once is held once", async () => {
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
		"a held sale that two take up at once is taken up by one",
		async () => {
			const { first, openTab } = await openTwo();
			await milk(first).click();
			await first.keyboard.press("F9");
			const second = await openTab();
			for (const page of [first, second]) {
				await page.getByRole("button", { name: "1 held sale" }).click();
				await page.getByRole("menuitem").waitFor();
			}
			await first.getByRole("menuitem").click();
			await expect.poll(() => textOf(first, "total")).toBe("KES 65");
			await second
				.getByRole("button", { name: "1 held sale" })
				.waitFor({ state: "detached" });
			expect(await textOf(second, "total")).toBe("KES 0");
		},
	);
});
