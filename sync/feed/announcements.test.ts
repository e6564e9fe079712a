import { describe, expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { openShop, type SyncServer } from "../shop.ts";
import type { Store } from "../store/store.ts";
import { addBusiness, message, openTestShop } from "../testing/shop.ts";
import { openHeadNotifier } from "./head-notifier.ts";

/** A shop that shares its database with another process, simulated by its announcements. */
async function openBeside() {
	const { store, env, caller } = await openTestShop();
	await store.write((tx) => addBusiness(tx, "shop-2"));
	const announced: string[] = [];
	const hear: ((note: string | undefined) => void)[] = [];
	const faults: unknown[] = [];
	const beside: Store = {
		read: (fn) => store.read(fn),
		write: (fn, options) => store.write(fn, options),
		announce: (note) => announced.push(note),
		onAnnounced: (listener) => hear.push(listener),
		assertInPlace: () => store.assertInPlace(),
		close: () => store.close(),
	};
	const shop = openShop({
		store: beside,
		env,
		onFault: (error) => faults.push(error),
	});
	const make = (of: SyncServer, id: string, businessId = "shop-1") =>
		of.push(
			{ ...caller, businessId },
			{ mutations: [message(id, "category.create", { id, name: id })] },
		);
	/** The other process, whose writes this shop does not see. */
	const other = openShop({ store, env });
	return { shop, other, caller, make, announced, hear, faults };
}

describe("processes on one database", () => {
	test("a process announces each move of a head once, with its business [HEAD-5]", async () => {
		const { shop, caller, make, announced } = await openBeside();
		await make(shop, "a");
		await make(shop, "a");
		await make(shop, "b");
		await make(shop, "c", "shop-2");
		await shop.mutate(caller, categoryCreate, { id: "d", name: "D" });
		expect(announced).toEqual([
			...['["shop-1",2]', '["shop-1",3]', '["shop-2",2]', '["shop-1",4]'],
		]);
	});

	test("a process subscribes once to the others' announcements, at its first listener", async () => {
		const { shop, hear } = await openBeside();
		expect(hear).toHaveLength(0);
		const ends = [1, 2].map(() => shop.onHead("shop-1", () => {}));
		expect(hear).toHaveLength(1);
		for (const end of ends) end();
		shop.onHead("shop-1", () => {});
		expect(hear).toHaveLength(1);
	});

	test("a process notifies its listeners of another's move without announcing it again", async () => {
		const { shop, announced, hear, faults } = await openBeside();
		const heard: string[] = [];
		shop.onHead("shop-1", (head) => heard.push(`1:${head}`));
		shop.onHead("shop-2", (head) => heard.push(`2:${head}`));
		for (const note of ['["shop-1",7]', '["shop-2",4]', '["shop-1",7]'])
			hear[0]?.(note);
		expect(heard).toEqual(["1:7", "2:4"]);
		expect([announced, faults]).toEqual([[], []]);
	});

	test("a process reads the heads again after announcements may have been lost [HEAD-5]", async () => {
		const { shop, other, make, hear } = await openBeside();
		const heard: string[] = [];
		shop.onHead("shop-1", (head) => heard.push(`1:${head}`));
		shop.onHead("shop-2", (head) => heard.push(`2:${head}`));
		await make(other, "a");
		await make(other, "b");
		await make(other, "c", "shop-2");
		expect(heard).toEqual([]);
		hear[0]?.(undefined);
		await expect.poll(() => heard).toEqual(["1:3", "2:2"]);
	});

	test.each([
		"nonsense",
		"{}",
		'["shop-1"]',
		'["shop-1","2"]',
		'["shop-1",1.5]',
	])("a process skips an unreadable announcement: %s", async (note) => {
		const { shop, hear, faults } = await openBeside();
		const heard: number[] = [];
		shop.onHead("shop-1", (head) => heard.push(head));
		hear[0]?.(note);
		expect([heard, faults.length]).toEqual([[], 1]);
		hear[0]?.('["shop-1",2]');
		expect(heard).toEqual([2]);
	});
});

describe("listeners to heads", () => {
	test("a listener hears of each head of its business once, until it ends", () => {
		const heads = openHeadNotifier();
		const heard: string[] = [];
		const listen = (name: string, businessId: string) =>
			heads.listen(businessId, (head) => heard.push(`${name} ${head}`));
		const endA = listen("a", "shop-1");
		listen("b", "shop-1");
		const endC = listen("c", "shop-2");
		expect(heads.listenedTo()).toEqual(["shop-1", "shop-2"]);
		expect(heads.notify("shop-1", 2)).toBe(true);
		expect(heads.notify("shop-1", 2)).toBe(false);
		expect(heads.notify("shop-2", 2)).toBe(true);
		expect(heads.notify("shop-3", 2)).toBe(true);
		endA();
		endC();
		expect(heads.listenedTo()).toEqual(["shop-1"]);
		heads.notify("shop-1", 3);
		heads.notify("shop-2", 3);
		expect(heard).toEqual(["a 2", "b 2", "c 2", "b 3"]);
	});
});
