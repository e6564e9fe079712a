import { describe, expect, test } from "vitest";
import {
	chromiumPath,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "./test-browser.ts";

const inBrowser = test.skipIf(chromiumPath === undefined);

describe("the close of a day in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a sale that the server has on another day, as the till's clock was wrong, is not missing",
		async () => {
			const server = await openShopServer();
			const caller = await server.fill();
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, caller)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			for (const receipt of [/-000001/, /-000002/]) {
				await scan(page, "6001087340014");
				await scan(page, "CF-CASH");
				await page.getByText("On the server").waitFor();
				await page
					.getByRole("article", { name: "Receipt" })
					.getByText(receipt)
					.waitFor();
				await page.getByRole("button", { name: "Next sale" }).click();
			}
			const { store } = server.now().shop;
			const change = (sql: string) => store.write((tx) => tx.run(sql));
			await change("UPDATE sales SET business_day = '2020-01-01'");
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Compare" }).click();
			await page.getByText("They are the same.").waitFor();
			expect(await page.getByText("2 sales").count()).toBe(2);
			await change(
				"UPDATE sales SET deleted = 1 WHERE receipt_number LIKE '%-000002'",
			);
			await page.getByRole("button", { name: "Compare" }).click();
			const missing = page.getByRole("alert");
			await missing.getByText(/-000002/).waitFor();
			expect(await missing.getByText(/-000001/).count()).toBe(0);
			expect(problems).toEqual([]);
		},
	);
});
