import { expect, onTestFinished } from "vitest";
import { createBusiness } from "../entities/business.ts";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { openReplica } from "../replica/replica.ts";
import type { Transport } from "../replica/transport.ts";
import { simulatedBrowser } from "../simulation/wasm-sqlite.ts";
import { openInMemory } from "../store/sqlite-wasm.ts";
import { testBusiness } from "../testing/business.ts";
import { oneIn } from "../testing/lane.ts";
import { openTill } from "./till.ts";

const test = oneIn(3);

const shop = "shop-1";
const caller = {
	...{ businessId: shop, userId: "asha", role: "OWNER" as const },
	deviceId: null,
};

/** A till in memory, as in a browser, and a function that counts the steps that SQLite takes for some work. */
async function openCountedTill() {
	const { sqlite } = await simulatedBrowser();
	const { oo1, capi } = sqlite.sqlite3;
	const { DB } = oo1;
	let pointer: number | undefined;
	oo1.DB = class extends DB {
		constructor(how: object) {
			super(how);
			// The second is the one whose content the first copies.
			pointer ??= this.pointer as number;
		}
	} as typeof DB;
	const store = await openInMemory(sqlite).finally(() => {
		oo1.DB = DB;
	});
	onTestFinished(() => store.close());
	await store.write((tx) =>
		createBusiness(tx, testBusiness(shop, "Duka la Njeri")),
	);
	const replica = await openReplica({
		...{ store, businessId: shop, transport: {} as Transport },
	});
	const till = openTill(replica, shop, {
		replica,
		syncLoop: { syncNow: async () => {}, isOnline: () => false },
		readStaff: async () => undefined,
	}).as(caller);

	async function stepsOf(work: () => Promise<unknown>): Promise<number> {
		let steps = 0;
		const count = () => {
			steps += 1;
			return 0;
		};
		capi.sqlite3_progress_handler(pointer as number, 1, count, 0);
		await work();
		capi.sqlite3_progress_handler(pointer as number, 0, 0, 0);
		return steps;
	}

	return { store, replica, till, stepsOf };
}

const saleOf = (id: string) => ({
	id,
	items: [
		{ id: "1", productId: "milk", name: "Milk", quantity: 1 },
		{ id: "2", productId: null, name: "Loose", quantity: 2 },
	].map((item) => ({ ...item, price: 65, cost: 50 })),
});

test("a sale and a read of the till's status cost as much after 3,000 sales as after one", async () => {
	const { store, replica, till, stepsOf } = await openCountedTill();
	await replica.mutate(caller, productCreate, {
		...{ id: "milk", name: "Milk", buyingPrice: 50, sellingPrice: 65 },
		quantity: 10_000,
	});
	/** Marks everything as acknowledged and pulled. */
	const settle = () =>
		store.write(async (tx) => {
			await tx.run(
				"UPDATE outbox SET state = 'acknowledged', server_version = position",
			);
			await tx.run("UPDATE replica SET cursor_version = 100000");
			await tx.run("DELETE FROM base_rows");
		});
	const sell = (id: string) =>
		stepsOf(async () => {
			const args = saleOf(id);
			const cart = { id: "w1", lines: [], note: "" };
			await till.keepCart("w1", cart, false);
			await till.mutate({
				...{ id: `made-${id}`, name: saleCreate.name, args, cartId: "w1" },
			});
			await till.standing();
			await till.stateOf(`made-${id}`);
		});
	await sell("first");
	await settle();
	const before = await sell("second");
	const many = Array.from({ length: 3_000 }, (_, i) => ({
		mutation: saleCreate,
		args: saleOf(`s${i}`),
	}));
	await replica.mutateAll(caller, many);
	await settle();
	const after = await sell("last");
	expect(before).toBeGreaterThan(500);
	expect(after).toBeLessThan(before * 1.1);
});
