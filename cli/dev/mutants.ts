import {
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRandom } from "../../sync/simulation/random.ts";
import keepInMemory from "../../sync/testing/folder.ts";
import { refusedByCheck } from "./mutants/check.ts";
import { type Coverage, planFor, readCoverage } from "./mutants/coverage.ts";
import { harmless } from "./mutants/harmless.ts";
import type { Answer } from "./mutants/mutant-messages.ts";
import { type Mutant, mutantsOf } from "./mutants/operators.ts";
import { openWorker, type Worker } from "./mutants/worker.ts";

/**
 * `npm run mutants -- FILES` mutates files of `sync/`, one change at a time, and reports the mutants that no test and no
 * simulator seed kills. `--sample N --seed S` tries N random mutants, `--simulator` uses only the simulator, `--jobs N` sets
 * the number of workers, and `--again` tries the survivors of the last run. Mutants that the compiler or linter rejects are
 * skipped; equivalent mutants are listed in `mutants/harmless.ts` with a reason.
 */
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: "string" },
		seed: { type: "string", default: "1" },
		seeds: { type: "string", default: "12" },
		jobs: { type: "string", default: "2" },
		simulator: { type: "boolean", default: false },
		again: { type: "boolean", default: false },
		list: { type: "boolean", default: false },
	},
});

/** A mutant that runs or waits longer than this in one test never ends. */
const workMaxMs = 12_000;
const silenceMaxMs = 300_000;
/** The surviving mutants, by file. */
const unnoticedFile = join("bench-results", "mutants.json");
/** The number of mutants whose modules fit into one process's memory. */
const mutantsPerWorker = 50;

type Outcome = "killed" | "refused" | "survived" | "without end" | "not run";
interface Tried {
	mutant: Mutant;
	outcome: Outcome;
	by: string;
}

const isCore = (file: string) =>
	!/test|simulation\/|fixtures|power-cut|until-killed|contract/.test(file);
const files = (
	positionals.length > 0 ? positionals : globSync("sync/**/*.ts").filter(isCore)
).toSorted();
const all = files.flatMap((file) =>
	mutantsOf(file, readFileSync(file, "utf8")),
);
const stale = harmless.filter(
	(one) =>
		files.includes(`sync/${one.file}`) &&
		!all.some((mutant) => isOf(mutant, one)),
);
const unnoticed: Record<string, string[]> = existsSync(unnoticedFile)
	? JSON.parse(readFileSync(unnoticedFile, "utf8"))
	: {};
const tried = choose(
	all.filter(
		(mutant) =>
			!harmless.some((one) => isOf(mutant, one)) &&
			(!values.again || unnoticed[mutant.file]?.includes(nameOf(mutant))),
	),
);
const excused = all.filter((mutant) =>
	harmless.some((one) => isOf(mutant, one)),
);
if (values.list) {
	const lines = tried.map(
		({ file, line, what }) => `${file}:${line} ${what}\n`,
	);
	// Wait for the write, because process.exit drops output that is still buffered for a pipe.
	await new Promise<unknown>((written) =>
		process.stdout.write(lines.join(""), written),
	);
	process.exit();
}
const giveBack = keepInMemory();
const folder = mkdtempSync(join(tmpdir(), "counterfoil-mutants-"));
process.env.TMPDIR = folder;
const results: Tried[] = [];
let ids = 0;
try {
	const coverage = await readCoverage(Number(values.seeds), (line) =>
		console.error(line),
	);
	const refused = refusedByCheck(tried);
	for (const mutant of refused)
		results.push({ mutant, outcome: "refused", by: "check" });
	const queue = tried.filter((mutant) => !refused.has(mutant));
	await Promise.all(
		Array.from({ length: Number(values.jobs) }, () => work(queue, coverage)),
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
	giveBack?.();
}
keepUnnoticed();
report();

function nameOf({ code, what }: Mutant): string {
	return `${code}: ${what}`;
}

function keepUnnoticed(): void {
	for (const file of new Set(tried.map((mutant) => mutant.file)))
		unnoticed[file] = results
			.filter(
				({ mutant, outcome }) =>
					mutant.file === file && ["survived", "not run"].includes(outcome),
			)
			.map(({ mutant }) => nameOf(mutant));
	mkdirSync("bench-results", { recursive: true });
	writeFileSync(unnoticedFile, JSON.stringify(unnoticed, null, "\t"));
}

function isOf(mutant: Mutant, one: (typeof harmless)[number]): boolean {
	return (
		mutant.file === `sync/${one.file}` &&
		mutant.code.includes(one.code) &&
		(one.change === undefined || mutant.what.includes(one.change))
	);
}

function choose(from: readonly Mutant[]): Mutant[] {
	if (values.sample === undefined) return [...from];
	const random = openRandom(values.seed, "mutants");
	const left = [...from];
	return Array.from(
		{ length: Math.min(Number(values.sample), left.length) },
		() => left.splice(random.below(left.length), 1)[0] as Mutant,
	);
}

async function work(queue: Mutant[], coverage: Coverage): Promise<void> {
	let worker: Worker | undefined;
	let count = 0;
	for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
		if (count >= mutantsPerWorker) {
			worker?.end();
			worker = undefined;
			count = 0;
		}
		worker ??= await openWorker();
		count += 1;
		const { outcome, by, isSpoilt } = await tryOne(worker, mutant, coverage);
		if (isSpoilt) {
			worker.end();
			worker = undefined;
			count = 0;
		}
		results.push({ mutant, outcome, by });
		if (outcome !== "killed")
			console.log(`${mutant.file}:${mutant.line} ${outcome}: ${mutant.what}`);
		if (results.length % 50 === 0)
			console.error(
				`${results.length} of ${tried.length}, ${scoreOf(results)}`,
			);
	}
	worker?.end();
}

async function tryOne(
	worker: Worker,
	mutant: Mutant,
	coverage: Coverage,
): Promise<{ outcome: Outcome; by: string; isSpoilt: boolean }> {
	const source = readFileSync(mutant.file, "utf8");
	const plan = planFor(mutant, coverage).filter(
		({ file }) => !values.simulator || file === "simulator",
	);
	if (plan.length === 0) return { outcome: "not run", by: "", isSpoilt: false };
	ids += 1;
	const { promise, resolve } =
		Promise.withResolvers<Awaited<ReturnType<typeof tryOne>>>();
	let heardAt = performance.now();
	let usedMs = worker.usedMs() ?? 0;
	const timer = setInterval(() => {
		const isOver =
			performance.now() - heardAt > silenceMaxMs ||
			(worker.usedMs() ?? usedMs) - usedMs > workMaxMs;
		if (isOver) resolve({ outcome: "without end", by: "", isSpoilt: true });
	}, 1_000);
	const wait = () => {
		heardAt = performance.now();
		usedMs = worker.usedMs() ?? 0;
	};
	worker.listen(
		(answer: Answer) => {
			wait();
			if (answer.kind === "survived")
				resolve({ outcome: "survived", by: "", isSpoilt: false });
			else if (answer.kind === "killed")
				resolve({
					outcome: "killed",
					by: `${answer.by.file}: ${answer.why}`,
					isSpoilt: answer.isSpoilt,
				});
		},
		() =>
			resolve({ outcome: "killed", by: "the process ended", isSpoilt: true }),
	);
	worker.ask({
		kind: "try",
		id: ids,
		file: mutant.file.slice("sync/".length),
		source:
			source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end),
		plan: plan.map(({ file, index }) => ({ file, index })),
		seeds: Number(values.seeds),
	});
	const outcome = await promise;
	clearInterval(timer);
	return outcome;
}

/** A mutant that never ends counts as killed: people would notice. */
function scoreOf(some: readonly Tried[]): string {
	const noticed = some.filter(({ outcome }) =>
		["killed", "refused", "without end"].includes(outcome),
	).length;
	const percent = ((100 * noticed) / Math.max(some.length, 1)).toFixed(1);
	return `${noticed} of ${some.length} noticed, ${percent} %`;
}

function report(): void {
	for (const file of files) {
		const own = results.filter(({ mutant }) => mutant.file === file);
		if (own.length > 0) console.log(`${file}: ${scoreOf(own)}`);
	}
	const countOf = (by: string) =>
		results.filter((one) => one.by.startsWith(by)).length;
	console.log(
		`${scoreOf(results)}${values.sample === undefined ? "" : ` (a sample of ${all.length - excused.length})`}; ${excused.length} more do no harm; ${countOf("check")} were refused by types or linter, and ${countOf("simulator")} noticed by the simulator first`,
	);
	for (const { file, code } of stale)
		console.log(
			`No mutant is this any more, though listed as harmless: ${file}: ${code}`,
		);
	if (stale.length > 0) process.exitCode = 1;
}
