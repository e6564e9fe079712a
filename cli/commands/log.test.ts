import { expect, test } from "vitest";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { approvedText } from "../../sync/entities/approval.ts";
import { businessUpdate } from "../../sync/entities/business.ts";
import { drawerOpen } from "../../sync/entities/cash.ts";
import { productUpdate } from "../../sync/entities/product.ts";
import { saleVoid } from "../../sync/entities/refund.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { makePinKey, openPin } from "../../sync/protocol/pin-key.ts";
import { message } from "../../sync/testing/shop.ts";
import { changePinKey } from "../../sync/till/staff.ts";
import { runCommand } from "../testing/command.ts";

async function open() {
	const shop = await openMilkShop();
	const env = { DATA_DIR: shop.server.settings.dataDir };
	const run = (...args: string[]) => runCommand(args, env);
	return { ...shop, run };
}

test("the log shows mutations with their user and till, newest first", async () => {
	const { server, asha, line, run } = await open();
	const till = await openTestTill(asha, line);
	const sale = await till.sell(2);
	await till.till.sync();
	await till.till.mutate(asha.caller, saleVoid, {
		id: newId(till.till.env),
		saleId: sale,
		reason: "Wrong customer",
	});
	await till.till.sync();
	const changed = { id: "milk", set: { sellingPrice: 110 } };
	await server.shop.mutate(
		{ ...asha.caller, userId: null },
		productUpdate,
		changed,
	);

	const shown = JSON.parse((await run("log", "show", "--json")).out);
	expect(shown.map(({ what }: { what: string }) => what)).toEqual([
		"Set sellingPrice = 110 of product milk",
		`Voided sale ${sale}: Wrong customer`,
		"Sold 2 x Milk at 100, paid by CASH",
		'Created product "Milk"',
	]);
	const { prefix, deviceId } = await till.till.status();
	expect(shown[2]).toMatchObject({
		user: { id: asha.id, name: "Asha", email: "asha@example.com" },
		device: { id: deviceId, prefix },
		status: "applied",
	});
	expect(shown[0]).toMatchObject({ user: null, device: null });
	const table = await run("log", "show", "--limit", "2");
	expect(table.out.trim().split("\n")).toHaveLength(3);

	const [explained] = JSON.parse(
		(await run("log", "explain", shown[2].id, "--json")).out,
	);
	expect(explained).toMatchObject({ id: shown[2].id, args: { id: sale } });
	// The sale, whose line is its stock movement; later mutations changed the product.
	expect(explained.changed).toEqual([{ entity: "sale", id: sale }]);
	const about = await run("log", "explain", sale);
	expect(about.out.match(/^what .*/gm)).toEqual([
		expect.stringContaining("Sold 2 x Milk"),
		expect.stringContaining("Voided sale"),
	]);
	expect(about.out).toMatch(/^who +Asha <asha@example.com>$/m);
	expect(about.out).toMatch(new RegExp(`^device +till ${prefix} `, "m"));
});

test("the log shows why a mutation was rejected, and never shows another shop's mutations", async () => {
	const { server, asha, run } = await open();
	const id = newId(server.shop.env);
	await server.shop.push(asha.caller, {
		mutations: [message(id, "sale.void", { saleId: 7 })],
	});
	const refused = await run(
		"log",
		"explain",
		id,
		"--business",
		asha.businessId,
	);
	expect(refused.out).toMatch(/^what +sale\.void$/m);
	expect(refused.out).toMatch(/^refused +invalid_args: /m);

	const baraka = await server.addUser("Baraka");
	const other = ["--business", baraka.businessId];
	expect(await run("log", "explain", id, ...other)).toMatchObject({
		status: 1,
		out: "",
		err: expect.stringContaining("No mutation has or names"),
	});
	expect(await run("log", "show", ...other)).toMatchObject({
		status: 0,
		out: "",
		err: "The log is empty\n",
	});
});

test("stats counts the whole installation or a single business", async () => {
	const { server, asha, line, run } = await open();
	const till = await openTestTill(asha, line);
	await till.sell(2);
	await till.till.sync();
	const baraka = await server.addUser("Baraka");
	const { installation, businesses } = JSON.parse(
		(await run("stats", "--json")).out,
	);
	expect(installation).toMatchObject({ businesses: 2, users: 2 });
	expect(installation.databaseBytes).toBeGreaterThan(0);
	expect(businesses).toMatchObject([
		{ name: "Asha's shop", sales: 1, products: 1, devices: 1, members: 1 },
		{ name: "Baraka's shop", sales: 0, products: 0, devices: 0, members: 1 },
	]);
	const one = await run("stats", "--business", baraka.businessId);
	expect(one.out).toMatch(/^name +Baraka's shop$/m);
	expect(one.out).not.toContain("Asha");
});

test("log verify accepts an intact log and names the first altered mutation [LOG-5]", async () => {
	const { server, asha, run } = await open();
	const what = ["log", "verify", "--json", "--business", asha.businessId];
	const whole = await run(...what);
	expect(whole.status).toBe(0);
	expect(JSON.parse(whole.out)).toMatchObject({ whole: true, checked: 1 });
	await server.shop.store.write((tx) =>
		tx.run("UPDATE stored_mutations SET at = received_at || 'x'"),
	);
	const bad = await run(...what);
	expect(bad.status).toBe(1);
	expect(JSON.parse(bad.out)).toMatchObject({ whole: false, version: 2 });
});

test("the log lists what a PIN approved, and says whose signature does not hold", async () => {
	const { server, asha, run } = await open();
	const { businessId } = asha;
	const cashier = await server.addUser("Chege", {
		...{ businessId, role: "CASHIER" },
	});
	const key = await makePinKey("1234");
	const at = new Date().toISOString();
	await server.shop.store.write((tx) =>
		changePinKey(tx, businessId, asha.id, key, at),
	);
	await server.shop.mutate(asha.caller, businessUpdate, {
		set: { limits: [{ role: "CASHIER", mayOpenDrawer: false }] },
	});
	const pin = await openPin(key, "1234");
	for (const [id, signed] of [
		["one", "one"],
		["two", "another"],
	] as const) {
		const given = { by: asha.id, amount: 0, at };
		const text = approvedText({ act: "drawer.open", id: signed, ...given });
		const approval = { ...given, signature: pin?.sign(text) ?? "" };
		const args = { id, reason: "Change", approval };
		await server.shop.mutate(cashier.caller, drawerOpen, args);
	}
	const shown = JSON.parse((await run("log", "approvals", "--json")).out);
	expect(shown).toMatchObject([
		{ user: { name: "Chege" }, approval: { isSigned: false } },
		{ user: { name: "Chege" }, approval: { isSigned: true, amount: 0 } },
	]);
	expect(shown[0].approval.by.name).toBe("Asha");
	const table = await run("log", "approvals");
	expect(table.out).toMatch(/Chege.*Asha.*NO.*\n.*Chege.*Asha.*yes/);
	const explained = await run("log", "explain", shown[1].id);
	expect(explained.out).toMatch(/approved by +Asha .*signed/);
});
