import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { openRandom } from "../../../sync/simulation/random.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { testSeed } from "../../../sync/testing/lane.ts";
import {
	addBusiness,
	addMember,
	testDir,
	testEnv,
} from "../../../sync/testing/shop.ts";
import { openTestFile } from "../../../sync/testing/store.ts";
import { apiKeys } from "../../accounts/api-keys.ts";
import { aiLimits, appAccount, businessAccount } from "../limits.ts";
import { openMeter, type Payer } from "../meter.ts";
import { readPayers } from "./payers.ts";
import type { Spending } from "./spends-until-killed.ts";

const businessId = "shop-1";
const killsInAMonth = 4;
/** A server is killed after it wrote up to this many lines of some bytes; a call writes two or three. */
const linesMax = 600;
const lineBytes = 60;
/** Longer than a dead server's leases count as its own. */
const restMs = 30 * 60_000;
const monthMs = 31 * 86_400_000;

/** Nanodollars a month; the business's is less than those of its parts, and each part has someone without a budget. */
const budgets: Record<string, number> = {
	[businessAccount]: 24_000,
	[appAccount]: 14_000,
	mumbi: 5_000,
	key: 6_000,
};

/**
 * Kills a server that spends, again and again, and compares after each kill what its calls can have cost with the budgets
 * and the ledger.
 *
 * @returns what all calls cost at most, as a part of all months' budgets of the business
 */
export async function killSpending(kills: number): Promise<number> {
	const dir = testDir();
	const file = join(dir, "server.db");
	const env = testEnv("2026-01-05T09:00:00.000Z");
	const payers = await prepare(file, env);
	const { below } = openRandom("killed spending", testSeed);
	// One starts while the one before it runs.
	let spare = start();
	onTestFinished(() => {
		spare.kill("SIGKILL");
	});
	let spent = 0;
	let spendings: string[] = [];
	for (let kill = 0; kill < kills; kill += 1) {
		const spending = join(dir, `spending-${kill}`);
		writeFileSync(spending, "");
		const child = spare;
		spare = start();
		const what: Spending = { file, startMs: env.now(), spending, payers };
		child.send(what);
		// One in each month is killed late, so that every run spends much, whatever its seed.
		const isLate = kill % killsInAMonth === 0;
		const enough = lineBytes * (isLate ? linesMax : below(linesMax));
		while (child.exitCode === null && statSync(spending).size < enough)
			await sleep(1);
		await sleep(below(10));
		child.kill("SIGKILL");
		expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
		spendings.push(spending);
		spent += await compare(file, env, spendings);
		env.pass(restMs);
		if ((kill + 1) % killsInAMonth > 0) continue;
		spendings = [];
		env.pass(monthMs);
	}
	await expectSettled(file, env);
	const months = Math.ceil(kills / killsInAMonth);
	return spent / (months * (budgets[businessAccount] as number));
}

function start(): ChildProcess {
	return fork(join(import.meta.dirname, "spends-until-killed.ts"));
}

type Clock = ReturnType<typeof testEnv>;

async function prepare(file: string, env: Clock): Promise<Payer[]> {
	const store = await openTestFile(file);
	await store.write(async (tx) => {
		await addBusiness(tx, businessId);
		for (const id of ["mumbi", "asha"])
			await addMember(tx, businessId, id, "MANAGER");
		for (const name of ["key", "spare"]) {
			const limits = { monthlyBudget: null, requestsPerMinute: null };
			const of = { businessId, userId: null, name, ...limits };
			await apiKeys(tx).create(env, of);
		}
		await tx.run("UPDATE api_keys SET id = name");
		for (const [account, monthlyBudget] of Object.entries(budgets))
			await aiLimits(tx, businessId).change(account, { monthlyBudget });
	});
	const payers = await readPayers(store, businessId);
	await store.close();
	return payers;
}

/** @returns the most that the newest server's calls cost */
async function compare(
	file: string,
	env: Clock,
	spendings: string[],
): Promise<number> {
	const store = await openSqlite(file);
	const rows = await store.read((tx) =>
		tx.all(
			"SELECT account, spent + reserved AS used FROM ai_months WHERE month = ?",
			new Date(env.now()).toISOString().slice(0, 7),
		),
	);
	await store.close();
	const used = new Map(rows.map((row) => [`${row.account}`, Number(row.used)]));
	const spent = sumsOf(spendings);
	for (const [account, budget] of Object.entries(budgets)) {
		expect(spent.get(account) ?? 0).toBeLessThanOrEqual(used.get(account) ?? 0);
		expect(used.get(account) ?? 0).toBeLessThanOrEqual(budget);
	}
	return sumsOf(spendings.slice(-1)).get(businessAccount) ?? 0;
}

/** Adds up by account what calls cost, or may have cost if they didn't end. */
function sumsOf(spendings: string[]): Map<string, number> {
	const sums = new Map<string, number>();
	for (const file of spendings) {
		const lines = readFileSync(file, "utf8").trim().split("\n");
		const calls = new Map(
			lines.map((line) => [line.slice(0, line.indexOf(" ")), line]),
		);
		for (const line of calls.values()) {
			const [, accounts = "", amount] = line.split(" ");
			for (const account of accounts.split(","))
				sums.set(account, (sums.get(account) ?? 0) + Number(amount ?? 0));
		}
	}
	return sums;
}

/** Expects that nothing stays reserved, and that what the budgets count is what the calls' rows say. */
async function expectSettled(file: string, env: Clock): Promise<void> {
	const store = await openSqlite(file);
	await openMeter(store, env, (error) => {
		throw error;
	}).close();
	const sums = await store.read(async (tx) => ({
		reserved: await tx.all("SELECT * FROM ai_months WHERE reserved <> 0"),
		months: await tx.all(
			"SELECT month, spent FROM ai_months WHERE account = 'business' ORDER BY month",
		),
		calls: await tx.all(
			"SELECT substr(day, 1, 7) AS month, sum(cost) AS spent FROM ai_calls GROUP BY 1 ORDER BY 1",
		),
	}));
	await store.close();
	expect(sums.reserved).toEqual([]);
	expect(sums.months).toEqual(sums.calls);
}
