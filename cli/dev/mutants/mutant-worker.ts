import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type {
	Answer,
	CoveredTest,
	Ranges,
	WorkerRequest,
} from "./mutant-messages.ts";
import type { Test } from "./stand-in.ts";

/**
 * A process that tries mutants one by one. Each mutant gets fresh modules of the core and its tests, with a test runner that
 * starts instantly. Node never frees modules, so the parent replaces the process from time to time.
 */

const root = new URL("../../../sync/", import.meta.url).href;
const standIn = new URL("./stand-in.ts", import.meta.url).href;
/** A test that is idle for this long is waiting forever. Time without the processor doesn't count. */
const idleMaxMs = 8_000;
const stripped = new Map<string, string>();
let mutant: { id: number; url: string; source: string } | undefined;
let unhandled: unknown;
process.on("unhandledRejection", (error) => {
	unhandled ??= error ?? new Error("Rejected with nothing");
});
process.on("uncaughtException", (error) => {
	unhandled ??= error;
});

registerHooks({
	resolve(specifier, context, next) {
		if (specifier === "vitest") return { url: standIn, shortCircuit: true };
		if (specifier === "vitest?real") return next("vitest", context);
		const resolved = next(specifier, context);
		const [, id] = context.parentURL?.split("?mutant=") ?? [];
		return id !== undefined && resolved.url.startsWith(root)
			? { ...resolved, url: `${resolved.url}?mutant=${id}` }
			: resolved;
	},

	load(url, context, next) {
		const [path = "", id] = url.split("?mutant=");
		if (id === undefined || !path.endsWith(".ts")) return next(url, context);
		const isMutated = path === mutant?.url && Number(id) === mutant.id;
		let source = isMutated ? mutant?.source : stripped.get(path);
		if (source === undefined || isMutated) {
			source = stripTypeScriptTypes(
				source ?? readFileSync(fileURLToPath(path), "utf8"),
			);
			if (!isMutated) stripped.set(path, source);
		}
		return { format: "module", source, shortCircuit: true };
	},
});

const { collect } = await import("./stand-in.ts");

/** @throws the reason for its failure */
async function runTest(test: Test): Promise<void> {
	unhandled = undefined;
	await unlessIdle(() => test.run());
	// Unhandled rejections arrive a moment later.
	await new Promise<void>((resolve) => setImmediate(resolve));
	if (unhandled) throw unhandled;
}

/** @throws if it waits forever */
async function unlessIdle(run: () => Promise<unknown>): Promise<void> {
	const { idle: before } = performance.eventLoopUtilization();
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setInterval(() => {
		const { idle } = performance.eventLoopUtilization();
		if (idle - before > idleMaxMs) reject(new Error("Timeout"));
	}, 250);
	try {
		await Promise.race([run(), late]);
	} finally {
		clearInterval(timer);
	}
}

const load = (file: string, id: number) =>
	collect(() => import(`${root}${file}?mutant=${id}`));

/** Runs the simulator once. */
async function simulate(seed: number, id: number): Promise<void> {
	const { openGround } = await import(`${root}simulation/run.ts?mutant=${id}`);
	const { makeScript } = await import(
		`${root}simulation/script.ts?mutant=${id}`
	);
	const ground = await openGround("sqlite");
	unhandled = undefined;
	try {
		const { violations } = await ground.run(makeScript(seed));
		if (violations.length > 0) throw new Error(violations[0].rule);
	} finally {
		await ground.close();
	}
}

/** Runs tests without a mutant, and reports the functions and blocks of `sync/` that each runs. */
async function cover(files: readonly string[], seeds: number): Promise<void> {
	const session = new Session();
	session.connect();
	await session.post("Profiler.enable");
	await session.post("Profiler.startPreciseCoverage", {
		callCount: true,
		detailed: true,
	});
	const take = async () => {
		const { result } = await session.post("Profiler.takePreciseCoverage");
		const ranges: Ranges = {};
		for (const { url, functions } of result) {
			if (!url.startsWith(root) || url.includes(".test.ts")) continue;
			const path = url.slice(root.length).replace(/\?.*/, "");
			const blocks = functions.flatMap((one) => one.ranges);
			if (blocks.some(({ count }) => count > 0)) ranges[path] = partsOf(blocks);
		}
		return ranges;
	};
	const measure = async (
		test: Omit<CoveredTest, "ms" | "ranges">,
		run: () => Promise<void>,
	) => {
		await take();
		const begun = process.cpuUsage();
		await run();
		const { user, system } = process.cpuUsage(begun);
		answer({
			kind: "covered",
			test: {
				...test,
				ms: Math.round((user + system) / 1_000),
				ranges: await take(),
			},
		});
	};
	for (const [i, file] of files.entries()) {
		// Fresh modules for each test, so that cached values are made again.
		const tests = await load(file, -i);
		answer({ kind: "loaded", ranges: await take() });
		for (const [index, test] of tests.entries())
			try {
				await measure({ file, index, name: test.name }, () => runTest(test));
			} catch (error) {
				answer({
					kind: "broken",
					name: `${file}: ${test.name}`,
					why: `${error}`,
				});
			}
	}
	if (seeds > 0)
		await measure(
			{ file: "simulator", index: 0, name: "simulator" },
			async () => {
				for (let seed = 1; seed <= seeds; seed += 1) await simulate(seed, 0);
			},
		);
	session.disconnect();
	answer({ kind: "coverage done" });
}

/** For nested blocks, the innermost counts. */
function partsOf(
	blocks: readonly { startOffset: number; endOffset: number; count: number }[],
): [number, number][] {
	const end = Math.max(...blocks.map(({ endOffset }) => endOffset));
	const ran = new Uint8Array(end + 1);
	const size = ({ startOffset, endOffset }: (typeof blocks)[number]) =>
		endOffset - startOffset;
	for (const block of blocks.toSorted((a, b) => size(b) - size(a)))
		ran.fill(block.count > 0 ? 1 : 0, block.startOffset, block.endOffset);
	const parts: [number, number][] = [];
	for (let i = 0; i <= end; i += 1)
		if (ran[i] === 1 && ran[i - 1] !== 1) parts.push([i, i]);
		else if (ran[i] !== 1 && ran[i - 1] === 1)
			(parts.at(-1) as [number, number])[1] = i;
	return parts;
}

async function tryOne({
	id,
	file,
	source,
	plan,
	seeds,
}: Extract<WorkerRequest, { kind: "try" }>) {
	mutant = { id, url: `${root}${file}`, source };
	const loaded = new Map<string, Test[]>();
	for (const step of plan) {
		answer({ kind: "beat" });
		try {
			if (step.file === "simulator")
				for (let seed = 1; seed <= seeds; seed += 1) {
					await unlessIdle(() => simulate(seed, id));
					answer({ kind: "beat" });
				}
			else {
				const tests = loaded.get(step.file) ?? (await load(step.file, id));
				loaded.set(step.file, tests);
				const test = tests[step.index];
				if (!test) throw new Error("The test is gone");
				await runTest(test);
			}
		} catch (error) {
			const why = String((error as Error)?.message ?? error).slice(0, 200);
			answer({
				kind: "killed",
				id,
				by: step,
				why,
				isSpoilt: unhandled !== undefined || why === "Timeout",
			});
			return;
		}
	}
	answer({ kind: "survived", id });
}

function answer(message: Answer): void {
	process.send?.(message);
}

process.on("message", (asked: WorkerRequest) => {
	void (asked.kind === "cover"
		? cover(asked.files, asked.seeds)
		: tryOne(asked));
});
answer({ kind: "ready" });
