import { join } from "node:path";
import { onTestFinished } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { inFile, openTestServer, type TestUser } from "./server.ts";

/** Opens a server that sells milk, in a file by default, and a connection that tests can redirect to another server. */
export async function openMilkShop(
	env: NodeJS.ProcessEnv = inFile,
	quantity = 10,
) {
	const server = await openTestServer(env);
	const asha = await server.addUser("Asha");
	await server.shop.mutate(asha.caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 60,
		sellingPrice: 100,
		quantity,
	});
	return { server, asha, line: { url: server.url } };
}

/** Opens a till with its own database that syncs with its server over real HTTP. */
export async function openTestTill(asha: TestUser, line: { url: string }) {
	const file = join(testDir(), "till.db");
	const store = await openSqlite(file);
	onTestFinished(() => store.close());
	const { caller } = asha;
	const token = asha.bearer.replace("Bearer ", "");
	const server = () =>
		httpTransport({
			baseUrl: line.url,
			businessId: asha.businessId,
			token: () => token,
		});
	const till = await openReplica({
		store,
		businessId: asha.businessId,
		transport: {
			push: (request) => server().push(request),
			pull: (cursor, limit) => server().pull(cursor, limit),
			watch: (onMove, signal) => server().watch(onMove, signal),
			isReachable: () => server().isReachable(),
			digest: () => server().digest(),
			blocks: () => server().blocks(),
			blockRows: (block) => server().blockRows(block),
		},
	});
	await till.sync();
	return {
		till,
		store,
		file,
		async sell(quantity: number): Promise<string> {
			const id = newId(till.env);
			const milk = { id: "1", name: "Milk", productId: "milk" };
			await till.mutate(caller, saleCreate, {
				id,
				items: [{ ...milk, quantity, price: 100, cost: 60 }],
			});
			return id;
		},
	};
}
