import { mutations } from "../../sync/entities/index.ts";
import { readTables } from "../../sync/store/tables.ts";
import { withWord } from "../../sync/testing/examples.ts";
import { exampleMessages } from "../../sync/testing/shop.ts";
import { plainIds, plainOperations } from "./plain-operations.ts";
import { routesOf, type TestServer, type TestUser } from "./server.ts";

const at = "2026-11-20T08:00:00.000Z";
const someDays = "from=2026-11-20&to=2026-11-30";

/** Fills a shop with records whose ids are the same in every shop and whose texts are unique to it. */
export async function fill(
	{ shop }: TestServer,
	{ caller, businessId, id: userId }: TestUser,
	word: string,
): Promise<void> {
	for (const mutation of mutations)
		if (/\.(create|adjust|refund|open|look|import|set)$/.test(mutation.name))
			for (const example of mutation.examples) {
				const args = withWord(mutation.args, example, word);
				await shop.mutate(caller, mutation, args);
			}
	// The same person works in every shop.
	await shop.store.write(async (tx) => {
		await tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES ('member', 'wanjiru@example.com', 'Wanjiru', 'none', ?) ON CONFLICT (id) DO NOTHING",
			at,
		);
		await tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, 'member', 'CASHIER', ?)",
			businessId,
			at,
		);
	});
	await shop.store.write((tx) =>
		tx.run(
			"INSERT INTO api_keys (business_id, id, name, key_hash, hint, user_id, created_at) VALUES (?, 'key', ?, ?, ?, ?, ?)",
			businessId,
			word,
			`${businessId} ${word}`,
			word,
			userId,
			at,
		),
	);
	await shop.store.write((tx) =>
		tx.run(
			"INSERT INTO notifications (business_id, id, user_id, type, channel, title, message, created_at) VALUES (?, 'notification', ?, 'sales', 'server', ?, ?, ?)",
			businessId,
			userId,
			word,
			word,
			at,
		),
	);
}

/** Reads all of a business's rows, and its digest. */
export async function everythingOf(
	{ rows, shop }: TestServer,
	{ caller, businessId }: TestUser,
) {
	const tables = readTables().filter(({ columns }) =>
		columns.includes("business_id"),
	);
	return [
		await shop.digest(caller),
		...(await Promise.all(
			tables.map(({ name, key }) =>
				rows(
					`SELECT * FROM ${name} WHERE business_id = ? ORDER BY ${key.join(", ")}`,
					businessId,
				),
			),
		)),
	];
}

type Requests = Record<
	string,
	{ path?: string; body?: unknown; as?: "session" | "nobody" }
>;

/** Makes one request for each operation, by path and method; `theirs` is the other shop's business id. */
export function requests(theirs: string): Requests {
	return {
		...plainRequests(theirs),
		...accountRequests(theirs),
		...shopRequests(theirs),
		...codeAndPackRequests(theirs),
		...creditRequests(theirs),
		...statementRequests(theirs),
		...taxRequests(theirs),
		...otherRequests(theirs),
		...gatewayRequests(theirs),
		"GET /api/openapi.json": {},
		"GET /api/docs": {},
	};
}

function accountRequests(theirs: string): Requests {
	return {
		"GET /healthz": {},
		"GET /readyz": {},
		"GET /metrics": {},
		"GET /api/setup": {},
		"POST /api/setup": {
			body: {
				name: "First",
				email: "first@example.com",
				password: "12345678",
				businessId: theirs,
			},
		},
		"POST /login": {
			body: { email: "baraka@example.com", password: "guessed it" },
		},
		"POST /logout": {},
		"GET /api/session": { as: "session" },
		"GET /api/server": { as: "session" },
		"GET /api/sessions": { as: "session" },
		"DELETE /api/sessions/:id": { as: "session" },
		"POST /api/setup/demo": { body: {} },
		"POST /api/auth/mobile-login": {
			body: { email: "baraka@example.com", password: "guessed it" },
		},
		"POST /api/auth/register": {
			body: {
				name: "Other",
				email: "other@example.com",
				password: "12345678",
				businessId: theirs,
			},
		},
		"GET /api/business": { as: "session" },
		"PATCH /api/business": {
			body: { name: "Mine", id: theirs, businessId: theirs },
		},
		"GET /api/members": {},
		"POST /api/members": {
			body: {
				name: "Chege",
				email: "chege@example.com",
				password: "12345678",
				role: "CASHIER",
				businessId: theirs,
			},
		},
		"PATCH /api/members/:id": { body: { role: "MANAGER", disabled: false } },
		"DELETE /api/members/:id": {},
		"POST /api/members/:id/pin": {
			body: {
				...{ salt: "0".repeat(32), publicKey: "1".repeat(64) },
				...{ kdf: "scrypt-14-8-1", digits: 6, businessId: theirs },
			},
		},
		"DELETE /api/members/:id/pin": {},
		"GET /api/till/staff": {},
		"GET /api/devices": {},
	};
}

function shopRequests(theirs: string): Requests {
	return {
		"GET /api/products": { path: `/api/products?businessId=${theirs}&search=` },
		"POST /api/products": {
			body: { name: "New", businessId: theirs, categoryId: "category" },
		},
		"GET /api/products/:id": {},
		"PATCH /api/products/:id": {
			body: { quantity: 1, name: "Mine", businessId: theirs },
		},
		"DELETE /api/products/:id": {},
		"GET /api/inactive-products": {},
		"GET /api/products.csv": {},
		"POST /api/imports/products": { body: "name,sku\nTea,product\n" },
		"POST /api/imports/products/sample": { body: "name,sku\nTea,product\n" },
		"POST /api/products/:id/picture": {
			body: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
		},
		"GET /api/pictures/:id": {},
		"GET /api/products/:id/movements": {},
		"POST /api/products/:id/movements": {
			body: { delta: 2, reason: "count", businessId: theirs },
		},
		"GET /api/sales-history": {},
		"GET /api/sales-history.csv": {},
		"GET /api/inbox": {},
		"GET /api/inbox/groups": {},
		"GET /api/inbox/dismissed": {},
		"POST /api/inbox/dismiss": {
			body: { ids: ["item"], reason: "right", businessId: theirs },
		},
		"POST /api/inbox/reopen": { body: { ids: ["item"], businessId: theirs } },
		"GET /api/categories": {},
		"POST /api/categories": { body: { name: "New", businessId: theirs } },
		"GET /api/categories/:id": {},
		"PATCH /api/categories/:id": { body: { name: "Mine" } },
		"DELETE /api/categories/:id": {},
		"GET /api/sales": { path: "/api/sales?limit=1000000" },
		"POST /api/sales": {
			body: {
				businessId: theirs,
				items: [
					{ name: "x", quantity: 1, price: 1, cost: 1, productId: "product" },
				],
			},
		},
		"GET /api/sales/:id": {},
		"POST /api/sales/:id/refunds": {
			body: {
				reason: "x",
				restock: true,
				items: [{ itemId: "1", quantity: 1 }],
			},
		},
		"POST /api/sales/:id/void": { body: { reason: "x" } },
		"GET /api/dashboard": {},
		"GET /api/reports/period": { path: `/api/reports/period?${someDays}` },
		"GET /api/reports/products": { path: `/api/reports/products?${someDays}` },
		"GET /api/reports/categories": {
			path: `/api/reports/categories?${someDays}`,
		},
		"GET /api/reports/letter": {},
		"GET /api/receipts": { path: "/api/receipts?number=A-000001" },
		"GET /api/receipts/:id": {},
		"GET /r/:id": {},
	};
}

function codeAndPackRequests(theirs: string): Requests {
	return {
		"GET /api/products/by-code": { path: "/api/products/by-code?code=1" },
		"GET /api/products/:id/codes": {},
		"POST /api/products/:id/codes": {
			body: { code: "4006381333931", businessId: theirs },
		},
		"POST /api/labels": {
			body: { id: "product", name: "x", price: 1, businessId: theirs },
		},
		"GET /api/product-codes": {},
		"GET /api/product-codes/:id": {},
		"DELETE /api/product-codes/:id": {},
		"GET /api/products/:id/packs": {},
		"POST /api/products/:id/packs": {
			body: { name: "New", size: 6, businessId: theirs },
		},
		"GET /api/product-packs": {},
		"GET /api/product-packs/:id": {},
		"PATCH /api/product-packs/:id": { body: { name: "Mine" } },
		"DELETE /api/product-packs/:id": {},
	};
}

function taxRequests(theirs: string): Requests {
	return {
		"GET /api/reports/tax": { path: `/api/reports/tax?${someDays}` },
		"GET /api/reports/tax.csv": { path: `/api/reports/tax.csv?${someDays}` },
		"GET /api/reports/money": { path: `/api/reports/money?${someDays}` },
		"GET /api/reports/money.csv": {
			path: `/api/reports/money.csv?${someDays}`,
		},
		"GET /api/reports/accounting.csv": {
			path: `/api/reports/accounting.csv?${someDays}`,
		},
		"POST /api/taxes": {
			body: {
				...{ id: "VAT", name: "VAT", kind: "standard", businessId: theirs },
				rates: [{ from: "2021-01-01", rate: 16 }],
			},
		},
	};
}

function creditRequests(theirs: string): Requests {
	return {
		"GET /api/shifts": {},
		"POST /api/shifts": { body: { openingFloat: 500 } },
		"GET /api/shifts/current": {},
		"GET /api/shift-days/:id": {
			path: "/api/shift-days/2026-11-20",
		},
		"GET /api/shift-days.csv": { path: `/api/shift-days.csv?${someDays}` },
		"GET /api/shifts/:id": {},
		"GET /api/shifts/:id/sums": {},
		"POST /api/shifts/:id/close": {
			body: { counted: [{ method: "CASH", amount: 500 }] },
		},
		"POST /api/cash-movements": {
			body: { amount: -150, category: "expense", reason: "Charcoal" },
		},
		"POST /api/drawer-openings": { body: { reason: "Change" } },
		"GET /api/counts": {},
		"POST /api/counts": { body: { name: "Fridge", businessId: theirs } },
		"GET /api/counts/:id": {},
		"GET /api/counts/:id/differences": {},
		"GET /api/products/:id/last-count": {},
		"POST /api/counts/:id/looks": { body: { productId: "product" } },
		"POST /api/counts/:id/entries": { body: { lookId: "look", counted: 3 } },
		"POST /api/counts/:id/close": {},
		"GET /api/suppliers/:id/entries": {},
		"POST /api/suppliers/:id/payments": {
			body: { tenders: [{ method: "BANK", amount: 1 }], businessId: theirs },
		},
		"GET /api/products/:id/costs": {},
		"GET /api/customers/totals": {},
		"GET /api/customers/by-phone": {
			path: "/api/customers/by-phone?phone=0712345678",
		},
		"POST /api/customers/:id/merge": {
			body: { intoId: "double", businessId: theirs },
		},
		"GET /api/customers/:id/data": {},
		"GET /api/payments": { path: `/api/payments?${someDays}` },
		"GET /api/customers/:id/statement": {},
		"DELETE /api/customers/:id/data": {},
		"PATCH /api/customers/:id/limit": { body: { creditLimit: 1 } },
		"GET /api/customers/:id/payments": {},
		"POST /api/customers/:id/payments": {
			body: { tenders: [{ method: "CASH", amount: 1 }], businessId: theirs },
		},
		"POST /api/customers/:id/payouts": {
			body: { tenders: [{ method: "CASH", amount: 1 }], businessId: theirs },
		},
		"POST /api/customers/:id/adjustments": {
			body: { amount: 1, reason: "x", businessId: theirs },
		},
		"GET /api/layaways/kept": {},
		"GET /api/layaways/:id/receipt": {},
		"POST /api/layaways/:id/cancel": {
			body: { reason: "x", businessId: theirs },
		},
		"POST /api/layaways/:id/complete": { body: { businessId: theirs } },
	};
}

function statementRequests(theirs: string): Requests {
	const days = `${someDays}&businessId=${theirs}`;
	return {
		"POST /api/imports/statement": {
			body: "UKK1A2B3C4 Confirmed. You have received Ksh50.00 from JANE on 20/11/26 at 10:00 AM.",
		},
		"POST /api/statements/pdf": { body: "%PDF-1.7" },
		"GET /api/statements/totals": { path: `/api/statements/totals?${days}` },
		"GET /api/statements/match": { path: `/api/statements/match?${days}` },
		"GET /api/statements/match.csv": {
			path: `/api/statements/match.csv?${days}`,
		},
	};
}

function otherRequests(theirs: string): Requests {
	return {
		"GET /api/notifications": {
			path: `/api/notifications?businessId=${theirs}`,
		},
		"POST /api/notifications": {
			body: { type: "sales", title: "t", message: "m", businessId: theirs },
		},
		"PATCH /api/notifications": {
			body: { ids: ["notification"], businessId: theirs },
		},
		"DELETE /api/notifications": {},
		"POST /api/notifications/sync": {
			body: {
				readIds: ["notification"],
				deletedIds: ["notification"],
				businessId: theirs,
			},
		},
		"GET /api/notifications/preferences": {
			path: `/api/notifications/preferences?businessId=${theirs}`,
		},
		"PATCH /api/notifications/preferences": {
			body: { type: "sales", enabled: false, businessId: theirs },
		},
		"DELETE /api/notifications/:id": {},
		"GET /api/releases": {},
		"GET /api/latest-release": {},
		"GET /api/reviews": { as: "session" },
		"POST /api/reviews": { body: { rating: 1, text: "x", businessId: theirs } },
		"GET /api/reviews/:id": { as: "session" },
		"GET /api/admin/stats": { as: "session" },
		"POST /api/sync": {
			body: {
				cursor: "",
				deviceId: "device",
				// `fill` already sends the mutations that create records.
				mutations: exampleMessages().filter(
					({ name }) => !/\.(create|open)$/.test(name),
				),
			},
		},
		"GET /api/sync": {},
		"GET /api/sync/snapshot": {},
		"GET /api/sync/older-facts": { path: "/api/sync/older-facts?upTo=9" },
		"GET /api/sync/older-sales": {},
		"GET /api/sync/answer": { path: "/api/sync/answer?query=sale.totals" },
	};
}

function plainRequests(theirs: string): Requests {
	return Object.fromEntries(
		plainOperations.map(({ name, body }) => [
			name,
			body ? { body: { ...body, businessId: theirs } } : {},
		]),
	);
}

function gatewayRequests(theirs: string): Requests {
	return {
		"POST /v1/chat/completions": {
			body: {
				model: "gpt-4o",
				messages: [{ role: "user", content: "x" }],
				businessId: theirs,
			},
		},
		"POST /v1/embeddings": {
			body: {
				model: "text-embedding-3-small",
				input: "x",
				businessId: theirs,
			},
		},
		"POST /v1/messages": {
			body: {
				model: "gpt-4o",
				max_tokens: 9,
				messages: [{ role: "user", content: "x" }],
				businessId: theirs,
			},
		},
		"POST /v1/messages/count_tokens": {
			body: {
				model: "gpt-4o",
				messages: [{ role: "user", content: "x" }],
				businessId: theirs,
			},
		},
		"POST /v1/responses": {
			body: { model: "gpt-4o", input: "x", businessId: theirs },
		},
		"GET /v1/responses/*id": { path: "/v1/responses/resp_1" },
		"DELETE /v1/responses/*id": { path: "/v1/responses/resp_1" },
		"GET /v1/queue/*id": { path: "/v1/queue/queued_1" },
		"DELETE /v1/queue/*id": { path: "/v1/queue/queued_1" },
		"GET /v1/models": {},
		"GET /v1/models/*id": { path: "/v1/models/openai/gpt-4o" },
		"GET /api/usage": { path: `/api/usage?businessId=${theirs}` },
		"GET /api/usage/calls": { path: `/api/usage/calls?businessId=${theirs}` },
		"GET /api/ai/limits": {},
		"PATCH /api/ai/limits": {
			body: { monthlyBudget: 1, businessId: theirs },
		},
		"PATCH /api/ai/limits/:id": {
			body: { monthlyBudget: 1, businessId: theirs },
		},
		"GET /api/admin/ai": { as: "session" },
		"PATCH /api/admin/ai/:id": { body: { allowed: true }, as: "session" },
		"GET /api/keys": {},
		"POST /api/keys": { body: { name: "Mine", businessId: theirs } },
		"DELETE /api/keys/:id": {},
	};
}

export const idsByResource: Record<string, string> = {
	products: "product",
	categories: "category",
	sales: "sale",
	receipts: "sale",
	notifications: "notification",
	reviews: "review",
	members: "member",
	keys: "key",
	ai: "key",
	shifts: "shift",
	counts: "count",
	...plainIds,
	taxes: "VAT",
	"product-codes": "code",
	"product-packs": "pack",
};

/** Lists every mounted operation, such as `GET /api/products`. */
export function mountedOperations({ shop }: TestServer): string[] {
	return Object.entries(routesOf(shop)).flatMap(([path, operations]) =>
		Object.keys(operations).map((method) => `${method} ${path}`),
	);
}
