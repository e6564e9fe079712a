import { describe, expect, test } from "vitest";
import { categoryCreate, categoryUpdate } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { proofAt } from "../log/chain.ts";
import { readHistory } from "../log/history.ts";
import { writeOutArgs } from "../log/logged-args.ts";
import type { Connection } from "../store/store.ts";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { decompress } from "./compressed-rows.ts";
import { readFeed } from "./feed.ts";
import { type FeedCache, openFeedCache } from "./feed-cache.ts";

/** A connection that pauses before its nth read. */
function pausing(tx: Connection, n: number) {
	const reached = Promise.withResolvers<void>();
	const goOn = Promise.withResolvers<void>();
	let reads = 0;
	async function pause(): Promise<void> {
		reads += 1;
		if (reads !== n) return;
		reached.resolve();
		await goOn.promise;
	}
	const paused: Connection = {
		...tx,
		run: tx.run,
		savepoint: tx.savepoint,
		async get(sql, ...params) {
			await pause();
			return tx.get(sql, ...params);
		},
		async all(sql, ...params) {
			await pause();
			return tx.all(sql, ...params);
		},
	};
	return { paused, reached: reached.promise, goOn: goOn.resolve };
}

/** The answers of the cache and of the database in one transaction. */
async function ask(
	tx: Connection,
	tail: FeedCache,
	version: number,
	through = tx,
) {
	const { epoch } = await readHistory(tx, 0);
	const proof = await proofAt(tx, "shop-1", version);
	const cursor = { epoch, version, proof };
	const kept = await tail.read(through, "shop-1", epoch, cursor, 3);
	return {
		kept: decompress(kept),
		fresh: await readFeed(tx, "shop-1", epoch, cursor, 3),
	};
}

const both = ({ store }: TestShop, tail: FeedCache, version: number) =>
	store.read((tx) => ask(tx, tail, version));

let made = 0;

async function change(server: TestShop, what: string): Promise<void> {
	const { shop, caller } = server;
	made += 1;
	const set = { name: `Name ${made}` };
	if (what === "a sale") {
		const args = saleArgs(`s-${made}`, [{ productId: "milk" }]);
		await pushOne(server, message(`m-${made}`, "sale.create", args));
	} else if (what === "a category's name")
		await shop.mutate(caller, categoryUpdate, { id: "dairy", set });
}

/** Removes the links, as in a log from before there were any. */
async function unlink({ store }: TestShop): Promise<void> {
	await store.write(async (tx) => {
		await writeOutArgs(tx, "shop-1");
		await tx.run("UPDATE stored_mutations SET link = NULL");
		await tx.run("UPDATE businesses SET link = NULL");
	});
}

describe.each(["nothing", "a sale", "a category's name"])(
	"a reader that pauses while %s is written and another reader runs",
	(between) => {
		test.each([
			["at the head", true, true],
			["far behind", false, true],
			["at the head of a log without links", true, false],
			["far behind in a log without links", false, false],
		])(
			"a paused reader is answered from its own snapshot: %s",
			async (_where, isAtHead, isLinked) => {
				const server = await openTestShop();
				const { store, shop, caller } = server;
				await addMilk(server);
				await shop.mutate(caller, categoryCreate, { id: "dairy", name: "D" });
				await shop.mutate(caller, productUpdate, {
					id: "milk",
					set: { categoryId: "dairy" },
				});
				// Before it reads the head, the end of the tail, the new rows and the rows after those.
				for (const n of [1, 2, 3, 4, 5, 9, 14]) {
					if (!isLinked) await unlink(server);
					const tail = openFeedCache();
					const [first] = await server.rows("SELECT head FROM businesses");
					const top = Number(first?.head);
					await both(server, tail, top);
					await change(server, "a sale");
					if (!isLinked) await unlink(server);
					const from = isAtHead ? top : 1;
					await store.read(async (tx) => {
						const { paused, reached, goOn } = pausing(tx, n);
						// A transaction's snapshot is taken at its first read.
						await readHistory(tx, 0);
						const asked = ask(tx, tail, from, paused);
						await Promise.race([reached, asked]);
						await change(server, between);
						if (!isLinked) await unlink(server);
						const other = await both(server, tail, from);
						expect(other.kept).toEqual(other.fresh);
						goOn();
						const { kept, fresh } = await asked;
						expect(kept).toEqual(fresh);
					});
					for (let version = top - 1; version <= top + 2; version += 1) {
						const { kept, fresh } = await both(server, tail, version);
						expect(kept).toEqual(fresh);
					}
				}
			},
		);
	},
);
