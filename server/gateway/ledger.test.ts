import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { ShopError } from "../../sync/protocol/errors.ts";
import { openRandom } from "../../sync/simulation/random.ts";
import { testSeed } from "../../sync/testing/lane.ts";
import { addMember, openTestShop } from "../../sync/testing/shop.ts";
import { apiKeys } from "../accounts/api-keys.ts";
import { emptyRecord } from "./call-record.ts";
import { isOverBudget } from "./ledger-batch.ts";
import { aiLimits, appAccount, businessAccount } from "./limits.ts";
import { openMeter, type Payer } from "./meter.ts";
import { readPayers } from "./testing/payers.ts";

/** Opens a meter for two keys and two members. @param budgets in nanodollars, by account */
async function openLedger(budgets: Record<string, number>) {
	const { store, env, rows } = await openTestShop();
	await store.write(async (tx) => {
		for (const id of ["asha", "mumbi"])
			await addMember(tx, "shop-1", id, "MANAGER");
		for (const name of ["key", "spare"]) {
			const limits = { monthlyBudget: null, requestsPerMinute: null };
			const of = { businessId: "shop-1", userId: null, name, ...limits };
			await apiKeys(tx).create(env, of);
		}
		await tx.run("UPDATE api_keys SET id = name");
		for (const [account, monthlyBudget] of Object.entries(budgets))
			await aiLimits(tx, "shop-1").change(account, { monthlyBudget });
	});
	const faults: unknown[] = [];
	const meter = openMeter(store, env, (fault) => faults.push(fault));
	onTestFinished(() => meter.close());
	const payers = await readPayers(store, "shop-1");
	return {
		...{ store, rows, faults, meter, payers },
		payer: (account: string) =>
			payers.find(({ accounts }) => accounts.at(-1)?.id === account) as Payer,
		/** @returns what each account has spent and reserved */
		months: async () =>
			Object.fromEntries(
				(await rows("SELECT * FROM ai_months")).map((row) => [
					row.account,
					[row.spent, row.reserved],
				]),
			),
	};
}

const record = { ...emptyRecord, askedModel: "gpt-4o", status: "ok" } as const;

test("concurrent callers never exceed the budgets of the business, the app, a member and a key, and can spend all of each", async () => {
	const budgets = {
		...{ [businessAccount]: 9_000, [appAccount]: 5_000 },
		...{ mumbi: 2_000, key: 3_000 },
	};
	const { meter, payers, payer, months, faults } = await openLedger(budgets);
	const { below } = openRandom("concurrent callers", testSeed);
	const used = new Map<string, number>();
	function use({ accounts }: Payer, change: number): void {
		for (const { id, monthlyBudget } of accounts) {
			const now = (used.get(id) ?? 0) + change;
			used.set(id, now);
			expect([id, now]).toEqual([id, Math.min(now, monthlyBudget ?? now)]);
		}
	}
	/** @returns whether a budget allowed it */
	async function call(payer: Payer): Promise<boolean> {
		try {
			const bound = 1 + below(60);
			const reservation = await meter.reserve(payer, () => [bound, 1]);
			let most = reservation.held?.amount ?? 0;
			use(payer, most);
			await sleep(below(2));
			if (below(3) === 0 && (await meter.extend(reservation, 20))) {
				most += 20;
				use(payer, 20);
			}
			const cost = below(3) === 0 ? 0 : below(most + 1);
			use(payer, cost - most);
			meter.settle(reservation, { ...record, cost });
			return true;
		} catch (error) {
			if (isOverBudget(error)) return false;
			throw error;
		}
	}
	await Promise.all(
		[...payers, ...payers, ...payers].map(async (payer, i) => {
			while (await call(payer)) if (i === 0) await meter.flush();
		}),
	);
	await meter.flush();
	const spent = await months();
	expect(spent).toEqual(
		Object.fromEntries([...used].map(([id, sum]) => [id, [sum, 0]])),
	);
	// Nothing is lost: what is left can be spent to the last billionth.
	for (const name of ["mumbi", "asha", "key", "spare"]) {
		const left = Math.min(
			...payer(name).accounts.map(
				({ id, monthlyBudget }) =>
					(monthlyBudget ?? Infinity) - (used.get(id) ?? 0),
			),
		);
		await expect(
			meter.reserve(payer(name), () => [left + 1]),
		).rejects.toSatisfy(isOverBudget);
		if (left === 0) continue;
		use(payer(name), left);
		const reservation = await meter.reserve(payer(name), () => [left]);
		meter.settle(reservation, { ...record, cost: left });
	}
	expect(used.get(businessAccount)).toBe(budgets[businessAccount]);
	expect(faults).toEqual([]);
});

test("a record that can't be written is set aside with its cost, and the others are written", async () => {
	const { meter, payer, rows, months, faults } = await openLedger({ key: 100 });
	const held = await meter.reserve(payer("key"), () => [20]);
	meter.settle(meter.open(payer("asha")), { ...record, cost: 5 });
	meter.settle(held, { ...record, cost: 7, durationMs: Number.NaN });
	meter.settle(meter.open(payer("spare")), { ...record, cost: 9 });
	const last = await meter.reserve(payer("key"), () => [93]);
	meter.settle(last, { ...record, cost: 0 });
	await meter.flush();
	expect(await rows("SELECT status, cost FROM ai_calls ORDER BY cost")).toEqual(
		[
			{ status: "ok", cost: 0 },
			{ status: "ok", cost: 5 },
			{ status: "failed", cost: 7 },
			{ status: "ok", cost: 9 },
		],
	);
	expect(await months()).toMatchObject({ key: [7, 0], business: [21, 0] });
	expect(faults).toHaveLength(1);
});

test("a cost that is no amount counts as the most that the call could cost", async () => {
	const { meter, payer, months } = await openLedger({ key: 100 });
	for (const cost of [Number.NaN, -1, 0.5])
		meter.settle(await meter.reserve(payer("key"), () => [20]), {
			...{ ...record, cost },
		});
	await meter.flush();
	expect(await months()).toMatchObject({ key: [60, 0] });
});

test("a call that costs nothing is allowed on a budget that is overdrawn", async () => {
	const { meter, payer, months } = await openLedger({ key: 100 });
	// A provider may charge more than was asked for.
	meter.settle(await meter.reserve(payer("key"), () => [100]), {
		...{ ...record, cost: 101 },
	});
	await meter.flush();
	await expect(meter.reserve(payer("key"), () => [1])).rejects.toSatisfy(
		isOverBudget,
	);
	const local = await meter.reserve(payer("key"), () => [1, 0]);
	expect(local.held?.amount).toBe(0);
	meter.settle(local, { ...record, cost: 0 });
	await meter.flush();
	expect(await months()).toMatchObject({ key: [101, 0] });
});

test("money that was reserved without an answer from the database is given back", async () => {
	const { store, meter, payer, months, rows } = await openLedger({ key: 100 });
	const write = store.write.bind(store);
	const spy = vi.spyOn(store, "write").mockImplementationOnce(async (fn) => {
		await write(fn);
		throw new ShopError("storage_failed", "The connection was lost");
	});
	await expect(meter.reserve(payer("key"), () => [60])).rejects.toThrow("lost");
	spy.mockRestore();
	expect((await months()).key).toEqual([0, expect.any(Number)]);
	meter.settle(await meter.reserve(payer("key"), () => [100]), {
		...{ ...record, cost: 30 },
	});
	await meter.flush();
	expect(await months()).toMatchObject({ key: [30, 0] });
	expect(await rows("SELECT cost FROM ai_calls")).toEqual([{ cost: 30 }]);
});

test("a call that ends while its lease is given back leaves nothing reserved", async () => {
	const { store, meter, payer, months } = await openLedger({ key: 100 });
	const held = await meter.reserve(payer("key"), () => [20]);
	const write = store.write.bind(store);
	vi.spyOn(store, "write").mockImplementationOnce((fn) => {
		meter.settle(held, { ...record, cost: 0 });
		return write(fn);
	});
	await meter.flush();
	await meter.flush();
	expect(await months()).toMatchObject({ key: [0, 0] });
});

test("a lease whose money was all spent keeps none ready once it is given back", async () => {
	const { meter, payer, months } = await openLedger({ key: 1_000 });
	const first = await meter.reserve(payer("key"), () => [100]);
	const ready = first.held?.lease.amount ?? 0;
	const second = await meter.reserve(payer("key"), () => [ready - 100]);
	expect(second.held?.lease).toBe(first.held?.lease);
	meter.settle(first, { ...record, cost: 100 });
	meter.settle(second, { ...record, cost: ready - 100 });
	await meter.flush();
	expect(await months()).toMatchObject({ key: [ready, 0] });
});

test("a burst of calls gives back what it no longer needs", async () => {
	const { meter, payer, months } = await openLedger({ business: 10_000 });
	const calls = await Promise.all(
		Array.from({ length: 50 }, () => meter.reserve(payer("key"), () => [20])),
	);
	expect((await months()).key).toEqual([0, 50 * 20 + 2 * 20]);
	for (const call of calls) meter.settle(call, { ...record, cost: 1 });
	// Its commit writes the other lease too.
	await meter.reserve(payer("spare"), () => [20]);
	expect((await months()).key).toEqual([50, 0]);
});
