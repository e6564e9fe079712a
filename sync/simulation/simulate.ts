import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
	folderVariable,
	hasPostgres,
	makeFolder,
	removeCluster,
} from "../testing/postgres-cluster.ts";
import type { StoreKind } from "../testing/store-kind.ts";
import { openGround } from "./run.ts";
import { makeScript, type Script } from "./script.ts";
import { runSeeds } from "./seeds.ts";
import { shrink } from "./shrink.ts";

/**
 * `npm run simulate -- --seeds 1000 --from 1` runs seeds and reports seeds per second. It shrinks the script of the
 * first that fails and prints its history. `--replay FILE` runs such a script, line by line. `--store postgres` starts
 * a PostgreSQL for the server in a temporary folder.
 */
const { values } = parseArgs({
	options: {
		seeds: { type: "string", default: "1000" },
		from: { type: "string", default: "1" },
		replay: { type: "string" },
		store: { type: "string", default: "sqlite" },
	},
});

const kind = toKind(values.store);
const folder = kind === "postgres" ? makeFolder() : undefined;
if (folder !== undefined) {
	process.env[folderVariable] = folder;
	// PostgreSQL would survive its parent otherwise.
	for (const signal of ["SIGINT", "SIGTERM"])
		process.once(signal, async () => {
			await removeCluster(folder);
			process.exit(1);
		});
}
try {
	if (values.replay !== undefined)
		await play(JSON.parse(readFileSync(values.replay, "utf8")));
	else await simulate(toCount(values.from), toCount(values.seeds));
} finally {
	if (folder !== undefined) await removeCluster(folder);
}

function toKind(text: string): StoreKind {
	if (text !== "sqlite" && text !== "postgres")
		return refuse(`The stores are sqlite and postgres, not "${text}"`);
	if (text === "postgres" && !hasPostgres)
		return refuse("No PostgreSQL was found; PG_BIN names its programs");
	return text;
}

function refuse(message: string): never {
	console.error(message);
	process.exit(2);
}

function toCount(text: string): number {
	const count = Number(text);
	if (Number.isSafeInteger(count) && count > 0) return count;
	return refuse(`A whole number above zero is wanted, not "${text}"`);
}

async function simulate(from: number, count: number): Promise<void> {
	const failed: number[] = [];
	const totals: Record<string, number> = {};
	let done = 0;
	const start = performance.now();
	const rate = () => ((done * 1_000) / (performance.now() - start)).toFixed(1);
	await runSeeds(from, count, kind, ({ seed, violations, counts }) => {
		done += 1;
		for (const [what, times] of Object.entries(counts))
			totals[what] = (totals[what] ?? 0) + times;
		for (const { rule, detail } of violations.slice(0, 1)) {
			failed.push(seed);
			console.log(`seed ${seed}: ${rule}: ${detail}`);
		}
		if (done % 1_000 === 0 && process.stderr.isTTY)
			console.error(`${done} of ${count}, ${rate()} runs/s`);
	});
	console.log(
		Object.entries(totals)
			.sort()
			.map(([what, times]) => `${what} ${times}`)
			.join(", "),
	);
	console.log(
		`${count} seeds from ${from}: ${failed.length} failed, ${rate()} runs/s`,
	);
	const [first] = failed.sort((a, b) => a - b);
	if (first === undefined) return;
	process.exitCode = 1;
	await explain(first);
}

/** Shrinks a failing seed's script, and prints it with the command to replay it. */
async function explain(seed: number): Promise<void> {
	const ground = await openGround(kind);
	const script = makeScript(seed);
	const [violation] = (await ground.run(script)).violations;
	const least = await shrink(script, async (smaller) => {
		const { violations } = await ground.run(smaller);
		return violations[0]?.rule === violation?.rule;
	});
	await ground.close();
	console.log(
		`\nseed ${seed} fails with ${least.steps.length} of its ${script.steps.length} steps. This, in a file, is played by --replay FILE:\n${JSON.stringify(least)}\n`,
	);
	await play(least);
}

async function play(script: Script): Promise<void> {
	const ground = await openGround(kind);
	const { lines, violations } = await ground.run(script, { isVerbose: true });
	await ground.close();
	console.log(lines.join("\n"));
	if (violations.length > 0) process.exitCode = 1;
}
