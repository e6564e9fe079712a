import { spawnSync } from "node:child_process";
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mutant } from "./operators.ts";

/** The number of copied files that fit into the compiler's memory. */
const atOnce = 800;

/**
 * Finds the mutants that `npm run check` rejects for a type error or a floating promise. An unused name doesn't count,
 * because it says nothing about the mutant's behaviour.
 */
export function refusedByCheck(mutants: readonly Mutant[]): Set<Mutant> {
	const refused = new Set<Mutant>();
	for (let from = 0; from < mutants.length; from += atOnce) {
		const some = mutants.slice(from, from + atOnce);
		for (const index of refusedOf(some)) refused.add(some[index] as Mutant);
	}
	return refused;
}

/** Puts each mutant beside its original in a copy of the core, so that one run checks all of them. */
function refusedOf(mutants: readonly Mutant[]): Set<number> {
	const folder = mkdtempSync(join(tmpdir(), "counterfoil-check-"));
	try {
		cpSync("sync", join(folder, "sync"), { recursive: true });
		cpSync("package.json", join(folder, "package.json"));
		symlinkSync(
			join(process.cwd(), "node_modules"),
			join(folder, "node_modules"),
		);
		const files = mutants.map(({ file, start, end, text }, index) => {
			const source = readFileSync(file, "utf8");
			const copy = file.replace(/\.ts$/, `.mutant${index}.ts`);
			const mutated = source.slice(0, start) + text + source.slice(end);
			writeFileSync(join(folder, copy), mutated);
			return copy;
		});
		const { compilerOptions } = JSON.parse(
			readFileSync("tsconfig.json", "utf8"),
		);
		writeFileSync(
			join(folder, "tsconfig.json"),
			JSON.stringify({
				compilerOptions: {
					...compilerOptions,
					noUnusedLocals: false,
					noUnusedParameters: false,
				},
				files,
			}),
		);
		writeFileSync(
			join(folder, "biome.json"),
			JSON.stringify({
				formatter: { enabled: false },
				assist: { enabled: false },
				linter: {
					rules: {
						recommended: false,
						nursery: { noFloatingPromises: "error" },
					},
				},
			}),
		);
		const said = [
			run(folder, "tsc", ["-p", ".", "--pretty", "false"]),
			run(folder, "biome", ["lint", "--max-diagnostics=none", ...files]),
		].join("\n");
		return new Set(
			[...said.matchAll(/^sync\S*\.mutant(\d+)\.ts[(:]/gm)].map(([, index]) =>
				Number(index),
			),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** @returns the program's output on both streams */
function run(cwd: string, program: string, args: readonly string[]): string {
	const { stdout, stderr, error } = spawnSync(
		join(cwd, "node_modules", ".bin", program),
		args,
		{ cwd, encoding: "utf8", maxBuffer: 1 << 28 },
	);
	if (error) throw error;
	return `${stdout}\n${stderr}`;
}
