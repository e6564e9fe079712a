import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Noticed } from "./catch-mistakes.ts";
import { mistakes } from "./mistakes.ts";

const seedsMax = 200;

test(`each mistake is noticed within ${seedsMax} seeds, or something else keeps it from doing harm`, async () => {
	const program = new URL("./catch-mistakes.ts", import.meta.url).pathname;
	const { stdout } = await promisify(execFile)(process.execPath, [
		program,
		String(seedsMax),
	]);
	const noticed = new Map<string, Noticed>(
		stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line))
			.map((one: Noticed) => [one.name, one]),
	);
	for (const { name, maskedBy } of mistakes)
		expect({ name, isNoticed: noticed.get(name)?.seed != null }, name).toEqual({
			name,
			isNoticed: maskedBy === undefined,
		});
	expect(mistakes.length - noticed.size).toBe(0);
}, 600_000);
