import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import { inBrowser, ownerCookie } from "../testing/browser.ts";
import { filled, openBrowser, openPage, stockOf } from "./testing/page.ts";

describe("a till in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a till sells, refunds and counts stock offline, also after a reload, and sends everything when the server is back",
		async () => {
			const { tab, reload, server, salesOf } = await openBrowser();
			await filled(tab);
			expect(await stockOf(tab)).toBe(20);
			await server.stop();
			const first = await tab.call("sell");
			const second = await tab.call("sell");
			await tab.call("make", "sale.void", {
				...{ id: "void", saleId: first, reason: "A slip", restock: true },
			});
			const again = await reload();
			expect(await stockOf(again)).toBe(19);
			const third = await again.call("sell");
			expect(await again.call("ask", "dashboard.get", {})).toMatchObject({
				today: { salesCount: 2, revenue: 130 },
			});
			expect(again.standing).toMatchObject({ storage: "disk", pending: 3 });
			await server.start();
			await again.call("tryNow");
			expect(await again.call("standing")).toMatchObject({
				...{ pending: 0, isOnline: true, rejected: [], lost: 0 },
			});
			expect(await salesOf()).toEqual([first, second, third].sort());
			expect(await stockOf(again)).toBe(18);
		},
	);

	inBrowser(
		"receipts and stock movements name every member known here, not only the one who is signed in",
		async () => {
			const { reload, url, owner, server, context } = await openBrowser();
			const { shop } = server.now();
			const employ = async (name: string) => {
				const { id: userId } = await createUser(
					shop.store,
					shop.env,
					{ email: `${name}@example.com`, name, passwordHash: cheapHash },
					{ businessId: owner.businessId, role: "CASHIER" },
				);
				return { ...owner, userId };
			};
			const [chege, otieno] = [await employ("Chege"), await employ("Otieno")];
			const line = { id: "1", name: "Tea", quantity: 1, price: 5, cost: 1 };
			await shop.mutate(chege, saleCreate, {
				id: "elsewhere",
				items: [line],
			});
			const tab = await reload();
			await filled(tab);
			const cashierIn = async (one: typeof tab, id: string) =>
				((await one.call("ask", "receipt.get", { id })) as Receipt).cashier;
			// An owner may see all members.
			await expect.poll(() => cashierIn(tab, "elsewhere")).toBe("Chege");
			const sold = await tab.call("sell");
			await tab.call("make", "stock.adjust", {
				...{ id: "m", productId: "milk", delta: 2, reason: "received" },
			});
			await tab.call("tryNow");
			await context.addCookies([await ownerCookie({ ...server, url }, otieno)]);
			const next = await openPage(tab.page, url, otieno, "Otieno");
			expect(await cashierIn(next, sold)).toBe("Njeri Kamau");
			expect(await cashierIn(next, "elsewhere")).toBe("Chege");
			expect(await cashierIn(next, await next.call("sell"))).toBe("Otieno");
			expect(
				await next.call("ask", "product.movements", { id: "milk", limit: 2 }),
			).toMatchObject({
				rows: [{ userName: "Otieno" }, { userName: "Njeri Kamau" }],
			});
		},
	);

	inBrowser(
		"all tabs share one shop, and another tab takes over when the one that holds it closes",
		async () => {
			const { tab, openTab, salesOf } = await openBrowser();
			await filled(tab);
			const second = await openTab();
			const third = await openTab();
			const sold = [
				await tab.call("sell"),
				await second.call("sell"),
				await third.call("sell"),
			];
			expect(await stockOf(third)).toBe(17);
			await tab.page.close();
			sold.push(await third.call("sell"), await second.call("sell"));
			expect(await stockOf(third)).toBe(15);
			await third.call("tryNow");
			expect(await salesOf()).toEqual(sold.sort());
		},
	);

	inBrowser(
		"a till without files keeps unsent mutations in a journal, and applies them again after a reload",
		async () => {
			const { tab, reload, server, salesOf, openTab } =
				await openBrowser("shop.test");
			await filled(tab);
			expect(await tab.call("standing")).toMatchObject({ storage: "outbox" });
			const { deviceId } = tab.standing ?? {};
			await server.stop();
			const sold = [await tab.call("sell"), await tab.call("sell")];
			await server.start();
			const again = await reload();
			expect(again.standing).toMatchObject({ deviceId, storage: "outbox" });
			await filled(again);
			sold.push(await again.call("sell"));
			await again.call("tryNow");
			await expect.poll(salesOf).toEqual(sold.sort());
			expect(await again.call("standing")).toMatchObject({ pending: 0 });

			await server.stop();
			sold.push(await again.call("sell"));
			await again.page.close();
			await server.start();
			const other = await openTab();
			await other.call("tryNow");
			await expect.poll(salesOf).toEqual(sold.sort());
		},
	);

	inBrowser(
		"a till whose files can't be opened deletes nothing, keeps selling, and has everything once they can",
		async () => {
			const { tab, reload, server, salesOf, site } = await openBrowser();
			await filled(tab);
			await server.stop();
			const sold = [await tab.call("sell")];
			await tab.page.route("**/api/sync*", (route) => route.abort());
			await server.start();
			site.filesAreBroken = true;
			const broken = await reload();
			await tab.page.unroute("**/api/sync*");
			await filled(broken);
			await server.stop();
			expect(broken.standing).toMatchObject({
				...{ storage: "outbox", lost: 0 },
				storageError: { code: "storage_failed" },
			});
			sold.push(await broken.call("sell"));
			site.filesAreBroken = false;
			const mended = await reload();
			expect(mended.standing).toMatchObject({ storage: "disk", lost: 0 });
			expect(mended.standing).toMatchObject({ pending: 2 });
			await server.start();
			await mended.call("tryNow");
			await expect.poll(salesOf).toEqual(sold.sort());
		},
	);
});
