import { expect, test } from "vitest";
import type { Role } from "../../../sync/entities/entity.ts";
import { mutations } from "../../../sync/entities/index.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { plainMutations } from "../../../sync/testing/examples.ts";
import { sampled } from "../../../sync/testing/lane.ts";
import {
	exampleMessages,
	message,
	saleArgs,
} from "../../../sync/testing/shop.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { fill } from "../../testing/operations.ts";
import { plainOperations } from "../../testing/plain-operations.ts";
import { openTestServer } from "../../testing/server.ts";
import { addAdmin, compareQuickly, targets } from "./testing/attacks.ts";

/** The callers allowed for each operation: members' roles by initial, K for an AI gateway key, A for an administrator. */
const mayAsk: Record<string, string> = {
	// The owner of the only shop: it comes before others register.
	"GET /api/server": "OA",
	"GET /healthz": "anyone",
	"GET /readyz": "anyone",
	// With a token that the operator chose, and otherwise nobody.
	"GET /metrics": "anyone",
	"GET /api/setup": "anyone",
	"POST /api/setup": "anyone",
	"POST /api/setup/demo": "anyone",
	"POST /login": "anyone",
	"POST /logout": "anyone",
	"POST /api/auth/mobile-login": "anyone",
	"POST /api/auth/register": "anyone",
	"GET /api/releases": "anyone",
	"GET /api/latest-release": "anyone",
	"GET /api/openapi.json": "anyone",
	"GET /api/docs": "anyone",
	// A customer with a receipt's link.
	"GET /r/:id": "anyone",

	"GET /api/session": "OMCA",
	"GET /api/sessions": "OMCA",
	"DELETE /api/sessions/:id": "OMCA",
	"GET /api/business": "OMC",
	"GET /api/admin/stats": "A",
	"GET /api/reviews": "A",
	"GET /api/reviews/:id": "A",

	"PATCH /api/business": "O",
	"GET /api/members": "OM",
	"POST /api/members": "O",
	"PATCH /api/members/:id": "O",
	"POST /api/members/:id/pin": "O",
	"GET /api/till/staff": "OMC",
	"GET /api/devices": "OM",
	"GET /api/products": "OMC",
	"POST /api/products": "OM",
	"GET /api/products/:id": "OMC",
	"PATCH /api/products/:id": "OM",
	"GET /api/inactive-products": "OMC",
	"GET /api/products.csv": "OMC",
	"POST /api/imports/products": "OM",
	"POST /api/imports/products/sample": "OM",
	"POST /api/products/:id/picture": "OM",
	"GET /api/pictures/:id": "OMC",
	"GET /api/products/:id/movements": "OMC",
	"GET /api/products/:id/last-count": "OMC",
	"POST /api/products/:id/movements": "OM",
	"GET /api/sales-history": "OMC",
	"GET /api/sales-history.csv": "OMC",
	"GET /api/inbox": "OMC",
	"GET /api/inbox/groups": "OMC",
	"GET /api/inbox/dismissed": "OMC",
	"POST /api/inbox/dismiss": "OM",
	"POST /api/inbox/reopen": "OM",
	"GET /api/products/by-code": "OMC",
	"GET /api/products/:id/codes": "OMC",
	"POST /api/products/:id/codes": "OM",
	"GET /api/product-codes": "OMC",
	"GET /api/product-codes/:id": "OMC",
	"DELETE /api/product-codes/:id": "OM",
	"GET /api/products/:id/packs": "OMC",
	"POST /api/products/:id/packs": "OM",
	"GET /api/product-packs": "OMC",
	"GET /api/product-packs/:id": "OMC",
	"PATCH /api/product-packs/:id": "OM",
	"DELETE /api/product-packs/:id": "OM",
	"GET /api/categories": "OMC",
	"POST /api/categories": "OM",
	"GET /api/categories/:id": "OMC",
	"PATCH /api/categories/:id": "OM",
	"GET /api/sales": "OMC",
	"POST /api/sales": "OMC",
	"GET /api/sales/:id": "OMC",
	"POST /api/sales/:id/refunds": "OMC",
	"POST /api/sales/:id/void": "OMC",
	"GET /api/shifts": "OMC",
	"POST /api/shifts": "OMC",
	"GET /api/shifts/current": "OMC",
	"GET /api/shifts/:id": "OMC",
	"GET /api/shifts/:id/sums": "OM",
	"POST /api/shifts/:id/close": "OMC",
	"GET /api/counts": "OMC",
	"POST /api/counts": "OMC",
	"GET /api/counts/:id": "OMC",
	"GET /api/counts/:id/differences": "OM",
	"POST /api/counts/:id/looks": "OMC",
	"POST /api/counts/:id/entries": "OMC",
	"POST /api/counts/:id/close": "OM",
	"GET /api/suppliers/:id/entries": "OM",
	"POST /api/suppliers/:id/payments": "OM",
	"GET /api/products/:id/costs": "OM",
	"POST /api/cash-movements": "OMC",
	"POST /api/drawer-openings": "OMC",
	"GET /api/customers/totals": "OMC",
	"GET /api/customers/by-phone": "OMC",
	"POST /api/customers/:id/merge": "OM",
	"GET /api/customers/:id/data": "OM",
	"GET /api/payments": "OM",
	"GET /api/customers/:id/statement": "OMC",
	"DELETE /api/customers/:id/data": "O",
	"PATCH /api/customers/:id/limit": "OM",
	"GET /api/customers/:id/payments": "OMC",
	"POST /api/customers/:id/payments": "OMC",
	"POST /api/customers/:id/payouts": "OMC",
	"POST /api/customers/:id/adjustments": "OM",
	"GET /api/layaways/kept": "OMC",
	"GET /api/layaways/:id/receipt": "OMC",
	"POST /api/layaways/:id/cancel": "OMC",
	"POST /api/layaways/:id/complete": "OMC",
	"POST /api/imports/statement": "OM",
	"POST /api/statements/pdf": "OM",
	"GET /api/statements/totals": "OM",
	"GET /api/statements/match": "OM",
	"GET /api/statements/match.csv": "OM",
	"GET /api/dashboard": "OMC",
	"GET /api/reports/period": "OMC",
	"GET /api/shift-days/:id": "OM",
	"GET /api/shift-days.csv": "OM",
	"GET /api/reports/money": "OM",
	"GET /api/reports/money.csv": "OM",
	"GET /api/reports/products": "OMC",
	"GET /api/reports/categories": "OMC",
	"GET /api/reports/letter": "OMC",
	"GET /api/reports/tax": "OMC",
	"GET /api/reports/tax.csv": "OMC",
	"GET /api/reports/accounting.csv": "OM",
	"GET /api/receipts": "OMC",
	"GET /api/receipts/:id": "OMC",
	"GET /api/notifications": "OMC",
	"POST /api/notifications": "OMC",
	"PATCH /api/notifications": "OMC",
	"POST /api/notifications/sync": "OMC",
	"GET /api/notifications/preferences": "OMC",
	"PATCH /api/notifications/preferences": "OMC",
	"POST /api/reviews": "OMC",
	"POST /api/sync": "OMC",
	"GET /api/sync": "OMC",
	"GET /api/sync/snapshot": "OMC",
	"GET /api/sync/older-facts": "OMC",
	"GET /api/sync/older-sales": "OMC",
	"GET /api/sync/answer": "OMC",
	"GET /api/usage": "O",
	"GET /api/ai/limits": "O",
	"PATCH /api/ai/limits": "O",
	"PATCH /api/ai/limits/:id": "O",
	"GET /api/usage/calls": "O",
	"GET /api/admin/ai": "A",
	"PATCH /api/admin/ai/:id": "A",
	"GET /api/keys": "O",
	"POST /api/keys": "O",
	"POST /v1/chat/completions": "OMK",
	"POST /v1/embeddings": "OMK",
	"POST /v1/messages": "OMK",
	"POST /v1/messages/count_tokens": "OMK",
	"POST /v1/responses": "OMK",
	"GET /v1/responses/*id": "OMCK",
	"DELETE /v1/responses/*id": "OMCK",
	"GET /v1/queue/*id": "OMCK",
	"DELETE /v1/queue/*id": "OMCK",
	"GET /v1/models": "OMCK",
	"GET /v1/models/*id": "OMCK",

	// Last, because they remove records that the others need.
	"DELETE /api/notifications": "OMC",
	"DELETE /api/notifications/:id": "OMC",
	"DELETE /api/categories/:id": "OM",
	"DELETE /api/products/:id": "OM",
	"DELETE /api/keys/:id": "O",
	"DELETE /api/members/:id/pin": "O",
	"DELETE /api/members/:id": "O",

	// Records that nothing depends on: all members read them, managers change them.
	...Object.fromEntries(
		plainOperations.map(({ name }) => [
			name,
			name.startsWith("GET ") ? "OMC" : "OM",
		]),
	),
	"POST /api/customers": "OMC",
	"PATCH /api/customers/:id": "OMC",
	"POST /api/layaways": "OMC",
	"GET /api/suppliers": "OM",
	"GET /api/suppliers/:id": "OM",
	"GET /api/deliveries": "OM",
	"GET /api/deliveries/:id": "OM",
	"POST /api/taxes": "O",
};

/** Operations decided by the record or its business, or by the owner's AI settings, not by the caller's role in their first business. */
const decidedByRecord = [
	// All members set their own PIN.
	"POST /api/members/:id/pin",
	"DELETE /api/members/:id/pin",
	"PATCH /api/products/:id",
	"DELETE /api/products/:id",
	"POST /v1/chat/completions",
	"POST /v1/embeddings",
	"POST /v1/messages",
	"POST /v1/messages/count_tokens",
	"POST /v1/responses",
];

const letterOf: Record<Role, string> = {
	OWNER: "O",
	MANAGER: "M",
	CASHIER: "C",
};

async function openShop({ isFilled = true } = {}) {
	compareQuickly("correct horse");
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	if (isFilled) await fill(server, asha, "own");
	const { businessId } = asha;
	const join = (name: string, role: Role) =>
		server.addUser(name, { businessId, role });
	const { key } = await server.shop.store.write((tx) =>
		apiKeys(tx).create(server.shop.env, {
			businessId,
			userId: asha.id,
			name: "Report",
			monthlyBudget: null,
			requestsPerMinute: null,
		}),
	);
	return {
		server,
		asha,
		members: {
			C: await join("Chege", "CASHIER"),
			M: await join("Mumbi", "MANAGER"),
			O: asha,
		},
		admin: await addAdmin(server),
		key,
	};
}

test("each operation accepts exactly its allowed callers, and its description says so", async () => {
	const { server, members, admin, key } = await openShop();
	const all = targets(server);
	// A new operation needs an entry here.
	expect(all.map(({ name }) => name).sort()).toEqual(
		Object.keys(mayAsk).sort(),
	);
	const byName = new Map(all.map((target) => [target.name, target]));

	const tried = new Set(sampled(Object.keys(mayAsk), 4));
	for (const [name, may] of Object.entries(mayAsk)) {
		const target = byName.get(name);
		if (!target) throw new Error(name);
		const { method, path, body, access, operation } = target;
		if (!decidedByRecord.includes(name) && /member|gateway/.test(access)) {
			const declared = (operation.roles ?? ["OWNER", "MANAGER", "CASHIER"])
				.map((role) => letterOf[role])
				.join("");
			expect(`${name}: ${declared}`).toBe(`${name}: ${may.replace("K", "")}`);
		}
		if (!tried.has(name)) continue;
		const answers: string[] = [];
		const ask = async (
			who: string,
			headers: Record<string, string>,
			isRefused: (status: number) => boolean,
		) => {
			const { status } = await server.ask(method, path, { body, headers });
			if (!isRefused(status)) answers.push(who);
		};
		const isUnauthorized = (status: number) => status === 401;
		const isKept = (status: number) => status === 401 || status === 403;
		const isOpen = may === "anyone";
		await ask("nobody", {}, isOpen ? () => true : isUnauthorized);
		const takesBearer = access === "member" || access === "gateway";
		if (!isOpen) {
			// From the least privileged, who change nothing, to the most.
			for (const [letter, member] of Object.entries(members)) {
				const { bearer, cookie } = member;
				await ask(letter, { cookie }, isKept);
				const isToBe = may.includes(letter) && takesBearer;
				if (!isToBe)
					await ask(`${letter}'s bearer`, { authorization: bearer }, isKept);
			}
			await ask("A", { cookie: admin.cookie }, isKept);
			await ask("A's bearer", { authorization: admin.bearer }, isKept);
			await ask("K", { authorization: `Bearer ${key}` }, isUnauthorized);
			const letters = [..."CMOAK"].filter((letter) => may.includes(letter));
			expect(`${name}: ${answers}`).toBe(`${name}: ${letters}`);
		}
	}
});

test("a person with two businesses has a separate role in each", async () => {
	const { server, members } = await openShop();
	const baraka = await server.addUser("Baraka");
	await fill(server, baraka, "other");
	const { id } = members.C;
	// Cashier in the first business, owner in the second.
	const [there] = await server.rows(
		"SELECT business_id FROM products WHERE business_id = ?",
		baraka.businessId,
	);
	await server.shop.store.write(async (tx) => {
		await tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'OWNER', '2099-01-01T00:00:00.000Z')",
			there?.business_id as string,
			id,
		);
		await tx.run(
			"UPDATE products SET id = 'theirs' WHERE business_id = ?",
			baraka.businessId,
		);
	});
	const rename = (product: string) =>
		server.ask("PATCH", `/api/products/${product}`, {
			as: members.C,
			body: { name: "Renamed" },
		});
	expect((await rename("product")).status).toBe(403);
	expect((await rename("theirs")).status).toBe(200);
});

/** The roles that may push each mutation. A recorded sale is never refused, by any member or at any price. */
const mayPush: Record<string, string> = {
	"business.backdate": "OM",
	"business.update": "O",
	"category.create": "OM",
	"category.update": "OM",
	"category.delete": "OM",
	"product.create": "OM",
	"product.update": "OM",
	"product.delete": "OM",
	"stock.adjust": "OM",
	"sale.create": "OMC",
	"sale.refund": "OMC",
	"sale.void": "OMC",
	"inbox.dismiss": "OM",
	"inbox.reopen": "OM",
	"review.create": "OMC",
	...Object.fromEntries(plainMutations.map(({ name }) => [name, "OM"])),
	"customer.create": "OMC",
	"customer.update": "OMC",
	"customer.erase": "O",
	"payment.collect": "OMC",
	"payment.adjust": "OM",
	"payment.payout": "OMC",
	"layaway.create": "OMC",
	"layaway.cancel": "OMC",
	"shift.open": "OMC",
	"shift.close": "OMC",
	"count.open": "OMC",
	"count.look": "OMC",
	"count.enter": "OMC",
	"count.close": "OM",
	"supplier.create": "OM",
	"supplier.update": "OM",
	"supplier.delete": "OM",
	"delivery.create": "OM",
	"payment.remit": "OM",
	"cash.move": "OMC",
	"drawer.open": "OMC",
	"cart.remove": "OMC",
	"pin.lock": "OMC",
	"statement.import": "OM",
	"tax.set": "O",
};

test("a till's mutations are applied if the member's role allows them, and otherwise rejected and logged [PERM-1]", async () => {
	expect(Object.keys(mayPush).sort()).toEqual(
		mutations.map(({ name }) => name).sort(),
	);
	for (const letter of ["C", "M", "O"] as const) {
		const { server, members } = await openShop({ isFilled: false });
		// A clock a year ahead doesn't date the sale in the future.
		const at = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();
		const cheap = saleArgs("cheap", [{ productId: "product", price: 0.01 }]);
		const pushed = [
			...exampleMessages(),
			message("cheap", saleCreate.name, cheap),
		].map((made) => ({ ...made, at }));
		const { body } = await server.ask("POST", "/api/sync", {
			as: members[letter],
			body: { deviceId: "till", mutations: pushed },
		});
		const { results } = body as {
			results: { status: string; error?: { code: string } }[];
		};
		for (const [i, { name }] of pushed.entries()) {
			const { status, error } = results[i] ?? {};
			const told = `${name} by ${letter}: ${status} ${error?.code}`;
			if (!mayPush[name]?.includes(letter))
				expect(told).toBe(`${name} by ${letter}: rejected forbidden`);
			else expect(told).toBe(`${name} by ${letter}: applied undefined`);
		}
		const rows = await server.rows(
			"SELECT id FROM mutations WHERE device_id = 'till'",
		);
		expect(rows).toHaveLength(pushed.length);
		const [sale] = await server.rows(
			"SELECT created_at, total FROM sales WHERE id = 'cheap'",
		);
		expect(String(sale?.created_at) <= new Date().toISOString()).toBe(true);
		// The till's price stands, and the inbox reports its clock.
		expect(sale?.total).toBe(10_000);
		const inbox = await server.ask("GET", "/api/inbox", { as: members.O });
		expect(inbox.text).toContain('"cause":"clock"');
	}
});

test("no request changes or deletes a recorded fact [FACT-3] [LOG-1]", async () => {
	const { server, members } = await openShop();
	const log = () =>
		server.rows("SELECT * FROM mutations ORDER BY business_id, id");
	const before = await log();
	expect(before.length).toBeGreaterThan(4);
	for (const { method, path, body, access } of sampled(targets(server), 3))
		await server.ask(method, path, {
			body,
			headers:
				access === "member"
					? { authorization: members.O.bearer }
					: { cookie: members.O.cookie },
		});
	const after = await log();
	expect(after.length).toBeGreaterThan(before.length);
	expect(after).toEqual(expect.arrayContaining(before));
});
