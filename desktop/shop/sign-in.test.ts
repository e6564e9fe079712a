import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { setEmail } from "../../server/accounts/users.ts";
import { cheapPassword } from "../../server/testing/server.ts";
import {
	asha,
	joinTill,
	openServer,
	openTill,
	settled,
} from "./testing/till.ts";
import { openTokenFile } from "./token-store.ts";

test("a till with an expired token keeps selling, says so, and syncs after a new sign-in", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	openTokenFile(till.dataDir).write("expired");
	const id = await till.sell();
	await expect
		.poll(() => till.calls.standing())
		.toMatchObject({ paused: "unauthorized" });
	const other = await till.sell();
	expect(await server.sales()).toEqual([]);
	expect((await till.signIn()).status).toBe(200);
	await settled(till);
	expect(await server.sales()).toEqual([id, other].sort());
	expect(await till.calls.standing()).toMatchObject({ paused: null });
});

test("a till stops accepting an account as soon as the server refuses it, and not before", async () => {
	const server = await openServer();
	const till = await openTill();
	await joinTill(server, till);
	// A 429 doesn't say that the password is wrong.
	const ask = globalThis.fetch;
	const refusing = vi
		.spyOn(globalThis, "fetch")
		.mockImplementation(async (input, init) =>
			String(input).endsWith("/mobile-login")
				? new Response("{}", { status: 429 })
				: ask(input, init),
		);
	expect((await till.signIn()).status).toBe(200);
	refusing.mockRestore();
	await server
		.now()
		.shop.store.write((tx) =>
			tx.run(
				"UPDATE users SET password_hash = ?",
				randomBytes(8).toString("hex"),
			),
		);
	expect((await till.signIn()).status).toBe(401);
	await server.stop();
	expect((await till.signIn()).status).toBe(401);
});

test("an owner's proven change is sent in a cashier's session, and an unproven one waits for the owner", async () => {
	const server = await openServer();
	const juma = {
		name: "Juma",
		email: "juma@example.com",
		password: cheapPassword,
	};
	const { businessId } = server.caller;
	await server.now().addUser("Juma", { businessId, role: "CASHIER" });
	const till = await openTill();
	await joinTill(server, till);
	expect((await till.signIn(juma)).status).toBe(200);
	await settled(till);
	expect((await till.signIn()).status).toBe(200);
	await till.calls.tryNow();
	const vault = openTokenFile(till.dataDir);
	await expect.poll(() => vault.read()).toContain("proofKey");
	const change = (sellingPrice: number) =>
		till.ask("PATCH", "/api/products/milk", { sellingPrice });
	await server.stop();
	expect((await change(70)).status).toBe(200);
	const { body } = await till.ask("POST", "/logout", {});
	expect(body).toEqual({ ok: true });
	expect(vault.read()).not.toContain("proofKey");
	// Offline, so without a key.
	expect((await till.signIn()).status).toBe(200);
	expect((await change(75)).status).toBe(200);
	await till.ask("POST", "/logout", {});
	// Otherwise the till would send it in the owner's session as soon as the server is back.
	vault.write(JSON.stringify({ token: "run out", isOver: true }));

	await server.start();
	expect((await till.signIn(juma)).status).toBe(200);
	await expect
		.poll(() => till.calls.standing())
		.toMatchObject({
			pending: 1,
			rejected: [],
			waiting: [{ userId: server.caller.userId, name: "product.update" }],
		});
	const price = () => server.now().rows("SELECT selling_price FROM products");
	expect(await price()).toEqual([{ selling_price: 70_000_000 }]);
	expect((await till.signIn()).status).toBe(200);
	await settled(till);
	expect(await till.calls.standing()).toMatchObject({ waiting: [] });
	expect(await price()).toEqual([{ selling_price: 75_000_000 }]);
});

test("a member of another shop on the same server can't sign in, and their session sends none of this shop's sales", async () => {
	const server = await openServer();
	const { businessId } = server.caller;
	const otieno = { ...asha, name: "Otieno", email: "otieno@example.com" };
	const other = await server.now().addUser("Otieno");
	const till = await openTill();
	await joinTill(server, till);
	const login = await server
		.now()
		.ask("POST", "/api/auth/mobile-login", { body: otieno });
	const { token } = login.body as { token: string };
	await server.stop();
	const sale = await till.sell();
	// An attempt that is under way would still send the sale in Asha's session: the server is back at once.
	await expect
		.poll(() => till.calls.standing())
		.toMatchObject({ isOnline: false });
	openTokenFile(till.dataDir).write(
		JSON.stringify({ token, userId: other.caller.userId }),
	);
	await server.start();
	expect((await till.signIn(otieno)).status).toBe(401);
	await expect
		.poll(() => till.calls.standing())
		.toMatchObject({
			...{ paused: "wrong_business", pending: 1, rejected: [] },
		});
	expect(await server.sales()).toEqual([]);

	expect((await till.signIn()).status).toBe(200);
	await settled(till);
	expect(await server.now().rows("SELECT id, business_id FROM sales")).toEqual([
		{ id: sale, business_id: businessId },
	]);
});

test("a member who is given the email of one known on the till signs in there, and the other by their new one", async () => {
	const server = await openServer();
	const juma = { ...asha, name: "Juma", email: "juma@example.com" };
	const { businessId } = server.caller;
	const { addUser, shop } = server.now();
	const old = await addUser("Juma", { businessId, role: "CASHIER" });
	const till = await openTill();
	await joinTill(server, till);
	expect((await till.signIn(juma)).status).toBe(200);
	await shop.store.write((tx) =>
		setEmail(tx, old.caller.userId as string, "night@example.com"),
	);
	const { caller } = await addUser("Juma", { businessId, role: "CASHIER" });
	const { status, body } = await till.signIn(juma);
	expect({ status, body }).toMatchObject({
		status: 200,
		body: { user: { id: caller.userId } },
	});
	const night = { ...juma, email: "night@example.com" };
	expect((await till.signIn(night)).body).toMatchObject({
		user: { id: old.caller.userId },
	});
	await server.stop();
	expect((await till.signIn(juma)).body).toMatchObject({
		user: { id: caller.userId },
	});
});
