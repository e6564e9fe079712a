import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/*
 * `npm test`: the checks of `npm run check` and a sample of the tests, side by side, because tests wait for disks, timers
 * and browsers. A failed check ends the tests early, and says why last.
 */
const vitest = join(
	import.meta.dirname,
	"../../node_modules/vitest/vitest.mjs",
);

const tests = spawn(
	process.execPath,
	[vitest, "run", "--mode", "sample", ...process.argv.slice(2)],
	{ stdio: "inherit" },
);
const check = spawn(process.execPath, [join(import.meta.dirname, "check.ts")], {
	stdio: ["ignore", "ignore", "pipe"],
});
async function untilChecked(): Promise<string> {
	const [complaints] = await Promise.all([
		text(check.stderr),
		once(check, "close"),
	]);
	// Vitest removes its temporary folders and databases first.
	if (check.exitCode !== 0) tests.kill("SIGINT");
	return complaints;
}

const [complaints] = await Promise.all([untilChecked(), once(tests, "close")]);
process.stderr.write(complaints);
if (check.exitCode !== 0 || tests.exitCode !== 0) process.exitCode = 1;
