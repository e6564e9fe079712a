import type { Role } from "../../../../sync/entities/entity.ts";
import type { MutationArgs } from "../../../../sync/entities/index.ts";
import type { Queries } from "../../../../sync/queries/index.ts";
import type { ShopClient } from "../../shop/client.ts";
import { openShopClient } from "../../shop/shop-client.ts";

/* A page with nothing but its device's shop, controlled by a test. */

let client: ShopClient | undefined;

const calls = {
	async open(businessId: string, userId: string, name: string, role: Role) {
		const { shop, opened } = openShopClient({
			businessId,
			member: () => ({ userId, name, role }),
			cashier: () => undefined,
			onPaused: () => {},
		});
		client = shop;
		await opened;
		return client.standing();
	},
	standing: () => client?.standing(),
	tryNow: () => client?.tryNow(),
	ask: (query: keyof Queries, args: object) =>
		client?.ask(query, args as never),
	make: (name: keyof MutationArgs, args: object) =>
		client?.mutate(name, args as never),
	/** Sells one milk. @returns the sale's id once it is durable here */
	async sell() {
		const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
		const line = { id: "1", productId: "milk", name: "Milk", quantity: 1 };
		await client?.mutate("sale.create", {
			id,
			items: [{ ...line, price: 65, cost: 50 }],
			paymentMethod: "CASH",
		});
		return id;
	},
	/** This window's cart and the held sales. */
	carts: async () => [
		await client?.carts.read(),
		...((await client?.carts.held()) ?? []),
	],
	discard: (id: string) => client?.discard(id),
	close: () => client?.close(),
};
export type PageCalls = typeof calls;

Object.assign(window, { calls });
