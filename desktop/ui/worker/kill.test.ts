import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "puppeteer-core";
import { describe, expect } from "vitest";
import {
	browserPath,
	killBrowser,
	openBrowser,
} from "../../../server/testing/real-browser.ts";
import {
	openTillPage,
	type SignedIn,
} from "../../../server/testing/till-page.ts";
import { countOf, oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { openShopServer, ownerCookie } from "../testing/browser.ts";

/** Each round: a start, some sales in one or more tabs, and a kill at a random moment. */
const rounds = countOf("BROWSER_KILLS");
const tabsMax = 3;
const longestMs = 4_000;

const random = (below: number) => Math.floor(Math.random() * below);

describe("a killed browser (skipped where none is found)", () => {
	oneIn(3).skipIf(browserPath("chrome") === undefined)(
		`a browser has every completed sale once after ${rounds} kills while it sells, syncs and opens and closes tabs`,
		async () => {
			const server = await openShopServer();
			const owner = await server.fill({ Milk: { sellingPrice: 65 } });
			const { name, value } = await ownerCookie(server, owner);
			const till = { url: server.url, cookie: { name, value } };
			const profile = join(testDir(), "profile");
			const shown: string[] = [];
			for (let round = 0; round < rounds; round += 1) {
				const browser = await openBrowser("chrome", profile);
				const onShown = (receipt: string) => shown.push(receipt);
				const before = shown.length;
				const killing = new AbortController();
				const ends = sellIn(browser, till, onShown, killing.signal);
				// Some sales wait for the next start.
				const isAway = random(3) === 0;
				// Now and then it is killed before its first sale.
				if (round === 0 || random(4) > 0)
					await expect.poll(() => shown.length).toBeGreaterThan(before);
				await sleep(random(longestMs));
				if (isAway) await server.stop();
				await sleep(random(longestMs / 2));
				killing.abort();
				await killBrowser(browser);
				await ends;
				if (isAway) await server.start();
			}
			const browser = await openBrowser("chrome", profile);
			const last = await openTillPage(browser, till);
			await last.sell();
			await last.untilSent();
			await browser.close();

			const rows = await server
				.now()
				.rows("SELECT receipt_number FROM sales ORDER BY receipt_number");
			const sold = rows.map(({ receipt_number }) => receipt_number);
			expect(new Set(sold).size).toBe(sold.length);
			expect(shown.length).toBeGreaterThan(0);
			expect(shown.filter((receipt) => !sold.includes(receipt))).toEqual([]);
			// A cart whose tab was killed is sold with the next sale.
			const [milk] = await server
				.now()
				.rows(
					"SELECT quantity, (SELECT sum(quantity) FROM sale_items) AS taken FROM products",
				);
			expect(Number(milk?.quantity)).toBe(20e6 - Number(milk?.taken));
		},
		7_200_000,
	);
});

/** Sells in one tab, and in others that open and close, until the browser is killed. */
async function sellIn(
	browser: Browser,
	till: SignedIn,
	onShown: (receipt: string) => void,
	killing: AbortSignal,
): Promise<void> {
	async function sellInTab(_: unknown, i: number): Promise<void> {
		let isClosed = false;
		try {
			const { page, sellOn } = await openTillPage(browser, till);
			const selling = sellOn(onShown);
			await Promise.race([selling, sleep(random(longestMs))]);
			// One tab stays open, so that something is sold.
			isClosed = i > 0 && random(2) === 0;
			if (isClosed) await page.close();
			await selling;
		} catch (error) {
			if (!isClosed && !killing.aborted) throw error;
		}
	}
	await Promise.all(Array.from({ length: 1 + random(tabsMax) }, sellInTab));
}
