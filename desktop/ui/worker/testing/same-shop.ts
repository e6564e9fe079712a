import { createBusiness } from "../../../../sync/entities/business.ts";
import { productCreate } from "../../../../sync/entities/product.ts";
import { saleCreate } from "../../../../sync/entities/sale.ts";
import type { Caller } from "../../../../sync/log/log.ts";
import type { Env } from "../../../../sync/protocol/ids.ts";
import { openReplica } from "../../../../sync/replica/replica.ts";
import type { Transport } from "../../../../sync/replica/transport.ts";
import type { Store } from "../../../../sync/store/store.ts";
import { testBusiness } from "../../../../sync/testing/business.ts";

/** Makes the same sales in any store. @returns the shop's digest */
export async function sellIn(store: Store): Promise<string> {
	let byte = 0;
	const env: Env = {
		now: () => Date.parse("2026-11-20T09:00:00.000Z"),
		randomBytes: (count) =>
			Uint8Array.from({ length: count }, () => {
				byte = (byte * 5 + 1) % 256;
				return byte;
			}),
	};
	const businessId = "shop-1";
	await store.write((tx) =>
		createBusiness(tx, testBusiness(businessId, "Duka la Njeri")),
	);
	const transport = {} as Transport;
	const replica = await openReplica({ store, businessId, transport, env });
	const caller: Caller = {
		businessId,
		userId: null,
		role: "OWNER",
		deviceId: null,
	};
	await replica.mutate(caller, productCreate, {
		id: "milk",
		name: "Maziwa 牛奶",
		buyingPrice: 60,
		sellingPrice: 100,
		quantity: 10,
	});
	const line = { name: "Milk", price: 100, cost: 60, productId: "milk" };
	for (let i = 0; i < 5; i += 1)
		await replica.mutate(caller, saleCreate, {
			id: `sale-${i}`,
			items: [{ id: "1", quantity: 1.5, ...line }],
		});
	return replica.digest();
}
