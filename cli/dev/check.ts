import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** What `npm run check` runs: types, formatter and linter, spelling, prose. The longest begin first. */
const checks = [
	"cspell lint --quiet",
	"biome check --error-on-warnings .",
	// Several checkers would infer the types that they share several times.
	"tsc --checkers 1",
	"tsc --checkers 1 -p desktop/ui",
	'textlint --config .textlintrc.cjs "*.{md,ts}" "{cli,desktop,docs,server,sync}/**/*.{md,ts,tsx}"',
];
/** None of them uses two cores all the time. */
const atOnce = 2;

/** Runs a command, and prints what it says once it has ended: a passing check says nothing. */
async function run(command: string): Promise<void> {
	const child = spawn(command, {
		shell: true,
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
	});
	const [out, errors, status] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		new Promise((resolve) => child.on("close", resolve)),
	]);
	if (status === 0) return;
	console.error(`${command}\n${out}${errors}`);
	process.exitCode = 1;
}

const waiting = [...checks];
await Promise.all(
	Array.from({ length: atOnce }, async () => {
		for (let next = waiting.shift(); next; next = waiting.shift())
			await run(next);
	}),
);
