import { expect, test } from "vitest";
import { fill } from "../../testing/operations.ts";
import { openTestServer } from "../../testing/server.ts";
import { allTargets } from "./testing/fields.ts";

/** Values for fields that the server assigns, as an attacker would set them. */
const wishes = (theirs: string) => `
	"id": "chosen", "businessId": "${theirs}", "business_id": "${theirs}", "userId": "${theirs}",
	"role": "admin", "isAdmin": true, "memberships": [{"businessId": "${theirs}", "role": "OWNER"}],
	"total": 0.01, "cost": 0, "profit": 1000000, "change": 1000000, "tax": 1, "taxRate": 1,
	"receiptNumber": "A-999999", "businessDay": "1999-01-01", "deviceId": "theirs",
	"createdAt": "1999-01-01T00:00:00.000Z", "updatedAt": "1999-01-01T00:00:00.000Z",
	"version": 987654, "deleted": true, "deletedAt": "1999-01-01T00:00:00.000Z", "channel": "device",
	"passwordHash": "x", "password_hash": "x", "keyHash": "x", "spent": -1, "reserved": -1, "revokedAt": null,
	"constructor": {"prototype": {"polluted": true}}, "__proto__": {"polluted": true, "role": "OWNER"}`;

/** Whether a client names the record's id, so that a repeat creates it only once. */
const namesItsRecord = (operation: string) =>
	/\/(refunds|void|shifts|close|cash-movements|drawer-openings|labels|layaways|complete|counts|looks|deliveries)$/.test(
		operation,
	);

/** Whether an operation hashes a password, which is slow; its tables have other tests. */
const isSlow = (path: string) =>
	path === "/login" || path === "/api/setup/demo" || path.includes("/auth/");

test("no body can set a field that the server assigns", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await fill(server, asha, "own");
	await fill(server, baraka, "CANARY");
	const before = await server.shop.blocks(baraka.caller);
	const wished = wishes(baraka.businessId);
	let asked = 0;
	for (const { operation, method, path, body, asSession } of allTargets(
		server,
	)) {
		if (isSlow(path) || typeof body !== "object" || body instanceof Uint8Array)
			continue;
		const own = JSON.stringify(body).slice(0, -1);
		// Put last, so that they win over a duplicate field.
		const given = `${own}${own === "{" ? "" : ","}${namesItsRecord(operation) ? wished.replace('"id": "chosen",', "") : wished}}`;
		const answer = await server.ask(method, path, {
			headers: asSession
				? { cookie: asha.cookie }
				: { authorization: asha.bearer },
			body: given,
		});
		const row = `${operation}: ${answer.text}`;
		expect([operation, answer.status]).toEqual([
			operation,
			// 403 for administrators' operations, 409 once the server has an account, 503 without a provider.
			expect.toBeOneOf([200, 201, 400, 403, 409, 503]),
		]);
		for (const wish of [
			'"chosen"',
			baraka.businessId,
			"1999-01-01",
			"A-999999",
			'"admin"',
			"CANARY",
			"polluted",
			":987654",
		])
			expect(row).not.toContain(wish);
		expect(row).not.toMatch(/"(total|spent|reserved)":(0\.01|-1)\b/);
		expect(row).not.toMatch(/"(tax|taxRate|isAdmin)":/);
		asked += 1;
	}
	expect(asked).toBeGreaterThan(19);
	expect(await server.shop.blocks(baraka.caller)).toEqual(before);
	const members = await server.rows(
		"SELECT user_id, role FROM memberships WHERE business_id = ?",
		baraka.businessId,
	);
	expect(members).toHaveLength(2);
	const chosen = await server.rows(
		"SELECT id FROM products WHERE id = 'chosen' UNION SELECT id FROM sales WHERE id = 'chosen' UNION SELECT id FROM users WHERE id = 'chosen'",
	);
	expect(chosen).toEqual([]);
	expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
	// All rights are unchanged.
	const { body } = await server.ask("GET", "/api/session", {
		headers: { cookie: asha.cookie },
	});
	expect(body).toMatchObject({ user: { role: "user" } });
});
