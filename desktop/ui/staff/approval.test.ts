import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { approvedByPin } from "../../../sync/entities/inbox.ts";
import { makePinKey } from "../../../sync/protocol/pin-key.ts";
import { changePinKey } from "../../../sync/till/staff.ts";
import { faultsOf } from "../testing/axe.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
	textOf,
} from "../testing/browser.ts";

/** The till of an owner, Njeri (PIN 9876), who has handed it to a cashier, Otieno (PIN 1234). */
async function openTill({ limits = {}, lockMinutes = null as number | null }) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { businessId, userId } = owner;
	const { store, env } = server.now().shop;
	const otieno = await createUser(
		store,
		env,
		{ email: "otieno@example.com", name: "Otieno", passwordHash: cheapHash },
		{ businessId, role: "CASHIER" },
	);
	const keys = [await makePinKey("1234"), await makePinKey("9876")] as const;
	const at = "2026-01-01T00:00:00.000Z";
	await store.write(async (tx) => {
		await changePinKey(tx, businessId, otieno.id, keys[0], at);
		await changePinKey(tx, businessId, userId as string, keys[1], at);
	});
	const { shop } = server.now();
	await shop.mutate(owner, businessUpdate, {
		set: { limits: [{ role: "CASHIER", ...limits }], lockMinutes },
	});
	const { page, problems } = await openWindow();
	await page.clock.install();
	await signIn(page, server);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	const type = async (digits: string) => {
		for (const digit of digits) await page.keyboard.press(digit);
	};
	const sells = (name: string) =>
		page.getByRole("button", { name: `${name} sells. Switch` });
	await sells("Njeri Kamau").click();
	await page
		.getByRole("dialog", { name: "Who sells now?" })
		.getByRole("button", { name: /Otieno/ })
		.click();
	await type("1234");
	await sells("Otieno").waitFor();
	return { server, owner, otieno, page, problems, type, sells };
}

describe("approvals at a till, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a sale beyond a cashier's limit asks for the owner's PIN without the server, stays the cashier's, and is settled in the inbox",
		async () => {
			const { server, owner, otieno, page, problems, type } = await openTill({
				limits: { discountMax: 10 },
			});
			await server.stop();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Price: Milk").fill("60");
			await page.keyboard.press("Control+Enter");
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Price: Milk").fill("25");
			await page.keyboard.press("Control+Enter");
			const sheet = page.getByRole("dialog", { name: "Who approves this?" });
			await sheet.getByText(/beyond your limits.*40/).waitFor();
			expect(await sheet.getByRole("button", { name: /Otieno/ }).count()).toBe(
				0,
			);
			expect(await faultsOf(page, "who approves")).toEqual([]);
			await type("1234");
			await sheet.getByText("Not Njeri Kamau's PIN. 4 tries left").waitFor();
			await type("9876");
			const done = page.getByRole("dialog", { name: "Sale complete" });
			await done.getByText(/Otieno/).waitFor();
			await page.getByRole("button", { name: "Next sale" }).click();
			// Without the PIN nothing is sold.
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Price: Milk").fill("25");
			await page.keyboard.press("Control+Enter");
			await sheet.waitFor();
			await page.keyboard.press("Escape");
			await page.getByText("This needs the PIN of somebody").waitFor();
			expect(await textOf(page, "total")).toBe("KES 25");
			await server.start();
			// The connection is back: it doesn't wait out the pause between two tries.
			await page.evaluate("dispatchEvent(new Event('online'))");
			const { rows } = server.now();
			await expect
				.poll(() => rows("SELECT user_id FROM sales"))
				.toEqual([{ user_id: otieno.id }, { user_id: otieno.id }]);
			expect(
				await rows("SELECT cause, resolution, decided_by FROM inbox_items"),
			).toEqual([
				{
					...{ cause: "discount_over_limit", resolution: approvedByPin },
					decided_by: owner.userId,
				},
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a till that nobody touches locks, a reload does not open it, and a PIN does, with the sale as it was",
		async () => {
			const { page, type, sells } = await openTill({ lockMinutes: 2 });
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.clock.fastForward("01:50");
			await sells("Otieno").waitFor();
			await page.clock.fastForward("00:15");
			const locked = page.getByRole("heading", { name: "Locked" });
			await locked.waitFor();
			expect(await page.getByText("KES 65").count()).toBe(0);
			expect(await faultsOf(page, "locked")).toEqual([]);
			await page.reload();
			await locked.waitFor();
			await type("1111");
			await page.getByText("Not Otieno's PIN. 4 tries left").waitFor();
			await type("1234");
			await sells("Otieno").waitFor();
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
		},
	);

	inBrowser(
		"lines that are taken out of a sale are recorded once they can't be put back, and those that were put back are not",
		async () => {
			const { server, page, otieno } = await openTill({});
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByRole("button", { name: /^Bread/ }).click();
			await page.getByRole("button", { name: "Clear" }).click();
			await page.getByRole("button", { name: "Undo" }).click();
			await expect.poll(() => textOf(page, "total")).toBe("KES 125");
			await page.keyboard.press("Delete");
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			await page.clock.fastForward("00:11");
			const { rows } = server.now();
			await expect
				.poll(() => rows("SELECT kind, amount, reason, user_id FROM payments"))
				.toEqual([
					{
						...{ kind: "removal", amount: 0, user_id: otieno.id },
						reason: "1 × Bread 60",
					},
				]);
		},
	);
});
