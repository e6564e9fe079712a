import { expect, test } from "vitest";
import { inboxDismiss } from "../entities/inbox.ts";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { saleCount } from "../queries/sale.ts";
import { foldTallies } from "../queries/tallies.ts";
import { openShop } from "../shop.ts";
import {
	openTestShop,
	openTestTill,
	salesOf,
	testLine,
} from "../testing/shop.ts";
import { judgeSums } from "./report-sums.ts";
import { Witness } from "./witness.ts";

const dayMs = 24 * 3_600_000;
const smallSnapshots = { partRows: 2, blockVersions: 4 };

/** A till that has counted an older sale in its sums while it waited to be sorted out, and has let it go since. */
async function openTillThatLetGo() {
	const server = await openTestShop();
	const { shop, store, env, caller } = server;
	const sell = (id: string, quantity: number) => {
		const line = { id: "1", name: "milk", price: 100, cost: 60 };
		const items = [{ ...line, productId: "milk", quantity }];
		return shop.mutate(caller, saleCreate, { id, items });
	};
	env.pass(-180 * dayMs);
	const milk = { buyingPrice: 60, sellingPrice: 100, quantity: 10 };
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "milk",
		...milk,
	});
	await sell("oversold", 20);
	env.pass(180 * dayMs);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 300"));
	await sell("new", 1);
	const windowed = openShop({ store, env, snapshotSize: smallSnapshots });
	const one = await openTestTill(server, {
		...{ line: testLine(windowed, caller, true), windowDays: 90 },
	});
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new", "oversold"]);
	await foldTallies(one.store, "shop-1", "2026-11-20");
	const ids = (await server.rows("SELECT id FROM inbox_items")).map(
		({ id }) => id as string,
	);
	await shop.mutate(caller, inboxDismiss, { ids, reason: "Counted" });
	env.pass(dayMs);
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new"]);
	one.line.online = false;
	const known = await one.till.ask(caller, saleCount, {});
	expect(known).toEqual({ total: 2 });
	return one;
}

async function judgeOne(spoil: string): Promise<string[]> {
	const { store, till } = await openTillThatLetGo();
	await store.write((tx) => tx.run(spoil));
	const witness = new Witness(false);
	const businessId = "shop-1";
	await judgeSums(witness, { machine: { store }, businessId, replica: till });
	return witness.violations.map(({ rule }) => rule);
}

test("sums may count a sale that a till has let go", async () => {
	expect(await judgeOne("UPDATE tallies SET sales = sales")).toEqual([]);
});

test("a wrong sum of a day of the till's window is noticed", async () => {
	const spoil =
		"UPDATE tally_days SET revenue = revenue + 1 WHERE kind = 'd' AND day = (SELECT max(day) FROM tally_days)";
	expect(await judgeOne(spoil)).toEqual(["a report's sums are wrong"]);
});
