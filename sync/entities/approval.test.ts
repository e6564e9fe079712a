import { describe, expect, test } from "vitest";
import type { PinKey } from "../protocol/pin-key.ts";
import { makePinKey } from "../protocol/pin-key.ts";
import { inboxItemList } from "../queries/inbox.ts";
import { mutationAbout, mutationApproved } from "../queries/mutation.ts";
import { addMember, message, openTestShop, pushOne } from "../testing/shop.ts";
import { changePinKey, openStaff, writePinKey } from "../till/staff.ts";
import { approval } from "./approval.ts";
import { businessUpdate } from "./business.ts";
import { cashMove, drawerOpen } from "./cash.ts";
import { approvedByPin, inboxDismiss } from "./inbox.ts";
import { productCreate } from "./product.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import type { RoleLimits } from "./role-limits.ts";
import { saleCreate } from "./sale.ts";

const pins = new Map<string, Promise<PinKey>>();
function keyOf(pin: string): Promise<PinKey> {
	const key = pins.get(pin) ?? makePinKey(pin);
	pins.set(pin, key);
	return key;
}

const milk = { id: "milk", name: "Milk", buyingPrice: 40, sellingPrice: 65 };
const sold = { id: "1", name: "Milk", quantity: 1, cost: 40 };
const back = { reason: "Sour", restock: false };

/** A shop that sells milk for 65, with Asha and Juma (cashiers), Wanjiru (manager, PIN 2222) and Njeri (owner, PIN 3333). */
async function openShop(
	...limits: (Partial<RoleLimits> & Pick<RoleLimits, "role">)[]
) {
	const server = await openTestShop();
	const { shop, store, env, caller } = server;
	const { businessId } = caller;
	await shop.mutate(caller, productCreate, { ...milk, quantity: 100 });
	await shop.mutate(caller, businessUpdate, { set: { limits } });
	const keys = [await keyOf("2222"), await keyOf("3333")] as const;
	await store.write(async (tx) => {
		await addMember(tx, businessId, "asha", "CASHIER");
		await addMember(tx, businessId, "juma", "CASHIER");
		await addMember(tx, businessId, "wanjiru", "MANAGER");
		await addMember(tx, businessId, "njeri", "OWNER");
		const at = "2026-11-20T08:00:00.000Z";
		await writePinKey(tx, businessId, "wanjiru", keys[0], at);
		await writePinKey(tx, businessId, "njeri", keys[1], at);
	});
	const as = (userId: string, role: "CASHIER" | "MANAGER" | "OWNER") => ({
		...{ ...caller, userId, role },
	});
	const [asha, juma] = [as("asha", "CASHIER"), as("juma", "CASHIER")];
	const people = { asha, juma, wanjiru: as("wanjiru", "MANAGER") };
	const staff = openStaff(store, env, businessId);
	let made = 0;
	return {
		...{ server, shop, store, staff, owner: caller, ...people },
		async approve(act: string, id: string, amount: number, by = "wanjiru") {
			const pin = by === "njeri" ? "3333" : "2222";
			const checked = await staff.approve(by, pin, { act, id, amount });
			if (checked.outcome !== "right") throw new Error(checked.outcome);
			return checked.approval;
		},
		async sell(
			price: number,
			{
				by = asha,
				...more
			}: { by?: typeof asha; [field: string]: unknown } = {},
		) {
			made += 1;
			const id = `sale-${made}`;
			const line = { id: "1", name: "Milk", quantity: 2, price, cost: 40 };
			await shop.mutate(by, saleCreate, {
				...{ id, items: [{ ...line, productId: "milk" }], ...more },
			});
			return id;
		},
		/** The open items. */
		async found() {
			const { items } = await shop.ask(caller, inboxItemList, {});
			return items.map(({ cause, amount }) => [cause, amount]);
		},
		settled: () =>
			server.rows(
				"SELECT cause, decided_by FROM inbox_items WHERE resolution = ?",
				approvedByPin,
			),
	};
}

describe("the limits of a role", () => {
	test("a cashier sells for as much less as the owner lets them, and what is less is made and reported", async () => {
		const { sell, found, owner } = await openShop({
			...{ role: "CASHIER", discountMax: 20 },
		});
		for (const price of [65, 52, 70]) await sell(price);
		await sell(1, { by: owner as never });
		expect(await found()).toEqual([]);
		await sell(51.99);
		await sell(1);
		expect(await found()).toEqual([
			["discount_over_limit", 128],
			["discount_over_limit", 26.02],
		]);
	});

	test("a manager has other limits than a cashier", async () => {
		const { sell, found, wanjiru } = await openShop(
			{ role: "CASHIER", discountMax: 0 },
			{ role: "MANAGER", discountMax: 50 },
		);
		await sell(32.5, { by: wanjiru as never });
		expect(await found()).toEqual([]);
		await sell(32, { by: wanjiru as never });
		expect(await found()).toEqual([["discount_over_limit", 66]]);
	});

	test("a refund has one limit and a void another, and what is beyond is made and reported with its total", async () => {
		const { shop, asha, owner, sell, found } = await openShop({
			...{ role: "CASHIER", refundMax: 65, voidMax: 130 },
		});
		const sold = [await sell(65), await sell(65), await sell(65)];
		const [one, two, three] = sold as [string, string, string];
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		await shop.mutate(asha, saleRefund, {
			...back,
			id: "r",
			saleId: one,
			items,
		});
		await shop.mutate(asha, saleVoid, { ...back, id: "v", saleId: two });
		expect(await found()).toEqual([]);
		const all = [{ id: "1", itemId: "1", quantity: 2 }];
		await shop.mutate(asha, saleRefund, {
			...{ ...back, id: "q", saleId: three, items: all },
		});
		const large = await sell(66);
		await shop.mutate(asha, saleVoid, { ...back, id: "w", saleId: large });
		const theirs = await sell(99);
		await shop.mutate(owner, saleVoid, { ...back, id: "x", saleId: theirs });
		expect(await found()).toEqual([
			["void_over_limit", 132],
			["refund_over_limit", 130],
		]);
	});

	test("what a refund gives back beyond its total counts for the limit too", async () => {
		const { shop, asha, sell, found } = await openShop({
			...{ role: "CASHIER", refundMax: 65 },
		});
		const tenders = (amount: number) => [{ method: "CASH", amount }];
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		for (const amount of [65, 40, 9_000])
			await shop.mutate(asha, saleRefund, {
				...{ ...back, id: `r${amount}`, saleId: await sell(65), items },
				tenders: tenders(amount),
			});
		expect(await found()).toEqual([["refund_over_limit", 9_000]]);
	});

	test("what a sale isn't paid is a discount, whether it is called rounding or not, and a coin's rounding is none", async () => {
		const { sell, found, owner } = await openShop({
			...{ role: "CASHIER", discountMax: 20 },
		});
		const cash = (amount: number) => [{ method: "CASH", amount }];
		// One KES is the smallest coin: 0.40 are forgiven, of 0.40.
		const sweet = { id: "1", name: "Sweet", quantity: 1, cost: 0, price: 0.4 };
		await sell(65, { items: [sweet], paid: 0.4, rounding: 0.4 });
		await sell(65, { paid: 104 });
		await sell(65, { rounding: 26 });
		await sell(65, { paid: 1, by: owner as never });
		await sell(65, { paid: 200 });
		expect(await found()).toEqual([]);
		await sell(65, { paid: 1 });
		await sell(65, { rounding: 100 });
		await sell(65, { tenders: cash(30), rounding: 30 });
		await sell(60, { paid: 100 });
		expect(await found()).toEqual([
			["discount_over_limit", 30],
			["discount_over_limit", 100],
			["discount_over_limit", 100],
			["discount_over_limit", 129],
		]);
	});

	test("taking back another's sale is reported where the owner says so, and one's own is not", async () => {
		const { shop, asha, juma, sell, found } = await openShop({
			...{ role: "CASHIER", mayTakeBackOthers: false },
		});
		const [own, other] = [await sell(65), await sell(65, { by: juma })];
		await shop.mutate(asha, saleVoid, { ...back, id: "v", saleId: own });
		expect(await found()).toEqual([]);
		await shop.mutate(asha, saleVoid, { ...back, id: "w", saleId: other });
		expect(await found()).toEqual([["others_sale_taken_back", 130]]);
	});

	test("what a former member made is judged by the lowest role, also where an owner's session brings it", async () => {
		const { server, store, found } = await openShop({
			...{ role: "CASHIER", discountMax: 10 },
		});
		await store.write((tx) =>
			tx.run(
				`INSERT INTO former_members (business_id, user_id, left_at)
         SELECT business_id, user_id, '2026-11-20T08:30:00.000Z' FROM memberships WHERE user_id = 'asha'`,
			),
		);
		await store.write((tx) =>
			tx.run("DELETE FROM memberships WHERE user_id = 'asha'"),
		);
		const items = [{ ...sold, price: 1, productId: "milk" }];
		await pushOne(
			server,
			message("s", "sale.create", { id: "s", items }, { by: "asha" }),
		);
		expect(await found()).toEqual([["discount_over_limit", 64]]);
	});

	test("a line without a product is reported beyond its limit", async () => {
		const { sell, found } = await openShop({
			...{ role: "CASHIER", openItemMax: 100 },
		});
		const bag = { id: "1", name: "Bag", quantity: 2, cost: 0 };
		await sell(65, { items: [{ ...bag, price: 50 }] });
		expect(await found()).toEqual([]);
		await sell(65, { items: [{ ...bag, price: 50.5 }] });
		expect(await found()).toEqual([["open_item_over_limit", 101]]);
	});

	test("cash that is taken out beyond the limit is reported, and so is an opened drawer where the owner says so", async () => {
		const { shop, asha, found } = await openShop({
			...{ role: "CASHIER", cashOutMax: 500, mayOpenDrawer: false },
		});
		for (const [id, amount] of [
			["in", 5_000],
			["out", -500],
			["more", -501],
		] as const)
			await shop.mutate(asha, cashMove, {
				...{ id, amount, category: "expense", reason: "Charcoal" },
			});
		await shop.mutate(asha, drawerOpen, { id: "o", reason: "Change" });
		expect(await found()).toEqual([
			["drawer_opened", null],
			["cash_over_limit", 501],
		]);
	});

	test("a shop without limits reports nothing that a cashier does", async () => {
		const { sell, found } = await openShop();
		await sell(0);
		expect(await found()).toEqual([]);
	});
});

describe("an approval by PIN", () => {
	const limit = { role: "CASHIER", discountMax: 10 } as const;
	const act = "sale.create";

	test("an approval settles what it covers, in the name of its approver [PERM-9]", async () => {
		const { approve, sell, found, settled } = await openShop(limit);
		await sell(1, { approval: await approve(act, "sale-1", 128) });
		expect(await found()).toEqual([]);
		expect(await settled()).toEqual([
			{ cause: "discount_over_limit", decided_by: "wanjiru" },
		]);
	});

	test("a void, a refund, cash out and an opened drawer are approved like a sale", async () => {
		const { shop, asha, approve, sell, found, settled } = await openShop({
			...{ role: "CASHIER", refundMax: 0, voidMax: 0, cashOutMax: 0 },
			mayOpenDrawer: false,
		});
		const [one, two] = [await sell(65), await sell(65)];
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		await shop.mutate(asha, saleRefund, {
			...{ ...back, id: "r", saleId: one, items },
			approval: await approve("sale.refund", "r", 65),
		});
		await shop.mutate(asha, saleVoid, {
			...{ ...back, id: "v", saleId: two },
			approval: await approve("sale.void", "v", 130),
		});
		await shop.mutate(asha, cashMove, {
			...{ id: "c", amount: -5, category: "expense", reason: "Tea" },
			approval: await approve("cash.move", "c", 5),
		});
		await shop.mutate(asha, drawerOpen, {
			...{ id: "o", reason: "Change" },
			approval: await approve("drawer.open", "o", 0),
		});
		expect(await found()).toEqual([]);
		expect(await settled()).toHaveLength(4);
	});

	test("an approval is for one act: the next one needs its own, and the cashier stays who they are [T23]", async () => {
		const { approve, sell, found, server } = await openShop(limit);
		const given = await approve(act, "sale-1", 128);
		await sell(1, { approval: given });
		await sell(1);
		await sell(1, { approval: given });
		expect(await found()).toEqual([
			["bad_approval", 128],
			["discount_over_limit", 128],
			["discount_over_limit", 128],
		]);
		expect(await server.rows("SELECT DISTINCT user_id FROM sales")).toEqual([
			{ user_id: "asha" },
		]);
	});

	test.each<[string, object, string?]>([
		["a made-up signature", { signature: "0".repeat(128) }],
		["a raised amount", { amount: 1_000 }],
		["another moment", { at: "2026-11-20T09:00:00.001Z" }],
		["another approver's name", { by: "njeri" }],
		["the cashier's own name", { by: "asha" }],
		["nobody's name", { by: "nobody" }],
	])("%s is reported, and settles nothing", async (_what, changed) => {
		const { approve, sell, found, settled } = await openShop(limit);
		const given = await approve(act, "sale-1", 128);
		await sell(1, { approval: { ...given, ...changed } });
		expect(await found()).toEqual([
			["bad_approval", 128],
			["discount_over_limit", 128],
		]);
		expect(await settled()).toEqual([]);
	});

	test("an approval of less, of another act, or by a manager who may not do it either, settles nothing", async () => {
		const { approve, sell, found } = await openShop(limit, {
			...{ role: "MANAGER", discountMax: 90 },
		});
		await sell(1, { approval: await approve(act, "sale-1", 127.99, "njeri") });
		await sell(1, {
			approval: await approve("sale.void", "sale-2", 128, "njeri"),
		});
		await sell(1, { approval: await approve(act, "sale-3", 128) });
		expect(
			(await found()).filter(([cause]) => cause === "bad_approval"),
		).toHaveLength(3);
		await sell(1, { approval: await approve(act, "sale-4", 128, "njeri") });
		expect(
			(await found()).filter(([cause]) => cause === "bad_approval"),
		).toHaveLength(3);
	});

	test("what was approved before the approver changed their PIN stays approved", async () => {
		const { server, store, approve, sell, found, settled } =
			await openShop(limit);
		const { businessId } = server.caller;
		const before = await approve(act, "sale-1", 128);
		server.env.pass(1_000);
		const at = new Date(server.env.now()).toISOString();
		const next = await keyOf("4444");
		await store.write((tx) =>
			changePinKey(tx, businessId, "wanjiru", next, at),
		);
		await sell(1, { approval: before });
		expect(await found()).toEqual([]);
		expect(await settled()).toHaveLength(1);
	});

	test("an approver who is no member any more approves nothing", async () => {
		const { store, approve, sell, found } = await openShop(limit);
		const given = await approve(act, "sale-1", 128);
		await store.write((tx) =>
			tx.run("DELETE FROM memberships WHERE user_id = 'wanjiru'"),
		);
		await sell(1, { approval: given });
		expect(await found()).toContainEqual(["bad_approval", 128]);
	});

	test("an approval under a PIN that was changed before is not believed", async () => {
		const { server, store, approve, sell, found } = await openShop(limit);
		const old = await approve(act, "sale-1", 128);
		const next = await keyOf("4444");
		await store.write((tx) =>
			changePinKey(
				...([tx, server.caller.businessId, "wanjiru", next] as const),
				"2026-11-20T08:30:00.000Z",
			),
		);
		await sell(1, { approval: old });
		expect(await found()).toContainEqual(["bad_approval", 128]);
	});

	test("an old PIN approves nothing that was made after it was changed, whatever moment is signed", async () => {
		const { server, store, approve, sell, found } = await openShop(limit);
		const old = await approve(act, "sale-1", 128);
		server.env.pass(60_000);
		const at = new Date(server.env.now()).toISOString();
		const next = await keyOf("4444");
		await store.write((tx) =>
			changePinKey(tx, server.caller.businessId, "wanjiru", next, at),
		);
		server.env.pass(10 * 60_000);
		await sell(1, { approval: old });
		expect(await found()).toContainEqual(["bad_approval", 128]);
	});

	test("the log lists what was approved and checks each signature again, under a key that was changed since too", async () => {
		const { server, shop, store, owner, approve, sell } = await openShop(limit);
		await sell(65);
		await sell(1, { approval: await approve(act, "sale-2", 128) });
		const forged = { ...(await approve(act, "sale-3", 128)), amount: 500 };
		await sell(1, { approval: forged });
		server.env.pass(1_000);
		const at = new Date(server.env.now()).toISOString();
		const next = await keyOf("4444");
		await store.write((tx) =>
			changePinKey(tx, owner.businessId, "wanjiru", next, at),
		);
		const { rows } = await shop.ask(owner, mutationApproved, {});
		expect(
			rows.map(({ approval, user }) => [
				...[user?.id, approval?.by.id, approval?.amount, approval?.isSigned],
			]),
		).toEqual([
			["asha", "wanjiru", 500, false],
			["asha", "wanjiru", 128, true],
		]);
		const { mutations } = await shop.ask(owner, mutationAbout, {
			recordId: "sale-2",
		});
		expect(mutations[0]?.approval?.isSigned).toBe(true);
	});

	test("an approval that nothing needs changes nothing", async () => {
		const { approve, sell, found, settled } = await openShop(limit);
		await sell(65, { approval: await approve(act, "sale-1", 0) });
		expect([...(await found()), ...(await settled())]).toEqual([]);
	});

	test("a till asks for an approval before it makes anything, and only if somebody could give it [PERM-10]", async () => {
		const { shop, store, asha, found } = await openShop(limit);
		const line = { ...milk, id: "1", quantity: 2, price: 1, cost: 40 };
		const { buyingPrice: _, sellingPrice: __, ...item } = line;
		const sell = (id: string) =>
			shop.mutate(
				asha,
				saleCreate,
				{ id, items: [{ ...item, productId: "milk" }] },
				{ asksApproval: true },
			);
		await expect(sell("s")).rejects.toMatchObject({
			...{ code: "needs_approval", amount: 128 },
		});
		expect(await found()).toEqual([]);
		await store.write((tx) => tx.run("DELETE FROM staff_keys"));
		await sell("s");
		expect(await found()).toEqual([["discount_over_limit", 128]]);
	});

	test("nobody gives by hand the reason of an item that a PIN settled", async () => {
		const { shop, owner } = await openShop(limit);
		await expect(
			shop.mutate(owner, inboxDismiss, { ids: ["i"], reason: approvedByPin }),
		).rejects.toMatchObject({ code: "invalid_args" });
	});

	test("an approval has a signature of 128 hexadecimal digits", () => {
		const given = { by: "b", amount: 1, at: "2026-11-20T09:00:00.000Z" };
		const isRead = (signature: string) =>
			approval.safeParse({ ...given, signature }).success;
		expect(isRead("a".repeat(128))).toBe(true);
		expect(isRead("A".repeat(128))).toBe(false);
		expect(isRead("a".repeat(127))).toBe(false);
	});
});
