import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const figure = z.strictObject({
	what: z.string(),
	value: z.number(),
	unit: z.string(),
	/** The least acceptable value. */
	reach: z.number().optional(),
	/** The greatest acceptable value. */
	limit: z.number().optional(),
	/** Versions of third-party packages that were measured. */
	versions: z.string().optional(),
});

/** One measured figure. */
export type Figure = z.output<typeof figure>;

const result = z.strictObject({
	at: z.iso.datetime(),
	node: z.string(),
	machine: z.strictObject({ cores: z.number(), memoryGb: z.number() }),
	/** Options that differ from the defaults. */
	settings: z.record(z.string(), z.string()),
	figures: z.array(figure),
});

/** One run of a benchmark: its figures, with the machine and options. */
export type Result = z.output<typeof result>;

const results = z.record(z.string(), result);

/** Committed to the repository as the baseline for later runs. */
const keptFile = join(import.meta.dirname, "bench-kept.json");

export function toResult(
	figures: Figure[],
	settings: Result["settings"],
): Result {
	return {
		at: new Date().toISOString(),
		node: process.version,
		machine: {
			cores: availableParallelism(),
			memoryGb: Math.round(totalmem() / 2 ** 30),
		},
		settings,
		figures,
	};
}

/**
 * Reads the kept result of each benchmark, by its name.
 *
 * @throws Error if the file has any other content
 */
export function readKept(file = keptFile): Record<string, Result> {
	if (!existsSync(file)) return {};
	try {
		return results.parse(JSON.parse(readFileSync(file, "utf8")));
	} catch (cause) {
		throw new Error(`${file} is not a file of benchmark results`, { cause });
	}
}

/**
 * Replaces a benchmark's kept result, and leaves those of other benchmarks.
 *
 * @throws Error for a figure that is not finite
 */
export function keep(name: string, measured: Result, file = keptFile): void {
	const bad = measured.figures.find(({ value }) => !Number.isFinite(value));
	if (bad) throw new Error(`Not kept: "${bad.what}" is ${bad.value}`);
	const figures = measured.figures.map((it) => ({
		...it,
		value: Number(it.value.toPrecision(6)),
	}));
	const all = { ...readKept(file), [name]: { ...measured, figures } };
	writeFileSync(file, `${JSON.stringify(all, null, "\t")}\n`);
}
