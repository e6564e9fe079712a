import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testDir } from "../test-shop.ts";
import { makeScript } from "./script.ts";

const program = new URL("./simulate.ts", import.meta.url).pathname;
const simulate = (...args: string[]) =>
	promisify(execFile)(process.execPath, [program, ...args]);

test("the command says how many seeds failed, and how many it runs in a second", async () => {
	const { stdout } = await simulate("--seeds", "3", "--from", "7");
	expect(stdout).toMatch(/sells \d+/);
	expect(stdout).toMatch(/^3 seeds from 7: 0 failed, \d+\.\d runs\/s$/m);
});

test("a script in a file is played, line by line, and is the run of its seed", async () => {
	const file = join(testDir(), "script.json");
	writeFileSync(file, JSON.stringify(makeScript(7)));
	const { stdout } = await simulate("--replay", file);
	for (const { name } of makeScript(7).steps.slice(0, 5))
		expect(stdout).toMatch(new RegExp(`^\\d+ ${name}$`, "m"));
	expect(stdout).not.toContain("VIOLATION");
});

test("a number that is none is wrong usage", async () => {
	await expect(simulate("--seeds", "many")).rejects.toMatchObject({ code: 2 });
});
