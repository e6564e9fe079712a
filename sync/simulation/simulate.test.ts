import { execFile } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { oneIn } from "../testing/lane.ts";
import { hasPostgres, wherePostgres } from "../testing/postgres.ts";
import { testDir } from "../testing/shop.ts";
import { makeScript } from "./script.ts";

const program = new URL("./simulate.ts", import.meta.url).pathname;
const simulate = (...args: string[]) =>
	promisify(execFile)(process.execPath, [program, ...args]);

oneIn(6)(
	"the simulator reports failed seeds and seeds per second",
	async () => {
		const { stdout } = await simulate("--seeds", "2", "--from", "7");
		expect(stdout).toMatch(/sells \d+/);
		expect(stdout).toMatch(/^2 seeds from 7: 0 failed, \d+\.\d runs\/s$/m);
	},
);

oneIn(6)(
	"a replayed script prints its steps and equals the run of its seed",
	async () => {
		const file = join(testDir(), "script.json");
		writeFileSync(file, JSON.stringify(makeScript(7)));
		const { stdout } = await simulate("--replay", file);
		for (const { name } of makeScript(7).steps.slice(0, 5))
			expect(stdout).toMatch(new RegExp(`^\\d+ ${name}$`, "m"));
		expect(stdout).not.toContain("VIOLATION");
	},
);

test.each([
	["an invalid number", "--seeds", "many"],
	["an unknown store", "--store", "paper"],
])("%s is wrong usage", async (_, ...args) => {
	await expect(simulate(...args)).rejects.toMatchObject({ code: 2 });
});

oneIn(6).skipIf(!hasPostgres)(
	`the simulator keeps the server's shops in the named store and removes it at the end ${wherePostgres}`,
	async () => {
		const TMPDIR = testDir();
		// PostgreSQL's user needs to reach its folder.
		chmodSync(TMPDIR, 0o711);
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[program, "--seeds", "1", "--store", "postgres"],
			{ env: { ...process.env, TMPDIR } },
		);
		expect(stdout).toMatch(/^1 seeds from 1: 0 failed/m);
		expect(readdirSync(TMPDIR)).toEqual([]);
	},
);
