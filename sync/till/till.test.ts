import { expect, onTestFinished, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { approvedByPin } from "../entities/inbox.ts";
import { makePinKey } from "../protocol/pin-key.ts";
import {
	type ChangeKind,
	openTillApi,
	type TillApi,
} from "../protocol/till-api.ts";
import { startSyncLoop } from "../replica/sync-loop.ts";
import {
	addMember,
	addMilk,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
	twoTills,
} from "../testing/shop.ts";
import { dispatch } from "./dispatch.ts";
import { readStaff, writePinKey } from "./staff.ts";
import { openTill } from "./till.ts";

const line = {
	...{ id: "1", productId: "milk", name: "Milk", quantity: 1 },
	...{ price: 60, cost: 50 },
};
const saleOf = (id: string) => ({
	id: `made-${id}`,
	name: "sale.create",
	args: { id, items: [line] },
});

/** Passes each call through JSON, as a page does. */
function overJson(calls: TillApi): TillApi {
	return openTillApi(async (call) => {
		const answer = await dispatch(calls, JSON.parse(JSON.stringify(call)));
		return answer === undefined ? answer : JSON.parse(JSON.stringify(answer));
	});
}

async function openAlone() {
	const server = await openTestShop();
	await addMilk(server);
	const till = openTill(server.shop, server.caller.businessId);
	const changes: ChangeKind[] = [];
	till.onChange((kind) => changes.push(kind));
	return { ...server, changes, page: overJson(till.as(server.caller)) };
}

async function openFollowing(server?: TestShop) {
	if (!server) {
		server = await openTestShop();
		await addMilk(server);
	}
	const opened = await openTestTill(server);
	const syncLoop = startSyncLoop(opened.till, opened.line, {
		env: opened.till.env,
		onError: () => {},
	});
	onTestFinished(syncLoop.stop);
	const till = openTill(opened.till, server.caller.businessId, {
		replica: opened.till,
		syncLoop,
		readStaff: async () =>
			opened.line.online
				? {
						people: await server.store.read((tx) =>
							readStaff(tx, server.caller.businessId),
						),
					}
				: undefined,
	});
	const changes: ChangeKind[] = [];
	till.onChange((kind) => changes.push(kind));
	return { server, ...opened, changes, page: overJson(till.as(opened.caller)) };
}

test("a page of a shop without a server sells and queries, and nothing is pending", async () => {
	const { page, changes } = await openAlone();
	const done = await page.mutate(saleOf("s1"));
	expect(done).toMatchObject({
		id: "made-s1",
		args: { id: "s1", receiptNumber: expect.stringMatching(/-000001$/) },
	});
	expect(await page.ask("sale.get", { id: "s1" })).toMatchObject({
		total: 60,
	});
	expect(await page.stateOf("made-s1")).toBe("acknowledged");
	expect(await page.standing()).toMatchObject({ isOnline: true, pending: 0 });
	await page.tryNow();
	expect(changes).toEqual(["rows"]);
});

test("a till's page sells while offline, shows what is pending and sends it", async () => {
	const { page, server, line: way, changes } = await openFollowing();
	await page.tryNow();
	expect(await page.standing()).toMatchObject({
		isOnline: true,
		isFilled: true,
	});
	way.online = false;
	changes.length = 0;
	await page.mutate(saleOf("s1"));
	await page.mutate(saleOf("s1"));
	await page.tryNow();
	expect(await page.standing()).toMatchObject({ isOnline: false, pending: 1 });
	expect(await page.stateOf("made-s1")).toBe("pending");
	expect([...new Set(changes)].sort()).toEqual(["rows", "standing"]);
	way.online = true;
	await page.tryNow();
	expect(await page.stateOf("made-s1")).toBe("acknowledged");
	expect(await salesOf(server)).toEqual(["s1"]);
});

test("a rejected mutation is shown, discarded, restored and offered again", async () => {
	const { page, server, caller } = await openFollowing();
	await page.tryNow();
	const made = { id: "m1", name: "category.create" };
	await page.mutate({ ...made, args: { id: "c1", name: "Dairy" } });
	caller.role = "CASHIER";
	await page.tryNow();
	const refused = async () =>
		(await page.standing()).rejected.map(({ id }) => id);
	expect(await refused()).toEqual(["m1"]);
	await page.discard("m1");
	expect(await refused()).toEqual([]);
	await page.restore("m1");
	expect(await refused()).toEqual(["m1"]);
	caller.role = "OWNER";
	await page.retry("m1");
	expect(await refused()).toEqual([]);
	expect(await server.rows("SELECT id FROM categories")).toEqual([
		{ id: "c1" },
	]);
});

test("a page's cart is removed with its sale, and every page is notified of held carts", async () => {
	const { page, changes } = await openAlone();
	const cart = { id: "w1", lines: [], note: "Blue" };
	expect(await page.keepCart("w1", cart, false)).toBe(true);
	expect(await page.cartOwners()).toEqual(["w1"]);
	await page.mutate({ ...saleOf("s1"), cartId: "w1" });
	expect(await page.readCart("w1")).toBeUndefined();
	await expect(
		page.mutate({ ...saleOf("s2"), cartId: "w1" }),
	).rejects.toMatchObject({ code: "cart_taken" });
	await page.keepCart("w1", cart, false);
	await page.holdCart("w1", { ...cart, id: "h1", heldAt: "2026-11-20" });
	expect(await page.heldCarts()).toHaveLength(1);
	expect(await page.resumeCart("w2", "h1", cart)).toMatchObject({ id: "w2" });
	expect(await page.takeOverCart("w1", "w2")).toMatchObject({ note: "Blue" });
	expect(changes).toEqual(["rows", "carts", "carts"]);
});

const madeBefore = (id: string) => ({
	...saleOf(id),
	...{ at: "2026-11-18T08:00:00.000Z", by: "njeri" },
});
const madeSql =
	"SELECT id, at, user_id FROM mutations WHERE name = 'sale.create'";
const made = { id: "made-s1", at: madeBefore("s1").at, user_id: "njeri" };
const njeriLeft =
	"INSERT INTO former_members (business_id, user_id, left_at) VALUES ('shop-1', 'njeri', '')";

test("a shop without a server applies an earlier mutation once, as it was made, and needs no other copy", async () => {
	const { page, rows, store } = await openAlone();
	await store.write((tx) => tx.run(njeriLeft));
	const unknown = { ...madeBefore("s2"), name: "sale.juggle" };
	for (const _ of ["once", "again"])
		expect(await page.bring([madeBefore("s1"), unknown])).toEqual(["made-s1"]);
	expect(await rows(madeSql)).toEqual([made]);
	const refused = { ...madeBefore("s3"), args: {} };
	expect(await page.bring([refused])).toEqual(["made-s3"]);
	expect(
		await rows("SELECT status FROM mutations WHERE id = 'made-s3'"),
	).toEqual([{ status: "rejected" }]);
});

test("the other copy of an earlier mutation is needed until the server has it or a person discards it", async () => {
	const { page, server, line: way, store } = await openFollowing();
	for (const one of [store, server.store])
		await one.write((tx) => tx.run(njeriLeft));
	await page.tryNow();
	way.online = false;
	const refused = { ...madeBefore("s2"), args: {} };
	const bring = () => page.bring([madeBefore("s1"), refused]);
	expect(await bring()).toEqual([]);
	expect(await page.standing()).toMatchObject({ pending: 2 });
	way.online = true;
	await page.tryNow();
	expect(await bring()).toEqual(["made-s1"]);
	expect(await server.rows(`${madeSql} AND status = 'applied'`)).toEqual([
		made,
	]);
	await page.discard("made-s2");
	expect(await bring()).toEqual(["made-s1", "made-s2"]);
});

test.each([
	["bring", [[{ id: "m", name: "sale.create", args: {} }]], "invalid_args"],
	["constructor", [], "invalid_args"],
	["drop", [], "invalid_args"],
	["stateOf", [5], "invalid_args"],
	["keepCart", ["w1", { id: "w1" }, false], "invalid_args"],
	["ask", ["sale.drop", {}], "unknown_query"],
	["ask", ["sale.get", { id: "none" }], "not_found"],
	["mutate", [{ id: "m", name: "sale.drop", args: {} }], "unknown_mutation"],
	["mutate", [{ id: "", name: "sale.create", args: {} }], "invalid_args"],
	["retry", ["none"], "not_found"],
])(
	"a page that calls %s with %j gets the error %s",
	async (name, args, code) => {
		const { shop, caller } = await openAlone();
		const till = openTill(shop, caller.businessId);
		await expect(
			dispatch(till.as(caller), { name, args }),
		).rejects.toMatchObject({
			code,
		});
	},
);

test("a member of another shop cannot call a till", async () => {
	const { a } = await twoTills();
	const till = openTill(a.till, "shop-1");
	expect(() => till.as({ ...a.caller, businessId: "shop-2" })).toThrow(
		"wrong_business",
	);
});

/** A shop whose Otieno (cashier) has the PIN 1234, and whose Wanjiru (manager) has none. */
async function openStaffed() {
	const server = await openTestShop();
	await addMilk(server);
	const { businessId } = server.caller;
	const key = await makePinKey("1234");
	await server.store.write(async (tx) => {
		await addMember(tx, businessId, "user-1", "OWNER");
		await addMember(tx, businessId, "otieno", "CASHIER");
		await addMember(tx, businessId, "wanjiru", "MANAGER");
		await writePinKey(tx, businessId, "otieno", key, "2026-11-20");
	});
	return server;
}

const sellers = "SELECT id, user_id FROM sales ORDER BY id";
const carried =
	"SELECT user_id, carrier_id FROM mutations WHERE name = 'sale.create' ORDER BY id";
const byOtieno = { user_id: "otieno", carrier_id: "user-1" };

test("a till switches the cashier by PIN while offline, and the server and the other till show who sold [PERM-7]", async () => {
	const server = await openStaffed();
	const a = await openFollowing(server);
	const b = await openFollowing(server);
	for (const { page } of [a, b]) await page.tryNow();
	await a.page.refreshStaff();
	a.line.online = false;
	const otieno = { id: "otieno", name: "otieno", role: "CASHIER", digits: 4 };
	expect(await a.page.staff()).toEqual([otieno]);
	expect(await a.page.checkPin("otieno", "1234")).toEqual({
		...{ outcome: "right", cashier: otieno },
	});
	await a.page.refreshStaff();
	expect(await a.page.staff()).toEqual([otieno]);
	await a.page.mutate({ ...saleOf("s1"), by: "otieno" });
	await a.page.mutate(saleOf("s2"));
	const sold = [
		{ id: "s1", user_id: "otieno" },
		{ id: "s2", user_id: "user-1" },
	];
	expect(await a.rows(sellers)).toEqual(sold);
	expect(await a.page.ask("receipt.get", { id: "s1" })).toMatchObject({
		cashier: "otieno",
	});
	a.line.online = true;
	await a.page.tryNow();
	expect(await server.rows(sellers)).toEqual(sold);
	// The log keeps whose session brought it.
	expect(await server.rows(carried)).toEqual([
		...[byOtieno, { user_id: "user-1", carrier_id: null }],
	]);
	await b.page.tryNow();
	expect(await b.rows(sellers)).toEqual(sold);
});

test("a repeated sale stays one sale, also if another cashier is at the till by then", async () => {
	const server = await openStaffed();
	const { page, rows } = await openFollowing(server);
	await page.tryNow();
	await page.refreshStaff();
	await page.mutate({ ...saleOf("s1"), by: "otieno" });
	await page.mutate(saleOf("s1"));
	await page.tryNow();
	await page.mutate(saleOf("s1"));
	await page.tryNow();
	expect(await rows(sellers)).toEqual([{ id: "s1", user_id: "otieno" }]);
	expect(await server.rows(sellers)).toEqual([{ id: "s1", user_id: "otieno" }]);
	expect(await page.standing()).toMatchObject({ pending: 0, rejected: [] });
});

test("a shop without a server records who sold, and whose session it was", async () => {
	const server = await openStaffed();
	const { shop, caller, rows } = server;
	const page = overJson(openTill(shop, caller.businessId).as(caller));
	expect(await page.checkPin("otieno", "1234")).toMatchObject({
		outcome: "right",
	});
	await page.mutate({ ...saleOf("s1"), by: "otieno" });
	expect(await rows(sellers)).toEqual([{ id: "s1", user_id: "otieno" }]);
	expect(await rows(carried)).toEqual([byOtieno]);
});

test("an id that is no member's does not stop a sale, which then is the signed-in member's [PERM-7]", async () => {
	const server = await openStaffed();
	const { page } = await openFollowing(server);
	await page.tryNow();
	await page.mutate({ ...saleOf("s1"), by: "nobody" });
	await page.tryNow();
	expect(await server.rows(sellers)).toEqual([{ id: "s1", user_id: "user-1" }]);
});

test("a cashier who was switched to may do only what the signed-in member may do too [PERM-7]", async () => {
	const server = await openStaffed();
	const { page, till, caller } = await openFollowing(server);
	await page.tryNow();
	await page.refreshStaff();
	const category = (id: string) => ({
		...{ id: `made-${id}`, name: "category.create" },
		args: { id, name: "Dairy" },
	});
	const refused = { code: "forbidden" };
	await expect(
		page.mutate({ ...category("c1"), by: "otieno" }),
	).rejects.toMatchObject(refused);
	await page.mutate(category("c1"));
	const cashiers = { ...caller, userId: "otieno", role: "CASHIER" as const };
	const theirs = openTill(till, caller.businessId).as(cashiers);
	await expect(
		theirs.mutate({ ...category("c2"), by: "user-1" }),
	).rejects.toMatchObject(refused);
});

test("a PIN that a till locks while offline is in the inbox of the server, once for each lock", async () => {
	const server = await openStaffed();
	const a = await openFollowing(server);
	await a.page.tryNow();
	await a.page.refreshStaff();
	a.line.online = false;
	for (let i = 0; i < 7; i += 1) await a.page.checkPin("otieno", "0000");
	a.line.online = true;
	await a.page.tryNow();
	const items = await server.rows(
		"SELECT cause, resolution FROM inbox_items WHERE cause = 'pin_locked'",
	);
	expect(items).toEqual([{ cause: "pin_locked", resolution: null }]);
});

test("what goes beyond a cashier's limit is approved by PIN at a till that is offline, and the server believes it [PERM-10]", async () => {
	const server = await openStaffed();
	const { shop, caller, store } = server;
	const key = await makePinKey("5678");
	await store.write((tx) =>
		writePinKey(tx, caller.businessId, "wanjiru", key, "2026-11-20"),
	);
	const [a, b] = [await openFollowing(server), await openFollowing(server)];
	const limits = [{ role: "CASHIER" as const, mayOpenDrawer: false }];
	await shop.mutate(caller, businessUpdate, { set: { limits } });
	await a.page.tryNow();
	await a.page.refreshStaff();
	a.line.online = false;
	const args = { id: "o", reason: "Change" };
	const opening = { id: "m-o", name: "drawer.open", by: "otieno" };
	await expect(a.page.mutate({ ...opening, args })).rejects.toMatchObject({
		...{ code: "needs_approval", amount: 0 },
	});
	const act = { act: "drawer.open", id: "o", amount: 0 };
	expect(await a.page.approve("wanjiru", "0000", act)).toMatchObject({
		outcome: "wrong",
	});
	const given = await a.page.approve("wanjiru", "5678", act);
	if (given.outcome !== "right") throw new Error(given.outcome);
	const { approval } = given;
	await a.page.mutate({ ...opening, args: { ...args, approval } });
	a.line.online = true;
	await a.page.tryNow();
	await b.page.tryNow();
	const settled = [
		{
			cause: "drawer_opened",
			resolution: approvedByPin,
			decided_by: "wanjiru",
		},
	];
	for (const { rows } of [server, a, b])
		expect(
			await rows("SELECT cause, resolution, decided_by FROM inbox_items"),
		).toEqual(settled);
});

test("an owner who was switched to at a cashier's till approves their own act by PIN, and the server believes it", async () => {
	const server = await openStaffed();
	const { shop, caller, store } = server;
	const key = await makePinKey("567890");
	await store.write((tx) =>
		writePinKey(tx, caller.businessId, "user-1", key, "2026-11-20"),
	);
	const limits = [{ role: "CASHIER" as const, mayOpenDrawer: false }];
	await shop.mutate(caller, businessUpdate, { set: { limits } });
	const otieno = { ...caller, userId: "otieno", role: "CASHIER" as const };
	const page = overJson(openTill(shop, caller.businessId).as(otieno));
	const args = { id: "o", reason: "Change" };
	const opening = { id: "m-o", name: "drawer.open", by: "user-1" };
	await expect(page.mutate({ ...opening, args })).rejects.toMatchObject({
		code: "needs_approval",
	});
	const act = { act: "drawer.open", id: "o", amount: 0 };
	const given = await page.approve("user-1", "567890", act);
	if (given.outcome !== "right") throw new Error(given.outcome);
	const { approval } = given;
	await page.mutate({ ...opening, args: { ...args, approval } });
	expect(
		await server.rows("SELECT cause, resolution FROM inbox_items"),
	).toEqual([{ cause: "drawer_opened", resolution: approvedByPin }]);
});
