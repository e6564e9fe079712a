import { expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

/** A picture of one pixel. */
const pixel = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

inBrowser(
	"the receipt beside the settings is a real one: it follows header, footer, logo, language and paper before they are saved",
	async () => {
		const server = await openShopServer();
		const owner = await server.fill();
		const { page, context, problems } = await openWindow();
		// Like the address of another machine, which a customer's phone can reach.
		const { origin } = new URL(server.url);
		const address = origin.replace("localhost", "shop.test");
		await context.addCookies([
			await ownerCookie({ ...server, url: address }, owner),
		]);
		await page.goto(`${address}/settings?part=receipt`);
		const preview = page.getByRole("complementary", { name: "As it prints" });
		const receipt = preview.getByRole("article", { name: "Receipt" });
		await receipt.getByText("Total KES").waitFor();
		await receipt.getByRole("img", { name: "/r/" }).waitFor();
		for (const [label, text] of [
			["Receipt header", "Moi Avenue 5"],
			["Receipt footer", "Asante sana"],
		] as const) {
			await page.getByLabel(label).fill(text);
			await receipt.getByText(text).waitFor();
			// What is being edited is lit up.
			expect(await receipt.locator("[data-lit=true]").textContent()).toBe(text);
		}
		await page.locator("input[type=file]").setInputFiles({
			...{ name: "logo.png", mimeType: "image/png", buffer: pixel },
		});
		await receipt.locator("img").waitFor();
		const wide = await receipt.boundingBox();
		await page.getByRole("radio", { name: "Kiswahili" }).click();
		const translated = preview.getByRole("article");
		await translated.getByText("Jumla KES").waitFor();

		await page.getByRole("link", { name: "Receipt printer" }).click();
		await page.getByRole("radio", { name: "58 mm" }).click();
		await page.getByRole("link", { name: "Receipt", exact: true }).click();
		await translated.waitFor();
		const narrow = await translated.boundingBox();
		expect((narrow?.width ?? 0) / (wide?.width ?? 1)).toBeCloseTo(58 / 80, 1);

		// A receipt of a sale says the same, but for its goods.
		await page.getByRole("link", { name: "Till", exact: true }).click();
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		await scan(page, "6001087340014");
		await scan(page, "CF-CASH");
		const sold = page.getByRole("dialog").getByRole("article");
		for (const text of ["Moi Avenue 5", "Asante sana", "Jumla KES"])
			await sold.getByText(text).waitFor();
		expect(problems).toEqual([]);
	},
);
