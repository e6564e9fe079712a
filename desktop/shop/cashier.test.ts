import { expect, test } from "vitest";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { makePinKey } from "../../sync/protocol/pin-key.ts";
import { addMember } from "../../sync/testing/shop.ts";
import { writePinKey } from "../../sync/till/staff.ts";
import { asha, joinTill, openServer, openTill } from "./testing/till.ts";

const otieno = { id: "otieno", name: "otieno", role: "CASHIER", digits: 4 };
const sale = (id: string) => ({
	...{ id: newId(systemEnv), name: "sale.create", by: "otieno" },
	args: {
		id,
		items: [{ id: "1", name: "Milk", quantity: 1, price: 65, cost: 58 }],
	},
});

test("a desktop till fetches who has a PIN, and switches without its server, also after a restart", async () => {
	const server = await openServer();
	const { store } = server.now().shop;
	const { businessId } = server.caller;
	const key = await makePinKey("1234");
	await store.write(async (tx) => {
		await addMember(tx, businessId, "otieno", "CASHIER");
		await writePinKey(tx, businessId, "otieno", key, "2026-11-20");
	});
	const till = await openTill();
	await joinTill(server, till);
	await till.calls.refreshStaff();
	expect(await till.calls.staff()).toEqual([otieno]);
	// Its own copy of the server's routes has neither members nor keys.
	for (const path of ["/api/till/staff", "/api/members"])
		expect((await till.ask("GET", path)).status).toBe(409);
	await server.stop();
	await till.calls.refreshStaff();
	expect(await till.calls.checkPin("otieno", "4321")).toEqual({
		...{ outcome: "wrong", triesLeft: 4 },
	});
	await till.close();
	const again = await openTill(till.dataDir);
	await again.signIn();
	expect(await again.calls.checkPin("otieno", "4321")).toMatchObject({
		triesLeft: 3,
	});
	expect(await again.calls.checkPin("otieno", "1234")).toEqual({
		...{ outcome: "right", cashier: otieno },
	});
	await again.calls.mutate(sale("s1"));
	await server.start();
	await again.calls.tryNow();
	const sellers = () =>
		server
			.now()
			.rows(
				"SELECT user_id, carrier_id FROM mutations WHERE name = 'sale.create'",
			);
	const asOtieno = [{ user_id: "otieno", carrier_id: server.caller.userId }];
	await expect.poll(sellers).toEqual(asOtieno);
	expect(till.log() + again.log()).not.toMatch(/["\\](1234|4321)["\\]/);
});

test("a desktop shop without a server sets PINs itself", async () => {
	const till = await openTill();
	const { body } = await till.ask("POST", "/api/setup", asha);
	const { id } = body.user;
	const path = `/api/members/${id}/pin`;
	const key = await makePinKey("123456");
	expect((await till.ask("POST", path, key)).status).toBe(200);
	await till.calls.refreshStaff();
	expect(await till.calls.checkPin(id, "123456")).toMatchObject({
		...{ outcome: "right", cashier: { name: "Asha", role: "OWNER" } },
	});
});
