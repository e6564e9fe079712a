import { describe, expect, test } from "vitest";
import { ShopError } from "../protocol/errors.ts";
import { openShop } from "../shop.ts";
import type { Store } from "../store/store.ts";
import {
	addCategories,
	addMilk,
	message,
	openTestShop,
	saleArgs,
} from "../testing/shop.ts";

const sales = (till: string, count: number) =>
	Array.from({ length: count }, (_, i) =>
		message(`${till}-${i}`, "sale.create", saleArgs(`s-${till}-${i}`)),
	);

/** A server whose long or short writes a test delays or fails. */
async function openServer(beforeWrite: (isLong: boolean) => Promise<void>) {
	const server = await openTestShop();
	await addMilk(server);
	await addCategories(server, 3);
	const store: Store = {
		read: (fn) => server.store.read(fn),
		async write(fn, options) {
			await beforeWrite(options?.isLong ?? false);
			return server.store.write(fn, options);
		},
		announce: () => {},
		onAnnounced: () => {},
		assertInPlace: () => {},
		close: async () => {},
	};
	const shop = openShop({ store, env: server.env });
	return { ...server, shop };
}

describe("while a till brings a long batch", () => {
	async function openBusy() {
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		const server = await openServer((isLong) =>
			isLong ? held : Promise.resolve(),
		);
		const { shop, caller } = server;
		const far = (await shop.pull(caller, { limit: 1 })).cursor;
		const near = await shop.head(caller.businessId);
		// From now on, the rows after this cursor are cached.
		await shop.pull(caller, { cursor: near });
		const long = shop.push(caller, { mutations: sales("long", 20) });
		return { server, far, near, release, long };
	}

	test("a till far behind gets its sale acknowledged during a long batch, and its page later [PUSH-15]", async () => {
		const { server, far, release, long } = await openBusy();
		const { shop, caller } = server;
		expect(
			await shop.push(caller, { mutations: sales("far", 1), cursor: far }),
		).toMatchObject({
			results: [{ status: "applied" }],
			...{ changes: [], cursor: far, hasMore: true, businessId: "shop-1" },
		});
		release();
		expect((await long).results).toHaveLength(20);
	});

	test("a till in sync gets new rows with its push during a long batch", async () => {
		const { server, near, release, long } = await openBusy();
		const { shop, caller } = server;
		const answer = await shop.push(caller, {
			...{ mutations: sales("near", 1), cursor: near },
		});
		expect(answer).toMatchObject({
			results: [{ status: "applied" }],
			changes: [{ entity: "sale", id: "s-near-0" }],
			hasMore: false,
		});
		release();
		await long;
	});

	test("a till without mutations or rows waits for a long batch and gets its page", async () => {
		const { server, far, release, long } = await openBusy();
		const { shop, caller } = server;
		const order: string[] = [];
		const asked = Promise.all(
			[
				{ mutations: [], deviceId: "till-1", cursor: far },
				{ mutations: sales("new", 1), cursor: "" },
			].map(async (request) => {
				const { changes } = await shop.push(caller, request);
				order.push("answered");
				return changes?.some(({ id }) => id === "milk");
			}),
		);
		await shop.push(caller, { mutations: sales("other", 1) });
		expect(order).toEqual([]);
		release();
		await long;
		expect(await asked).toEqual([true, true]);
	});

	test("ten mutations are a short batch and do not wait; eleven are a long one [PUSH-15]", async () => {
		const { server, near, release, long } = await openBusy();
		const { shop, caller } = server;
		const answered: number[] = [];
		const push = async (count: number) => {
			const mutations = sales(`of-${count}`, count);
			await shop.push(caller, { mutations, cursor: near });
			answered.push(count);
		};
		const eleven = push(11);
		await push(10);
		expect(answered).toEqual([10]);
		release();
		await Promise.all([long, eleven]);
	});
});

describe("a server that can write nothing", () => {
	async function openFull(error: Error) {
		let tries = 0;
		const server = await openServer(() => {
			tries += 1;
			return Promise.reject(error);
		});
		const tried = () => tries;
		return { ...server, tried };
	}
	const full = new ShopError("storage_full", "No room");

	test("a server with a full disk answers a pull without recording the device [PUSH-13]", async () => {
		const { shop, caller, rows } = await openFull(full);
		const push = { mutations: [], deviceId: "till-1" };
		const answer = await shop.push(caller, { ...push, cursor: "" });
		expect(answer.results).toEqual([]);
		expect(answer.changes?.[0]).toMatchObject({ entity: "business" });
		expect(answer).not.toHaveProperty("prefix");
		expect(await shop.push(caller, push)).not.toHaveProperty("changes");
		expect(await rows("SELECT id FROM devices")).toEqual([]);
	});

	test("a server with a full disk refuses a push once, with the reason", async () => {
		const { shop, caller, tried } = await openFull(full);
		for (const count of [1, 20]) {
			const before = tried();
			await expect(
				shop.push(caller, { mutations: sales("a", count) }),
			).rejects.toBe(full);
			expect(tried() - before).toBe(1);
		}
	});

	test("a server does not hide any other error of an empty push", async () => {
		const fault = new Error("A bug");
		const { shop, caller } = await openFull(fault);
		await expect(
			shop.push(caller, { mutations: [], deviceId: "till-1" }),
		).rejects.toBe(fault);
	});
});
