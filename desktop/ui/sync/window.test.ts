import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { addDays, businessDay, toIso } from "../../../sync/protocol/clock.ts";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { saleTotals } from "../../../sync/queries/sale-history.ts";
import { openShop } from "../../../sync/shop.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	scan,
	signIn,
} from "../testing/browser.ts";

const dayMs = 24 * 3_600_000;
const agoDays = 120;
const today = businessDay(toIso(Date.now()), "Africa/Nairobi", 0);
const longAgo = addDays(today, -agoDays);

/** A shop with sales from before the window of a browser's till in one block of versions, and sales of today in the next. */
async function openOldShop() {
	const server = await openShopServer();
	const owner = await server.fill();
	const { shop } = server.now();
	const { store } = shop;
	await store.write((tx) =>
		tx.run("UPDATE businesses SET created_at = '2020-01-01T00:00:00.000Z'"),
	);
	const env = { ...systemEnv, now: () => Date.now() - agoDays * dayMs };
	const before = openShop({ store, env });
	const milk = { id: "1", name: "Milk", productId: "milk", cost: 40 };
	const sell = (to: typeof before, id: string, quantity: number) =>
		to.mutate(owner, saleCreate, {
			...{ id, items: [{ ...milk, quantity, price: 65 }] },
		});
	for (const id of ["old-1", "old-2", "old-3"]) await sell(before, id, 2);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 300"));
	for (const id of ["new-1", "new-2"]) await sell(shop, id, 1);
	const numbers = new Map(
		(await server.now().rows("SELECT id, receipt_number FROM sales")).map(
			(row) => [row.id as string, row.receipt_number as string],
		),
	);
	const { page, problems } = await openWindow({ serviceWorkers: "allow" });
	await signIn(page, server);
	await page.evaluate(() => navigator.serviceWorker.ready);
	return {
		...{ server, owner, page, problems },
		numberOf: (id: string) => numbers.get(id) ?? "",
		go: (path: string) => page.goto(server.url + path),
	};
}

/** The ids of the sales in the browser's file. */
async function salesHeld(page: Page): Promise<string[]> {
	const base64 = await page
		.workers()
		.at(-1)
		?.evaluate(`new Promise((resolve) => {
		const send = self.postMessage;
		self.postMessage = (message) => {
			if (message.number !== -1) return send.call(self, message);
			self.postMessage = send;
			const { answer } = message.outcome;
			if (!answer) return resolve("");
			const reader = new FileReader();
			reader.onload = () => resolve(reader.result.split(",")[1]);
			reader.readAsDataURL(answer);
		};
		self.onmessage({ data: { kind: "pack", number: -1 } });
	})`);
	if (!base64) return [];
	const dir = testDir();
	writeFileSync(join(dir, "shop.tar"), Buffer.from(String(base64), "base64"));
	execFileSync("tar", ["-xf", "shop.tar"], { cwd: dir });
	const db = new Database(join(dir, "shop.db"));
	try {
		const rows = db.prepare("SELECT id FROM sales ORDER BY id").all();
		return rows.map((row) => (row as { id: string }).id);
	} finally {
		db.close();
	}
}

const sums = (page: Page, count: number, amount: number) =>
	page.getByText(new RegExp(`^${count} sold, KES\\s${amount} in total$`));
const older = (page: Page) =>
	page.getByText(/^Older sales are on the server, which can't be reached/);

describe("a browser's window of sales, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a browser keeps the sales of its last 90 days, opens and refunds older ones from the server, and says where they are without it [WINDOW-1] [WINDOW-5]",
		async () => {
			const { server, owner, page, problems, go, numberOf } =
				await openOldShop();
			await expect.poll(() => salesHeld(page)).toEqual(["new-1", "new-2"]);
			await go(`/sales?from=${longAgo}&to=${today}`);
			const { salesCount, revenue } = await server
				.now()
				.shop.ask(owner, saleTotals, { from: longAgo, to: today });
			await sums(page, salesCount, revenue).waitFor();
			await page.getByRole("button", { name: numberOf("old-1") }).click();
			await page.getByRole("button", { name: "One more: Milk" }).click();
			await page.getByRole("button", { name: "Returned" }).click();
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await page.getByText("Refunded KES 65").waitFor();
			await expect
				.poll(() => server.now().rows("SELECT sale_id FROM refunds"))
				.toEqual([{ sale_id: "old-1" }]);
			await sums(page, salesCount, revenue - 65).waitFor();

			await go("/");
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await scan(page, numberOf("old-2"));
			await page.getByRole("button", { name: "Mistake" }).click();
			for (let times = 0; times < 2; times += 1)
				await page.getByRole("button", { name: "Void" }).click();
			await page.getByText("Voided").first().waitFor();
			await expect
				.poll(() => server.now().rows("SELECT kind FROM refunds ORDER BY kind"))
				.toEqual([{ kind: "refund" }, { kind: "void" }]);

			await server.stop();
			await go("/");
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await scan(page, numberOf("old-3"));
			await older(page).waitFor();
			await go("/sales");
			await page.getByRole("button", { name: numberOf("new-1") }).waitFor();
			await older(page).waitFor();
			await page.getByRole("button", { name: "Show more" }).click();
			await older(page).waitFor();
			await go(`/sales?from=${today}`);
			await page.getByText(/^2 sold, /).waitFor();
			expect(await older(page).count()).toBe(0);
			await go("/sales");
			await older(page).waitFor();
			await scan(page, numberOf("old-3"));
			await expect
				.poll(() => page.getByRole("searchbox").inputValue())
				.toBe(numberOf("old-3"));
			await older(page).waitFor();
			await go(`/dashboard?from=${longAgo}&to=${today}`);
			await older(page).first().waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"an owner has a browser keep all sales, or the last 90 days again, from the next load of the page on [WINDOW-1]",
		async () => {
			const { page, go } = await openOldShop();
			const recent = ["new-1", "new-2"];
			const everything = [...recent, "old-1", "old-2", "old-3"];
			const choice = page.getByRole("switch", {
				name: "Keep all sales in this browser",
			});
			for (const [before, after] of [
				[recent, everything],
				[everything, recent],
			] as const) {
				await go("/sync");
				await expect.poll(() => salesHeld(page)).toEqual(before);
				await choice.click();
				await page.reload();
				await expect.poll(() => salesHeld(page)).toEqual(after);
			}
		},
	);
});
