import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Noticed } from "../simulation/catch-mistakes.ts";
import type { Mistake } from "../simulation/mistakes.ts";
import type { StoreKind } from "./store-kind.ts";

export const seedsMax = 200;

/** Runs the simulations with servers on one kind of store, in a separate process. */
export async function expectNoticed(
	tried: readonly Mistake[],
	kind: StoreKind,
): Promise<void> {
	const program = new URL("../simulation/catch-mistakes.ts", import.meta.url)
		.pathname;
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
