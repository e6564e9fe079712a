import { writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { createBusiness } from "../../entities/business.ts";
import { productCreate } from "../../entities/product.ts";
import { saleCreate } from "../../entities/sale.ts";
import { newId, systemEnv } from "../../protocol/ids.ts";
import { openReplica } from "../../replica/replica.ts";
import { openShop, type Shop } from "../../shop.ts";
import { testBusiness } from "../../testing/business.ts";
import { openSqlite } from "../sqlite.ts";
import type { Store } from "../store.ts";
import { caller, files, transportTo } from "./shop-files.ts";

/*
 * A test's child process: a server's shop and a till's replica of it, in files of one directory, sell until they have
 * made enough sales. Each acknowledged sale is reported on standard output.
 */

const [dir = "", level = "FULL", count = "0"] = process.argv.slice(2);
const sales = Number(count);
/** Checkpoints often, so that the database file is written during the sales too; by default that happens at 16 MB. */
const checkpointPages = 60;

/** The store hides its connection, so a patched method collects it. */
const connections = new Set<Database.Database>();
const { pragma } = Database.prototype;
Database.prototype.pragma = function (this: Database.Database, ...args) {
	connections.add(this);
	return pragma.apply(this, args);
};

async function open(name: string): Promise<Store> {
	connections.clear();
	const store = await openSqlite(join(dir, name));
	for (const connection of connections) {
		connection.pragma(`wal_autocheckpoint = ${checkpointPages}`);
		if (level !== "FULL") connection.pragma(`synchronous = ${level}`);
	}
	return store;
}

async function openBoth() {
	const stores = [await open(files.server), await open(files.till)] as const;
	const shop = openShop({ store: stores[0] });
	const till = await openReplica({
		store: stores[1],
		businessId: caller.businessId,
		transport: transportTo(shop),
	});
	return {
		shop,
		till,
		async close() {
			for (const store of stores) await store.close();
		},
	};
}

async function sell(at: Shop, where: string): Promise<void> {
	const id = newId(systemEnv);
	const line = { name: "Milk", quantity: 1, price: 65, cost: 58 };
	await at.mutate(caller, saleCreate, {
		id,
		items: [{ ...line, id: "1", productId: "milk" }],
	});
	writeSync(1, `${where} ${id}\n`);
}

let { shop, till, close } = await openBoth();
await shop.store.write((tx) =>
	createBusiness(tx, testBusiness(caller.businessId)),
);
await shop.mutate(caller, productCreate, {
	id: "milk",
	name: "Milk",
	buyingPrice: 58,
	sellingPrice: 65,
	quantity: sales * 10,
});
await till.sync();
for (let n = 1; n <= sales; n += 1) {
	await sell(till, "till");
	// Some sales share a commit.
	await Promise.all(
		Array.from({ length: n % 4 === 0 ? 4 : 1 }, () => sell(shop, "server")),
	);
	if (n % 6 === 0) await till.sync();
	if (n % Math.ceil(sales / 3) === 0) {
		await close();
		({ shop, till, close } = await openBoth());
	}
}
// Marks the end, so that an aborted recording is noticed.
writeSync(1, "done\n");
process.kill(process.pid, "SIGKILL");
