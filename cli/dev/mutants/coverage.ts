import { hash } from "node:crypto";
import {
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { CoveredTest, Ranges } from "./mutant-messages.ts";
import type { Mutant } from "./operators.ts";
import { openWorker } from "./worker.ts";

/** Records which test runs which parts of `sync/`. */
export interface Coverage {
	tests: CoveredTest[];
	/** The parts that run when modules are loaded. */
	loaded: Ranges[];
}

/** Test files to skip, because they start programs or databases or wait for seconds. */
const unsuited =
	/^simulation\/(?!every-statement)|postgres|power-cut|move|shared-database|over-http/;
const cache = join("node_modules", ".cache", "counterfoil-mutants");

/** Measures the coverage of all tests, or reads it from a cache if tests and core have not changed. */
export async function readCoverage(
	seeds: number,
	say: (line: string) => void,
): Promise<Coverage> {
	const sources = globSync("sync/**/*.ts").sort();
	const core = sources
		.filter((file) => !file.endsWith(".test.ts"))
		.map((file) => readFileSync(file, "utf8"))
		.join();
	const files = sources
		.filter((file) => file.endsWith(".test.ts"))
		.map((file) => file.slice("sync/".length))
		.filter((file) => !unsuited.test(file));
	const keyOf = (file: string) =>
		hash(
			"sha256",
			core +
				(file === "simulator" ? seeds : readFileSync(`sync/${file}`, "utf8")),
			"hex",
		);
	const all: Coverage = { tests: [], loaded: [] };
	mkdirSync(cache, { recursive: true });
	for (const file of [...files, "simulator"]) {
		const kept = join(cache, `${keyOf(file)}.json`);
		if (!existsSync(kept)) {
			say(`What ${file} runs …`);
			const made = await measure(file, seeds, say);
			writeFileSync(kept, JSON.stringify(made));
		}
		const { tests, loaded }: Coverage = JSON.parse(readFileSync(kept, "utf8"));
		all.tests.push(...tests);
		all.loaded.push(...loaded);
	}
	return all;
}

async function measure(
	file: string,
	seeds: number,
	say: (line: string) => void,
): Promise<Coverage> {
	const made: Coverage = { tests: [], loaded: [] };
	const worker = await openWorker();
	const { promise: done, resolve, reject } = Promise.withResolvers<void>();
	worker.listen(
		(answer) => {
			if (answer.kind === "covered") made.tests.push(answer.test);
			else if (answer.kind === "loaded") made.loaded.push(answer.ranges);
			else if (answer.kind === "broken")
				say(`  left out, as it fails here: ${answer.name}: ${answer.why}`);
			else if (answer.kind === "coverage done") resolve();
		},
		() => reject(new Error(`${file} ended its process`)),
	);
	worker.ask(
		file === "simulator"
			? { kind: "cover", files: [], seeds }
			: { kind: "cover", files: [file], seeds: 0 },
	);
	await done;
	worker.end();
	return made;
}

/** Time limits: for one test, for all tests that run the mutant, and for the others. */
const testMaxMs = 1_500;
const throughMaxMs = 12_000;
const othersMaxMs = 1_000;

/**
 * Orders the tests that may kill a mutant by how soon they are likely to: first tests named after its file or importing it,
 * then quick tests, then the simulator, and finally, within a time limit, tests that reach it only through values cached by
 * another test.
 */
export function planFor(
	{ file, start, isStatic }: Mutant,
	{ tests, loaded }: Coverage,
): CoveredTest[] {
	const path = file.replace(/^sync\//, "");
	const runs = (ranges: Ranges) =>
		ranges[path]?.some(([from, to]) => from <= start && start < to) ?? false;
	const stem = path.replace(/\.ts$/, "");
	const isOwn = ({ file }: CoveredTest) =>
		file.startsWith(`${stem}.`) ||
		file.startsWith(`${stem}-`) ||
		importsOf(file).has(path);
	const order = (one: CoveredTest) =>
		(isOwn(one) ? 0 : 1e6) +
		(one.file === "simulator" ? 1e5 : 0) +
		one.ms * (one.ranges[path] === undefined ? 10 : 1);
	const inOrder = tests.toSorted((a, b) => order(a) - order(b));
	const isAtLoad = isStatic || loaded.some(runs);
	const through = inOrder.filter(({ ranges }) => runs(ranges));
	if (through.length === 0 && !isAtLoad) return [];
	const others = inOrder.filter(
		(one) =>
			// A test may depend only on values made when the module was loaded.
			(isAtLoad || one.ranges[path] !== undefined) && !through.includes(one),
	);
	return [
		...within(throughMaxMs, through),
		...within(isAtLoad ? throughMaxMs : othersMaxMs, others),
	];
}

const importsByTest = new Map<string, Set<string>>();

/** The modules below `sync/` that a test file imports. */
function importsOf(file: string): Set<string> {
	let imports = importsByTest.get(file);
	if (!imports) {
		const text =
			file === "simulator" ? "" : readFileSync(`sync/${file}`, "utf8");
		imports = new Set(
			[...text.matchAll(/ from "(\.[^"]+)"/g)].map(([, name]) =>
				join(dirname(file), name as string),
			),
		);
		importsByTest.set(file, imports);
	}
	return imports;
}

/** The tests that fit into the time limit, slow ones last, and always the simulator. */
function within(maxMs: number, tests: readonly CoveredTest[]): CoveredTest[] {
	let left = maxMs;
	return tests.filter(({ ms, file }) => {
		if (file === "simulator") return true;
		if (ms > testMaxMs || ms > left) return false;
		left -= ms;
		return true;
	});
}
