import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { makePinKey } from "../../../sync/protocol/pin-key.ts";
import { writePinKey } from "../../../sync/till/staff.ts";
import { faultsOf } from "../testing/axe.ts";
import {
	goods,
	inBrowser,
	openShopServer,
	openWindow,
	scanByKeys,
	signIn,
	textOf,
} from "../testing/browser.ts";

/** The owner's session at the till of a shop with a cashier, Otieno, whose PIN is 1234. */
async function openTill({
	hasPin = true,
	/** Another name of the server's machine. */
	host = "",
} = {}) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { businessId } = owner;
	const { store, env } = server.now().shop;
	const otieno = await createUser(
		store,
		env,
		{ email: "otieno@example.com", name: "Otieno", passwordHash: cheapHash },
		{ businessId, role: "CASHIER" },
	);
	if (hasPin) {
		const key = await makePinKey("1234");
		await store.write((tx) =>
			writePinKey(tx, businessId, otieno.id, key, new Date().toISOString()),
		);
	}
	const { page, problems } = await openWindow();
	const url = host ? server.url.replace(/(?<=\/\/)[^:]+/, host) : server.url;
	await signIn(page, { ...server, url });
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	return {
		...{ server, owner, otieno, page, problems },
		sells: (name: string) =>
			page.getByRole("button", { name: `${name} sells. Switch` }),
		sheet: page.getByRole("dialog", { name: "Who sells now?" }),
		sellersOf: () =>
			server.now().rows("SELECT user_id FROM sales ORDER BY created_at"),
	};
}

const type = async (page: Page, digits: string) => {
	for (const digit of digits) await page.keyboard.press(digit);
};

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await page.keyboard.press("Control+Enter");
	await page.getByRole("button", { name: "Next sale" }).click();
}

describe("the cashier of a till, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a cashier takes over without the server, sells under their name, and may do no more than a cashier",
		async () => {
			const { server, owner, otieno, page, problems, ...till } =
				await openTill();
			await till.sells("Njeri Kamau").waitFor();
			await sellMilk(page);
			await expect.poll(till.sellersOf).toEqual([{ user_id: owner.userId }]);
			await server.stop();
			// The sale in the making stays.
			await page.getByRole("button", { name: /^Milk/ }).click();
			const discount = page.getByRole("button", {
				...{ name: "Discount", exact: true },
			});
			expect(await discount.count()).toBeGreaterThan(0);
			await till.sells("Njeri Kamau").click();
			await till.sheet.getByRole("button", { name: /Otieno/ }).click();
			expect(await faultsOf(page, "who sells")).toEqual([]);
			await type(page, "1234");
			await till.sells("Otieno").waitFor();
			expect(await till.sheet.count()).toBe(0);
			expect(await textOf(page, "total")).toBe("KES 65");
			expect(await discount.count()).toBe(0);
			await page.keyboard.press("Control+Enter");
			const receipt = page.getByRole("dialog", { name: "Sale complete" });
			await receipt.getByText(/Otieno/).waitFor();
			await page.getByRole("button", { name: "Next sale" }).click();
			await server.start();
			// The connection is back: it doesn't wait out the pause between two tries.
			await page.evaluate("dispatchEvent(new Event('online'))");
			await expect
				.poll(till.sellersOf)
				.toEqual([{ user_id: owner.userId }, { user_id: otieno.id }]);
			await page.reload();
			await till.sells("Otieno").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each([
		["in a browser with files", ""],
		["on plain http", "shop.test"],
	])(
		"%s, a wrong PIN says whose it is not and how many tries are left, and a reload does not unlock it",
		async (_where, host) => {
			const { page, sheet, sells } = await openTill({ host });
			const choose = async () => {
				await sells("Njeri Kamau").click();
				await sheet.getByRole("button", { name: /Otieno/ }).click();
			};
			await choose();
			for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
				await type(page, "0000");
				await sheet.getByText(`Not Otieno's PIN. ${left} left`).waitFor();
			}
			await type(page, "0000");
			await sheet.getByText("Try again in 30 seconds.").waitFor();
			await page.reload();
			await choose();
			await type(page, "1234");
			await sheet.getByText(/Too many wrong PINs/).waitFor();
			await page.keyboard.press("Escape");
			await sells("Njeri Kamau").waitFor();
			expect(await page.evaluate("isSecureContext")).toBe(host === "");
		},
	);

	inBrowser(
		"a code that is scanned while a PIN is asked for goes into the sale and is no wrong PIN",
		async () => {
			const { page, sheet, sells, server } = await openTill();
			await sells("Njeri Kamau").click();
			await sheet.getByRole("button", { name: /Otieno/ }).click();
			await scanByKeys(page, goods.Milk.sku);
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			await type(page, "1234");
			await sells("Otieno").waitFor();
			await scanByKeys(page, goods.Bread.sku);
			await expect.poll(() => textOf(page, "total")).toBe("KES 125");
			await sells("Otieno").waitFor();
			expect(await server.now().rows("SELECT * FROM pin_attempts")).toEqual([]);
		},
	);

	inBrowser(
		"an owner sets PINs in the settings; a shop without any has no switch, and signing out ends one",
		async () => {
			const { page, sheet, sells, server } = await openTill({ hasPin: false });
			expect(await page.getByText("sells. Switch").count()).toBe(0);
			expect(await page.locator(".cashier").count()).toBe(0);
			await page.goto(`${server.url}/settings?part=people`);
			await page.getByRole("button", { name: "PIN of Otieno" }).click();
			await page.getByLabel("PIN (4 digits)").fill("4321");
			await page.getByRole("button", { name: "Save PIN" }).click();
			await expect
				.poll(() => server.now().rows("SELECT kdf FROM staff_keys"))
				.toEqual([{ kdf: "scrypt-14-8-1" }]);
			await page.getByRole("link", { name: "My PIN" }).click();
			await page.getByLabel("PIN (6 digits)").fill("987654");
			await page.getByRole("button", { name: "Save PIN" }).click();
			await page.getByRole("button", { name: "Remove PIN" }).waitFor();
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await sells("Njeri Kamau").waitFor();
			await page.keyboard.press("F3");
			await sheet.getByRole("button", { name: /Otieno/ }).click();
			await type(page, "4321");
			await sells("Otieno").waitFor();
			await page.keyboard.press("F3");
			await sheet.getByRole("button", { name: /Njeri/ }).click();
			await type(page, "987654");
			await sells("Njeri Kamau").waitFor();
			await page.keyboard.press("F3");
			await sheet.getByRole("button", { name: /Otieno/ }).click();
			await type(page, "4321");
			await sells("Otieno").waitFor();
			await page.getByRole("link", { name: "Settings" }).click();
			expect(await page.getByRole("link", { name: "My PIN" }).count()).toBe(0);
			await page.getByRole("button", { name: /account/ }).click();
			await page.getByRole("button", { name: "Sign out" }).click();
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await signIn(page, server);
			await page.goto(server.url);
			await sells("Njeri Kamau").waitFor();
		},
	);
});
