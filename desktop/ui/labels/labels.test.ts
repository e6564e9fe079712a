import { expect } from "vitest";
import { packCreate } from "../../../sync/entities/pack.ts";
import { productUpdate } from "../../../sync/entities/product.ts";
import { codeCreate } from "../../../sync/entities/product-code.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

inBrowser(
	"labels of chosen products are printed as their sheet is divided, and a product whose price changes is due again",
	async () => {
		const server = await openShopServer();
		const owner = await server.fill({
			Milk: { name: "Milk 500 ml", sku: "6001087340014", sellingPrice: 65 },
			Bread: { sku: "04252614", sellingPrice: 60 },
			Sugar: { sku: "SUGAR-1", sellingPrice: 149.5 },
			Visit: { isService: true },
		});
		const { shop } = server.now();
		await shop.mutate(owner, packCreate, {
			...{ id: "crate", productId: "milk", name: "Crate", size: 12 },
			sellingPrice: 720,
		});
		await shop.mutate(owner, codeCreate, {
			...{ id: "code", productId: "milk", packId: "crate" },
			code: "CRATE-12",
		});
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, owner)]);
		await page.addInitScript(() => {
			window.print = () => {
				const labels = [...document.querySelectorAll(".label-page > *")];
				document.title = labels
					.map((one) => one.textContent?.replaceAll(/\s/g, " ") || "gone")
					.join(" | ");
			};
		});
		await page.goto(`${server.url}/products`);
		await page.getByText("SUGAR-1").waitFor();
		await page.getByLabel("Choose all").click();
		const open = page.getByRole("button", { name: "Print labels" });
		await open.click();
		const sheet = page.getByRole("dialog", { name: "Labels" });
		await sheet.getByText("4 labels. Services").waitFor();
		await sheet.getByLabel("Labels already gone").fill("1");
		await sheet.getByRole("button", { name: "Print labels" }).click();
		await sheet.getByText("come out right?").waitFor();
		// The digits below a barcode are part of its picture.
		expect((await page.title()).split(" | ")).toEqual([
			"gone",
			"BreadKES 6004252614",
			"Milk 500 mlKES 65KES 130 / l6001087340014",
			"Milk 500 ml, CrateKES 720KES 120 / lCRATE-12",
			"SugarKES 149.50SUGAR-1",
		]);
		await sheet.getByRole("button", { name: "Yes, remember them" }).click();
		await sheet.waitFor({ state: "detached" });
		await server.now().shop.mutate(owner, productUpdate, {
			...{ id: "bread", set: { sellingPrice: 65 } },
		});
		await page.getByRole("radio", { name: "Label due 1" }).click();
		await page.getByText("Milk 500 ml").waitFor({ state: "detached" });
		await page.getByRole("button", { name: /^Bread/ }).waitFor();
		expect(problems).toEqual([]);
	},
);
