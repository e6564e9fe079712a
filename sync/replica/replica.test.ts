import { describe, expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { productCreate, productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { stockAdjust } from "../entities/stock.ts";
import { ShopError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import {
	addCategories,
	expectInStep,
	openTestShop,
	openTestTill,
	saleArgs,
	salesOf,
	syncStubbornly,
	twoTills,
} from "../testing/shop.ts";
import { startSyncLoop } from "./sync-loop.ts";

const dayMs = 24 * 3_600_000;

describe("a sale made offline", () => {
	test("an offline sale reaches the server and the other till exactly once [OUT-1]", async () => {
		const { server, a, b } = await twoTills();
		a.line.online = false;
		const id = await a.sell({ milk: 3 });
		await expect(a.till.sync()).rejects.toThrow("Request lost");
		expect(await a.quantityOf("milk")).toBe(7);
		expect(await b.quantityOf("milk")).toBe(10);
		a.line.online = true;
		await a.till.sync();
		await b.till.sync();
		expect(await salesOf(server)).toEqual([id]);
		expect(await salesOf(b)).toEqual([id]);
		expect(await b.quantityOf("milk")).toBe(7);
		await expectInStep(server, a, b);
		expect(await a.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	});

	test("a sale is recorded once, however many replies are lost [PUSH-3]", async () => {
		const { server, a, b } = await twoTills();
		for (let i = 0; i < 25; i += 1) await a.sell({ milk: 1 });
		a.line.lose = (trip) => (trip % 3 === 0 ? undefined : "reply");
		expect(await syncStubbornly(a)).toBeGreaterThan(1);
		await b.till.sync();
		expect(await salesOf(server)).toHaveLength(25);
		expect(await b.quantityOf("milk")).toBe(-15);
		await expectInStep(server, a, b);
	});

	test("two offline sales of the last item are both kept, with an inbox item for the shortfall [FACT-4]", async () => {
		const { server, a, b } = await twoTills();
		await a.sell({ bread: 10 });
		await b.sell({ bread: 1 });
		await a.till.sync();
		await b.till.sync();
		await a.till.sync();
		expect(await a.quantityOf("bread")).toBe(-1);
		const inbox = await a.rows("SELECT cause, quantity FROM inbox_items");
		expect(inbox).toEqual([{ cause: "oversold", quantity: 1_000_000 }]);
		await expectInStep(server, a, b);
	});

	test("an offline sale survives the till being closed before its push [OUT-1]", async () => {
		const { server, a } = await twoTills();
		a.line.online = false;
		const id = await a.sell({ milk: 1 });
		await a.close();
		const again = await openTestTill(server, { file: a.file });
		expect(await salesOf(again)).toEqual([id]);
		await again.till.sync();
		await expectInStep(server, again);
	});

	test("an offline sale has its till's receipt number and its own business day [MUT-5]", async () => {
		const { server, a, b } = await twoTills();
		await a.sell({ milk: 1 });
		await a.sell({ milk: 1 });
		await b.sell({ milk: 1 });
		server.env.pass(3 * dayMs);
		await a.till.sync();
		await b.till.sync();
		const sales = await server.rows(
			"SELECT receipt_number, business_day FROM sales ORDER BY version",
		);
		const [{ prefix: ofA }, { prefix: ofB }] = [
			await a.till.status(),
			await b.till.status(),
		];
		expect(ofA).not.toBe(ofB);
		expect(sales).toEqual([
			{ receipt_number: `${ofA}-000001`, business_day: "2026-11-20" },
			{ receipt_number: `${ofA}-000002`, business_day: "2026-11-20" },
			{ receipt_number: `${ofB}-000001`, business_day: "2026-11-20" },
		]);
	});

	test("a pending sale stays visible on its till while other rows come in [REBASE-3]", async () => {
		const { server, a, b } = await twoTills();
		const theirs = await b.sell({ milk: 3 });
		await b.till.sync();
		// Made during the trip: neither in the push nor in the page that comes back.
		let mine = "";
		const { push } = a.line;
		a.line.push = async (request) => {
			const answer = await push(request);
			mine ||= await a.sell({ milk: 2 });
			return answer;
		};
		await a.till.sync();
		expect(await salesOf(a)).toEqual([mine, theirs].sort());
		expect(await a.quantityOf("milk")).toBe(5);
		expect((await a.till.status()).pending).toBe(1);
		expect(await salesOf(server)).toEqual([theirs]);
		await a.till.sync();
		await expectInStep(server, a);
	});
});

describe("pending mutations", () => {
	test("pending mutations are shown on top of the server's newer rows [REBASE-2]", async () => {
		const { server, a, b } = await twoTills();
		await a.till.mutate(a.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 120 },
		});
		server.env.pass(1_000);
		await b.till.mutate(b.caller, productUpdate, {
			id: "milk",
			set: { name: "Fresh milk" },
		});
		await b.till.sync();
		await a.till.sync();
		await b.till.sync();
		const expected = [{ name: "Fresh milk", selling_price: 120_000_000 }];
		const sql = "SELECT name, selling_price FROM products WHERE id = 'milk'";
		for (const { rows } of [server, a, b])
			expect(await rows(sql)).toEqual(expected);
		await expectInStep(server, a, b);
	});

	test("a pending edit that loses to a later one shows the winner once it is acknowledged", async () => {
		const { server, a, b } = await twoTills();
		await a.till.mutate(a.caller, productUpdate, {
			id: "milk",
			set: { name: "Older" },
		});
		server.env.pass(1_000);
		await b.till.mutate(b.caller, productUpdate, {
			id: "milk",
			set: { name: "Newer" },
		});
		await b.till.sync();
		await a.till.sync();
		const [row] = await a.rows("SELECT name FROM products WHERE id = 'milk'");
		expect(row?.name).toBe("Newer");
		await expectInStep(server, a, b);
	});

	test("a pending stock level becomes the movement from the level that was seen [FACT-5]", async () => {
		const { server, a, b } = await twoTills();
		await a.till.mutate(a.caller, productUpdate, {
			id: "milk",
			set: { quantity: 8 },
		});
		await b.sell({ milk: 5 });
		await b.till.sync();
		await a.till.sync();
		await b.till.sync();
		expect(await b.quantityOf("milk")).toBe(3);
		await expectInStep(server, a, b);
	});

	test("a rejected mutation is kept with its reason, and its effects are undone [OUT-5]", async () => {
		const { server, a, b } = await twoTills();
		const id = await a.sell({ milk: 4 });
		await a.till.sync();
		await b.till.sync();
		for (const { till, caller } of [a, b])
			await till.mutate(caller, saleVoid, {
				id: newId(server.env),
				saleId: id,
				reason: "Came back",
			});
		await a.till.sync();
		await b.till.sync();
		const [refused, ...others] = await b.till.rejected();
		expect(others).toEqual([]);
		expect(refused).toMatchObject({
			name: "sale.void",
			error: { code: "already_voided", field: "saleId" },
		});
		expect(await b.quantityOf("milk")).toBe(10);
		await expectInStep(server, a, b);

		await b.till.discard(refused?.id as string);
		expect(await b.till.rejected()).toEqual([]);
	});

	test("a rejected mutation can be offered again when its cause is gone [OUT-5]", async () => {
		const { server, a } = await twoTills();
		await a.till.mutate(a.caller, productCreate, {
			id: "eggs",
			name: "Eggs",
			buyingPrice: 10,
			sellingPrice: 15,
		});
		// The member lost the role before the push.
		server.caller.role = "CASHIER";
		await a.till.sync();
		expect(await a.quantityOf("eggs")).toBeUndefined();
		const [refused] = await a.till.rejected();
		expect(refused?.error.code).toBe("forbidden");
		server.caller.role = "OWNER";
		await a.till.retry(refused?.id as string);
		expect(await a.quantityOf("eggs")).toBe(0);
		await a.till.sync();
		expect(await a.till.rejected()).toEqual([]);
		await expectInStep(server, a);
	});

	test("a till refuses immediately what the member's role does not allow [OUT-9]", async () => {
		const { a } = await twoTills();
		const cashier = { ...a.caller, role: "CASHIER" as const };
		await expect(
			a.till.mutate(cashier, productUpdate, { id: "milk", set: { name: "x" } }),
		).rejects.toMatchObject({ code: "forbidden" });
		await expect(
			a.till.mutate(a.caller, saleCreate, { id: "s", items: [] }),
		).rejects.toMatchObject({ code: "invalid_args", field: "items" });
		expect((await a.till.status()).pending).toBe(0);
	});

	test("batches are halved for a proxy that refuses large bodies [OUT-7]", async () => {
		const { server, a } = await twoTills();
		for (let i = 0; i < 9; i += 1) await a.sell({ milk: 1 });
		const push = a.line.push;
		a.line.push = async (request) => {
			if (JSON.parse(request).mutations.length > 2)
				throw new ShopError("too_large", "Entity too large");
			return push(request);
		};
		await a.till.sync();
		expect(await salesOf(server)).toHaveLength(9);
		await expectInStep(server, a);
	});

	test("a mutation that a proxy refuses alone stays pending", async () => {
		const { a } = await twoTills();
		for (let i = 0; i < 3; i += 1) await a.sell({ milk: 1 });
		const sizes: number[] = [];
		a.line.push = async (request) => {
			sizes.push(JSON.parse(request).mutations.length);
			throw new ShopError("too_large", "Entity too large");
		};
		await expect(a.till.sync()).rejects.toMatchObject({ code: "too_large" });
		expect(sizes).toEqual([3, 1]);
		expect(await a.till.status()).toMatchObject({ pending: 3, rejected: 0 });
	});

	test("mutations are sent in batches of few bytes, in order, and a long one alone [OUT-2] [OUT-7]", async () => {
		const server = await openTestShop();
		const a = await openTestTill(server, { batchBytes: 3_000 });
		await a.till.sync();
		a.line.pushes.length = 0;
		const sell = (id: string, notes: string | null) =>
			a.till.mutate(a.caller, saleCreate, { ...saleArgs(id), notes });
		for (const id of ["s1", "s2", "s3"]) await sell(id, null);
		await sell("long", "n".repeat(2_000));
		await sell("s5", null);
		await a.till.sync();
		const ids = a.line.pushes.map(({ mutations }) =>
			mutations.map((one) => (one as { args: { id: string } }).args.id),
		);
		expect(ids.flat()).toEqual(["s1", "s2", "s3", "long", "s5"]);
		expect(ids.map(({ length }) => length)).toEqual([3, 1, 1]);
		await expectInStep(server, a);
	});
});

describe("a sync", () => {
	test("a sync saves its time", async () => {
		const { server, a } = await twoTills();
		expect((await a.till.status()).lastSyncAt).toBe("2026-11-20T09:00:00.000Z");
		server.env.pass(60_000);
		await a.till.sync();
		expect((await a.till.status()).lastSyncAt).toBe("2026-11-20T09:01:00.000Z");
	});
});

describe("a session that ends", () => {
	test("an ended session pauses syncing but not selling, until the server accepts it again or a new sign-in [AUTH-3]", async () => {
		const { server, a } = await twoTills();
		a.line.unauthorized = true;
		await expect(a.till.sync()).rejects.toMatchObject({ code: "unauthorized" });
		await a.sell({ milk: 1 });
		expect(await a.till.status()).toMatchObject({
			paused: "unauthorized",
			pending: 1,
		});
		a.line.unauthorized = false;
		await a.till.sync();
		expect(await salesOf(server)).toHaveLength(1);
		expect(await a.till.status()).toMatchObject({ paused: null, pending: 0 });
	});
});

describe("acknowledged mutations", () => {
	test("acknowledged mutations are kept until a backup covers them and a month has passed [OUT-6]", async () => {
		const { server, a } = await twoTills();
		await a.sell({ milk: 1 });
		await a.till.sync();
		const count = async () => (await a.rows("SELECT 1 FROM outbox")).length;
		server.env.pass(31 * dayMs);
		await a.till.sync();
		expect(await count()).toBe(1);
		await server.store.write((tx) =>
			tx.run("UPDATE businesses SET backed_up_to = head"),
		);
		await a.till.sync();
		expect(await count()).toBe(0);
		await a.sell({ milk: 1 });
		await a.till.sync();
		await server.store.write((tx) =>
			tx.run("UPDATE businesses SET backed_up_to = head"),
		);
		await a.till.sync();
		expect(await count()).toBe(1);
	});
});

describe("a till's clock", () => {
	test("a till's clock is corrected by the server's, so that edits are ordered by one clock [CLOCK-2]", async () => {
		const { server } = await twoTills();
		const slow = { ...server.env, now: () => server.env.now() - 3_600_000 };
		const c = await openTestTill(server, { env: slow });
		await c.till.sync();
		await c.sell({ milk: 1 });
		await c.till.sync();
		const [row] = await server.rows("SELECT created_at FROM sales");
		expect(row?.created_at).toBe("2026-11-20T09:00:00.000Z");
	});
});

describe("a long outbox", () => {
	test("an outbox of several batches arrives complete and in order [OUT-2]", async () => {
		const { server, a, b } = await twoTills();
		for (let i = 0; i < 1_050; i += 1)
			await a.till.mutate(a.caller, stockAdjust, {
				id: `adjust-${i}`,
				productId: "milk",
				delta: 1,
				reason: "received",
			});
		await a.till.sync();
		await b.till.sync();
		expect(a.line.pushes.at(-1)?.mutations).toHaveLength(50);
		expect(await b.quantityOf("milk")).toBe(1_060);
		await expectInStep(server, a, b);
	});

	const many = Array.from({ length: 1_050 }, (_, i) => ({
		mutation: categoryCreate,
		args: { id: `c-${i}`, name: `Category ${i}` },
	}));

	test("a sync that is cut off after its first batch has saved its results", async () => {
		const { server, a } = await twoTills();
		await a.till.mutateAll(a.caller, many);
		let trips = 0;
		a.line.lose = () => {
			trips += 1;
			return trips === 2 ? "request" : undefined;
		};
		await expect(a.till.sync()).rejects.toThrow("Request lost");
		expect(await a.till.status()).toMatchObject({ pending: 50 });
		a.line.pushes.length = 0;
		await a.till.sync();
		const again = a.line.pushes.flatMap(({ mutations }) => mutations);
		expect(again).toHaveLength(50);
		await expectInStep(server, a);
	});
});

describe("a long feed", () => {
	test("a long feed is pulled completely over a connection that keeps breaking", async () => {
		const { server } = await twoTills();
		await addCategories(server, 2_500);
		const c = await openTestTill(server);
		const { push, pull } = c.line;
		c.line.push = (request) =>
			push(JSON.stringify({ ...JSON.parse(request), limit: 1_000 }));
		c.line.pull = (cursor) => pull(cursor, 1_000);
		c.line.lose = (trip) => (trip % 2 === 0 ? "reply" : undefined);
		expect(await syncStubbornly(c)).toBe(4);
		await expectInStep(server, c);
	});
});

test("a connection that loses long pages carries shorter ones", async () => {
	const { server } = await twoTills();
	await addCategories(server, 6_000);
	const c = await openTestTill(server);
	const { push, pull } = c.line;
	const thin = <T extends { changes?: unknown[] }>(answer: T): T => {
		if ((answer.changes ?? []).length > 1_500)
			throw new ShopError("unreachable", "The server can't be reached");
		return answer;
	};
	c.line.push = async (request) => thin(await push(request));
	c.line.pull = async (cursor, rows) => thin(await pull(cursor, rows));
	expect(await syncStubbornly(c)).toBeLessThan(8);
	await expectInStep(server, c);
});

test("a connection that loses long batches carries shorter ones", async () => {
	const { server, a } = await twoTills();
	for (let i = 0; i < 60; i += 1) await a.sell({ milk: 1 });
	const { push } = a.line;
	a.line.push = async (request) => {
		if (request.length > 4_000)
			throw new ShopError("unreachable", "The server can't be reached");
		return push(request);
	};
	expect(await syncStubbornly(a)).toBeLessThan(8);
	expect(await salesOf(server)).toHaveLength(60);
	await expectInStep(server, a);
});

describe("tills kept in step", () => {
	test("tills with a sync loop see each other's sales, even after the connection was down [HEAD-4]", async () => {
		const { server, a, b } = await twoTills();
		const errors: unknown[] = [];
		const options = {
			env: server.env,
			onError: (e: unknown) => errors.push(e),
		};
		const running = [
			startSyncLoop(a.till, a.line, options),
			startSyncLoop(b.till, b.line, options),
		];
		const first = await a.sell({ milk: 1 });
		await expect.poll(() => salesOf(b), { timeout: 10_000 }).toEqual([first]);
		a.line.online = false;
		const second = await a.sell({ milk: 1 });
		await expect
			.poll(() => errors.length, { timeout: 10_000 })
			.toBeGreaterThan(0);
		a.line.online = true;
		await expect
			.poll(() => salesOf(b), { timeout: 10_000 })
			.toEqual([first, second].sort());
		for (const { stop } of running) await stop();
		await expectInStep(server, a, b);
	});

	test("a till's sync loop stops during a sync and no longer watches", async () => {
		const { server, a } = await twoTills();
		const { push, watch } = a.line;
		const begun = Promise.withResolvers<void>();
		const goOn = Promise.withResolvers<void>();
		let watches = 0;
		a.line.push = async (request) => {
			begun.resolve();
			await goOn.promise;
			return push(request);
		};
		a.line.watch = (onMove, signal) => {
			watches += 1;
			return watch(onMove, signal);
		};
		const onError = (error: unknown) => {
			throw error;
		};
		const { stop } = startSyncLoop(a.till, a.line, {
			env: server.env,
			onError,
		});
		await begun.promise;
		const stopped = stop();
		goOn.resolve();
		await stopped;
		expect(watches).toBe(0);
	});
});
