import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { type DemoResult, runDemo } from "./demo.ts";

const root = join(import.meta.dirname, "../..");
const retail = join(root, "../shared/data/uci-online-retail");
const retailDays = ["2010-12-01.csv", "2010-12-02.csv"].map((name) =>
	join(retail, name),
);

function expectAllRight(result: DemoResult): void {
	const { expected, holdings, wrongStock, lostReplies, rejected } = result;
	const [server] = holdings;
	expect(holdings.map(({ who }) => who)).toEqual([
		"server",
		"till A",
		"till B",
	]);
	for (const { who, digest, ...sums } of holdings) {
		expect({ who, ...sums }).toEqual({ who, ...expected });
		expect(digest).toBe(server?.digest);
	}
	expect(wrongStock).toEqual([]);
	expect(lostReplies).toBeGreaterThan(0);
	expect(rejected).toBe(0);
	expect(result.digestAfterRepeat).toBe(server?.digest);
}

oneIn(3)(
	"the demo's sales, made offline on two tills, arrive exactly once",
	async () => {
		const { stdout } = await promisify(execFile)(
			process.execPath,
			["cli/dev/demo-sync.ts"],
			{ cwd: root },
		);
		expect(stdout.match(/^✓/gm)).toHaveLength(5);
		expect(stdout).not.toContain("✗");
	},
);

/** Sums a file in thousandths, directly from its text and without code of the project. */
function sumsOf(file: string) {
	const sums = { sold: 0n, cancelled: 0n };
	for (const text of readFileSync(file, "utf8").trim().split("\n").slice(1)) {
		const [, invoice = "", quantity = "", price = ""] =
			/^([^,]+),.*,(-?\d+),[^,]+,([\d.]+),[^,]*,[^,]*$/.exec(text.trim()) ?? [];
		const [whole, decimals = ""] = price.split(".");
		const amount = BigInt(quantity) * BigInt(whole + decimals.padEnd(3, "0"));
		if (invoice.startsWith("C")) sums.cancelled -= amount;
		else if (!quantity.startsWith("-")) sums.sold += amount;
	}
	return sums;
}

oneIn(3).skipIf(!existsSync(retail))(
	"two days of a real retailer arrive exact to the cent and unit (skipped without the data set)",
	async () => {
		const result = await runDemo({ sales: retailDays, tell: () => {} });
		expectAllRight(result);
		const days = retailDays.map(sumsOf);
		const thousandths = (value: number) => BigInt(Math.round(value * 1_000));
		const { expected, voided, earlier } = result;
		expect(thousandths(expected.sold) - thousandths(earlier)).toBe(
			days.reduce((sum, { sold }) => sum + sold, 0n),
		);
		expect(thousandths(expected.refunded) - thousandths(voided)).toBe(
			days.reduce((sum, { cancelled }) => sum + cancelled, 0n),
		);
	},
);
