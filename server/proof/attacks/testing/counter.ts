import { businessUpdate } from "../../../../sync/entities/business.ts";
import {
	customerCreate,
	customerLimit,
} from "../../../../sync/entities/customer.ts";
import { productCreate } from "../../../../sync/entities/product.ts";
import type { RoleLimits } from "../../../../sync/entities/role-limits.ts";
import { saleCreate } from "../../../../sync/entities/sale.ts";
import { businessDay } from "../../../../sync/protocol/clock.ts";
import { openTestServer } from "../../../testing/server.ts";

/* A shop with a cashier who has a token and the API, and no manners. */

const limits = {
	...{ role: "CASHIER" as const, discountMax: 10, openItemMax: 100 },
	...{ refundMax: 0, voidMax: 0, cashOutMax: 100 },
	...{ mayTakeBackOthers: false, mayOpenDrawer: false },
};
const milk = { name: "Milk", quantity: 1, cost: 40, productId: "milk" };
export const now = new Date().toISOString();
/** The shop's day, which is already tomorrow in UTC's last three hours. */
export const today = businessDay(now, "Africa/Nairobi", 0);

export async function openCounter() {
	const server = await openTestServer();
	const owner = await server.addUser("Njeri");
	const { businessId } = owner;
	const cashier = await server.addUser("Chege", {
		...{ businessId, role: "CASHIER" },
	});
	const { shop } = server;
	await shop.mutate(owner.caller, productCreate, {
		...{ id: "milk", name: "Milk", buyingPrice: 40, sellingPrice: 50 },
		quantity: 1_000,
	});
	/** Sets how far the cashier may go. */
	const allow = (more: Partial<RoleLimits>) =>
		shop.mutate(owner.caller, businessUpdate, {
			set: { limits: [{ ...limits, ...more }] },
		});
	await allow({});
	await shop.mutate(owner.caller, customerCreate, {
		...{ id: "friend", name: "A friend" },
	});
	await shop.mutate(owner.caller, customerLimit, {
		...{ id: "friend", creditLimit: 10 },
	});
	const line = (price: number, more: object = {}) => ({
		...{ ...milk, id: "1", price, ...more },
	});
	await shop.mutate(owner.caller, saleCreate, {
		...{ id: "owners", items: [line(50)] },
	});
	let made = 0;
	return {
		...{ server, owner, cashier, line, allow },
		/** Posts as the cashier. @returns the status */
		async post(path: string, body: object) {
			const answer = await server.ask("POST", `/api/${path}`, {
				...{ as: cashier, body },
			});
			return answer.status;
		},
		get: (path: string) => server.ask("GET", `/api/${path}`, { as: cashier }),
		/** Pushes a mutation in the cashier's session. @returns its outcome */
		async push(name: string, args: object, more: object = {}) {
			made += 1;
			const mutation = { id: `made-${made}`, name, args, at: now, ...more };
			const { body } = await server.ask("POST", "/api/sync", {
				...{ as: cashier, body: { mutations: [mutation] } },
			});
			const { results } = body as { results: { status: string }[] };
			return results[0]?.status;
		},
		causes: async () =>
			(
				await server.rows(
					"SELECT DISTINCT cause FROM inbox_items WHERE resolution IS NULL ORDER BY cause",
				)
			).map(({ cause }) => cause),
	};
}
export type Counter = Awaited<ReturnType<typeof openCounter>>;

export const sale = (
	counter: Counter,
	id: string,
	price: number,
	more: object = {},
) => ({
	...{ id, items: [counter.line(price)], ...more },
});
