import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const figure = z.strictObject({
	what: z.string(),
	value: z.number(),
	unit: z.string(),
	/** What it should be at least. */
	reach: z.number().optional(),
	/** What it should be at most. */
	limit: z.number().optional(),
	/** Of other people's programs that it was measured with. */
	versions: z.string().optional(),
});

/** One measured figure. */
export type Figure = z.output<typeof figure>;

const result = z.strictObject({
	at: z.iso.datetime(),
	node: z.string(),
	machine: z.strictObject({ cores: z.number(), memoryGb: z.number() }),
	/** What was asked for other than the usual. */
	settings: z.record(z.string(), z.string()),
	figures: z.array(figure),
});

/** What a benchmark measured once, and where. */
export type Result = z.output<typeof result>;

const results = z.record(z.string(), result);

/** Part of the repository: what is measured later is compared with it. */
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
 * The last result of each benchmark that was kept, by its name.
 *
 * @throws Error for a file that holds anything else
 */
export function readKept(file = keptFile): Record<string, Result> {
	if (!existsSync(file)) return {};
	try {
		return results.parse(JSON.parse(readFileSync(file, "utf8")));
	} catch (cause) {
		throw new Error(`${file} does not hold results of benchmarks`, { cause });
	}
}

/**
 * Puts a result in the place of the one that was kept, and leaves those of other benchmarks.
 *
 * @throws Error for a figure that is no number
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
