import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	signIn,
} from "../testing/browser.ts";

/** A fake till shell: records its calls and remembers the printer. */
const tillShell = `
	window.asked = [];
	let chosen = null;
	window.till = {
		printers: async () => ({ chosen, system: ["Star TSP100"] }),
		choosePrinter: async (printer) => { chosen = printer; asked.push(["choose", printer]); },
		openDrawer: async () => { asked.push(["drawer"]); },
		print: async (receipt, options) => { asked.push(["print", receipt, options]); },
	};`;

const askedOf = (page: Page) =>
	page.evaluate<[string, ...unknown[]][]>("window.asked");

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("link", { name: "Till", exact: true }).click();
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	await scan(page, "6001087340014");
	await page.getByRole("button", { name: "Pay" }).click();
	await page.getByRole("button", { name: "100", exact: true }).click();
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByTestId("change-due").waitFor();
}

describe("receipts in a till's window", () => {
	inBrowser(
		"a receipt prints on the chosen printer, whose drawer opens for cash",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow();
			await page.addInitScript(tillShell);
			await signIn(page, server);
			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "Receipt printer" }).click();
			await page
				.getByRole("combobox", { name: "This till prints" })
				.selectOption("On a network receipt printer");
			await page.getByLabel("Address").fill("192.168.1.50");
			await page.getByText("58 mm").click();
			const part = page
				.locator("section")
				.filter({ hasText: "Receipt printer" });
			await part.getByRole("button", { name: "Save" }).last().click();
			await page.getByRole("button", { name: "Open the drawer" }).waitFor();
			const printer = {
				kind: "network",
				host: "192.168.1.50",
				port: 9100,
				width: 58,
			};
			expect(await askedOf(page)).toEqual([["choose", printer]]);

			await sellMilk(page);
			await expect
				.poll(async () => (await askedOf(page)).at(-1))
				.toEqual(["drawer"]);
			await page.getByRole("button", { name: "Print" }).click();
			await expect
				.poll(async () => (await askedOf(page)).at(-1))
				.toMatchObject([
					"print",
					{ total: 65, paid: 100, change: 35 },
					// The server of this test can't be reached from a customer's phone.
					{ language: "en", isCopy: false, link: null },
				]);
			expect(await askedOf(page)).toHaveLength(3);
			await page.getByRole("button", { name: "Print" }).click();
			await expect
				.poll(async () => (await askedOf(page)).at(-1)?.[2])
				.toMatchObject({ isCopy: true });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a receipt prints with a dialog until a printer is chosen, and no drawer opens",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await page.addInitScript(
				`${tillShell} window.print = () => asked.push(["dialog"]);`,
			);
			await signIn(page, server);
			await sellMilk(page);
			await page.getByRole("button", { name: "Print" }).click();
			await expect.poll(() => askedOf(page)).toEqual([["dialog"]]);
		},
	);
});

inBrowser(
	"a receipt has the QR code of its page at the shop's address, and goes to WhatsApp",
	async () => {
		const server = await openShopServer();
		const owner = await server.fill();
		const { page, context } = await openWindow();
		// Like the address of another machine, which a customer's phone can reach.
		const { origin } = new URL(server.url);
		const address = origin.replace("localhost", "shop.test");
		await context.addCookies([
			await ownerCookie({ ...server, url: address }, owner),
		]);
		await page.goto(address);
		await sellMilk(page);
		const receipt = page.getByRole("article", { name: "Receipt" });
		const code = receipt.getByRole("img", { name: "/r/" });
		const link = (await code.getAttribute("aria-label")) ?? "";
		expect(link.startsWith(`${address}/r/`)).toBe(true);
		await page.getByText("On the server").waitFor();
		const opened = await fetch(link.replace(address, origin));
		expect(opened.status).toBe(200);
		expect(await opened.text()).toContain("Milk");
		const whatsApp = await page
			.getByRole("link", { name: "WhatsApp" })
			.getAttribute("href");
		expect(whatsApp).toMatch(/^https:\/\/wa\.me\/\?text=/);
		expect(decodeURIComponent(whatsApp ?? "")).toContain(link);
	},
);

inBrowser(
	"a browser opens the receipt of an earlier sale for printing, also offline",
	async () => {
		const server = await openShopServer();
		await server.fill();
		const { page, context, problems } = await openWindow();
		await signIn(page, server);
		await sellMilk(page);
		await page.getByText("On the server").waitFor();
		await page.getByRole("button", { name: "Next sale" }).click();
		await page.getByRole("link", { name: "Sales" }).click();
		await page.getByRole("button", { name: /-000001/ }).click();
		await page.getByLabel("Refund: Milk").waitFor();
		await context.setOffline(true);
		const opening = page.waitForEvent("popup");
		await page.getByRole("button", { name: "Print" }).click();
		const receipt = await opening;
		await receipt.getByRole("heading", { name: "Duka la Njeri" }).waitFor();
		await receipt.getByText("TOTAL KES").waitFor();
		await receipt.getByText("COPY", { exact: true }).waitFor();
		// The policy allows the receipt's own style there.
		expect(
			await receipt.evaluate(
				`getComputedStyle(document.querySelector("h1")).textAlign`,
			),
		).toBe("center");
		expect(problems).toEqual([]);
	},
);
