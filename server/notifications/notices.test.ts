import { expect, test } from "vitest";
import { approvedText } from "../../sync/entities/approval.ts";
import { drawerOpen } from "../../sync/entities/cash.ts";
import { paymentPayout } from "../../sync/entities/payout.ts";
import { makePinKey, openPin } from "../../sync/protocol/pin-key.ts";
import { type TestServer, type TestUser, twoShops } from "../testing/server.ts";

async function told({ ask }: TestServer, as: TestUser) {
	const { body } = await ask("GET", "/api/notifications", { as });
	return (body as { notifications: { message: string }[] }).notifications;
}

function sell(
	{ ask }: TestServer,
	as: TestUser,
	quantity: number,
	more: object = {},
) {
	const item = {
		name: "Milk",
		quantity,
		price: 50,
		cost: 40,
		productId: "milk",
		...more,
	};
	return ask("POST", "/api/sales", { as, body: { items: [item] } });
}

test("a sale that takes a product to its threshold notifies every member, once per crossing", async () => {
	const { server, asha, baraka } = await twoShops();
	const cashier = await server.addUser("Chege", {
		businessId: asha.businessId,
		role: "CASHIER",
	});
	// Ten in stock, threshold five.
	await sell(server, asha, 4);
	expect(await told(server, asha)).toEqual([]);
	await sell(server, asha, 1.5);
	await sell(server, asha, 1);
	for (const member of [asha, cashier])
		expect(await told(server, member)).toMatchObject([
			{
				type: "inventory",
				channel: "server",
				title: "Low stock: Milk",
				message: "4.5 left; the threshold is 5.",
				data: {
					code: "low_stock",
					productId: "milk",
					name: "Milk",
					quantity: 4.5,
					lowStock: 5,
				},
				read: false,
			},
		]);
	expect(await told(server, baraka)).toEqual([]);
	await server.ask("PATCH", "/api/products/milk", {
		as: asha,
		body: { quantity: 6 },
	});
	await sell(server, asha, 1);
	expect((await told(server, asha)).map(({ message }) => message)).toEqual([
		"5 left; the threshold is 5.",
		"4.5 left; the threshold is 5.",
	]);
});

test("low stock notifies nobody who switched it off, and is not checked for services or changes other than sales", async () => {
	const { server, asha } = await twoShops();
	await server.ask("PATCH", "/api/products/milk", {
		as: asha,
		body: { quantity: 3 },
	});
	await server.ask("PATCH", "/api/products/milk", {
		as: asha,
		body: { quantity: 10 },
	});
	await sell(server, asha, 8, { isService: true });
	expect(await told(server, asha)).toEqual([]);
	await server.ask("PATCH", "/api/notifications/preferences", {
		as: asha,
		body: { type: "inventory", enabled: false },
	});
	await sell(server, asha, 8);
	expect(await told(server, asha)).toEqual([]);
});

test("a synced sale notifies of low stock, a repeated or rejected one does not", async () => {
	const { server, asha } = await twoShops();
	const sale = (id: string, price: unknown) => ({
		id: `m-${id}`,
		name: "sale.create",
		at: "2026-11-20T08:00:00.000Z",
		args: {
			id,
			items: [
				{
					id: "1",
					name: "Milk",
					quantity: 7,
					price,
					cost: 1,
					productId: "milk",
				},
			],
		},
	});
	const push = (...mutations: object[]) =>
		server.ask("POST", "/api/sync", { as: asha, body: { mutations } });
	await push(sale("bad", "5"));
	expect(await told(server, asha)).toEqual([]);
	await push(sale("good", 5));
	await push(sale("good", 5));
	expect(await told(server, asha)).toHaveLength(1);
});

test("a sale succeeds even if its notification fails", async () => {
	const { server, asha } = await twoShops();
	await server.shop.store.write((tx) => tx.run("DROP TABLE notifications"));
	expect((await sell(server, asha, 8)).status).toBe(201);
	const milk = await server.ask("GET", "/api/products/milk", { as: asha });
	expect(milk.body).toMatchObject({ quantity: 2 });
});

test("owners hear of what goes beyond limits unless they switch it off, and an approver of what was approved in their name", async () => {
	const { server, asha } = await twoShops();
	const { businessId } = asha;
	const cashier = await server.addUser("Chege", {
		...{ businessId, role: "CASHIER" },
	});
	const owner = await server.addUser("Njeri", { businessId, role: "OWNER" });
	const limits = [{ role: "CASHIER", discountMax: 10 }];
	await server.ask("PATCH", "/api/business", { as: asha, body: { limits } });
	const key = await makePinKey("123456");
	await server.ask("POST", `/api/members/${owner.id}/pin`, {
		...{ as: owner, body: key },
	});
	await server.ask("PATCH", "/api/notifications/preferences", {
		...{ as: asha, body: { type: "sales", enabled: false } },
	});
	await sell(server, cashier, 2, { price: 1 });
	const about = { userId: cashier.id, name: "Chege", amount: 98 };
	expect(await told(server, owner)).toMatchObject([
		{
			...{ type: "sales", title: "Beyond the limits: a sale by Chege" },
			...{ message: "At stake: 98.", data: { code: "over_limit", ...about } },
		},
	]);
	for (const other of [asha, cashier])
		expect(await told(server, other)).toEqual([]);
	const act = { act: "drawer.open", id: "o", amount: 0 };
	const at = new Date().toISOString();
	const pin = await openPin(key, "123456");
	const signed = { by: owner.id, amount: 0, at };
	const signature = pin?.sign(approvedText({ ...act, ...signed }));
	const noDrawer = [{ role: "CASHIER", mayOpenDrawer: false }];
	await server.ask("PATCH", "/api/business", {
		...{ as: asha, body: { limits: noDrawer } },
	});
	await server.shop.mutate(cashier.caller, drawerOpen, {
		...{ id: "o", reason: "Change" },
		approval: { ...signed, signature: signature ?? "" },
	});
	expect((await told(server, owner))[0]).toMatchObject({
		title: "Approved by your PIN: an opened drawer by Chege",
	});
	const noRefunds = [{ role: "CASHIER", refundMax: 0 }];
	await server.ask("PATCH", "/api/business", {
		...{ as: asha, body: { limits: noRefunds } },
	});
	await server.shop.mutate(cashier.caller, paymentPayout, {
		...{ id: "payout", customerId: "Zawadi" },
		tenders: [{ method: "CASH", amount: 5 }],
	});
	expect((await told(server, owner))[0]).toMatchObject({
		title: "Beyond the limits: a payout by Chege",
	});
});
