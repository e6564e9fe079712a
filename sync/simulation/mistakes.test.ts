import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hasPostgres, wherePostgres } from "../store/test-cluster.ts";
import { type StoreKind, storeKind } from "../store/test-store-kind.ts";
import type { Noticed } from "./catch-mistakes.ts";
import { foundBugs } from "./found-bugs.ts";
import { type Mistake, mistakes } from "./mistakes.ts";

const seedsMax = 200;
const timeout = 600_000;

/** Tries them with servers on one kind of store, in a process of its own. */
async function expectNoticed(
	tried: readonly Mistake[],
	kind: StoreKind,
): Promise<void> {
	const program = new URL("./catch-mistakes.ts", import.meta.url).pathname;
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[program, String(seedsMax), ...tried.map(({ name }) => name)],
		{ env: { ...process.env, TEST_STORE: kind } },
	);
	const noticed = new Map<string, Noticed>(
		stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line))
			.map((one: Noticed) => [one.name, one]),
	);
	for (const { name } of tried)
		expect({ name, isNoticed: noticed.get(name)?.seed != null }).toEqual({
			name,
			isNoticed: true,
		});
	expect(noticed.size).toBe(tried.length);
}

test(`each mistake is noticed within ${seedsMax} seeds`, {
	timeout,
}, async () => {
	const tried = mistakes.filter(({ store }) => store === undefined);
	await expectNoticed(tried, storeKind);
});

test(
	"each bug that the simulator found would be found again by its script",
	{
		timeout,
	},
	() => expectNoticed(foundBugs, storeKind),
);

test.skipIf(!hasPostgres)(
	`each mistake of the store on PostgreSQL is noticed there ${wherePostgres}`,
	{ timeout },
	async () => {
		const tried = mistakes.filter(({ store }) => store === "postgres");
		await expectNoticed(tried, "postgres");
	},
);
