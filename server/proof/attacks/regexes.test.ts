import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import * as fields from "../../../sync/entities/fields.ts";
import { searchable } from "../../../sync/entities/searchable.ts";
import { parseCursor } from "../../../sync/protocol/protocol.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { accountFields } from "../../accounts/auth-routes.ts";
import { faultOfStatus } from "../../gateway/fault.ts";
import { toCsv } from "../../http/csv.ts";
import { redactPaths } from "../../redact-paths.ts";

const root = join(import.meta.dirname, "../../..");

/** Collects every regular expression in the sources, with the first file that has it. */
function regexesOfSources(): Map<string, { regex: RegExp; file: string }> {
	const files = globSync("{server,sync,cli,desktop}/**/*.{ts,tsx,js,cjs}", {
		cwd: root,
	}).filter(
		(file) =>
			!/\.test\.|(^|\/)(test-|testing\/|attacks\/|dist\/|builds\/|packaged\/|node_modules\/)/.test(
				file,
			),
	);
	expect(files.length).toBeGreaterThan(200);
	const found = new Map<string, { regex: RegExp; file: string }>();
	for (const file of files) {
		const text = readFileSync(join(root, file), "utf8");
		// The start position doesn't matter here.
		for (const [pattern, flags] of regexesIn(
			parseSync(file, text).program.body,
		))
			found.set(`/${pattern}/${flags}`, {
				regex: new RegExp(pattern, flags.replace(/[gy]/g, "")),
				file,
			});
	}
	return found;
}

function* regexesIn(
	node: unknown,
): Generator<[pattern: string, flags: string]> {
	if (typeof node !== "object" || node === null) return;
	const { regex } = node as { regex?: { pattern: string; flags: string } };
	if (regex) yield [regex.pattern, regex.flags];
	else for (const inner of Object.values(node)) yield* regexesIn(inner);
}

const pieces = [
	...["a", "A", "0", " ", "\t", "\n", "/", "\\", "-", "_", ".", ",", ":", ";"],
	...[
		"=",
		"@",
		"+",
		"|",
		"(",
		"<",
		'"',
		"'",
		"%",
		"{",
		"é",
		"\u0301",
		"\ud83d",
	],
	...["/a", "a/", "a-", "a.", "a,", " a", "a=", "0.", "//", "--", "a@", "\\a"],
];
const ends = ["\0", "\n!"];

/** Yields strings that may make a pattern backtrack. */
function* worstStrings(source: string, length: number): Generator<string> {
	const own = source.match(/[a-z]{2,}:?/gi) ?? [];
	const begins = new Set(["", /^\^?([\w:/ -]*)/.exec(source)?.[1] ?? ""]);
	for (const begin of begins)
		for (const piece of [...pieces, ...own])
			for (const end of ends) yield begin + piece.repeat(length) + end;
}

/** Repeat counts, ascending, so that an exponential pattern shows before it takes too long. */
const lengths = [20, 24, 28, 500, 10_000];
const noticeableMs = 15;

/** @returns the start of a string that takes longer than linear time */
function slowFor(
	source: string,
	read: (text: string) => unknown,
): string | undefined {
	for (const length of lengths)
		for (const text of worstStrings(source, length)) {
			if (cpuMs(() => read(text)) < noticeableMs) continue;
			// Rules out a busy machine: in linear time, a tenth of the text takes a tenth of the time.
			const part = text.slice(0, length / 10) + text.slice(-2);
			const whole = Math.min(
				cpuMs(() => read(text)),
				cpuMs(() => read(text)),
			);
			if (whole > noticeableMs && whole > 30 * cpuMs(() => read(part)))
				return JSON.stringify(text.slice(0, 40));
		}
	return undefined;
}

function cpuMs(run: () => unknown): number {
	const before = process.cpuUsage();
	run();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

describe("a pattern", () => {
	oneIn(3)(
		"every regular expression of the sources runs in linear time",
		() => {
			const regexes = regexesOfSources();
			expect(regexes.size).toBeGreaterThan(70);
			const slow = [...regexes]
				.map(([name, { regex, file }]) => [
					file,
					name,
					slowFor(regex.source, (text) => regex.test(text)),
				])
				.filter(([, , text]) => text !== undefined);
			expect(slow).toEqual([]);
		},
	);

	test.each([/\s+$/, /^(a+)+$/, /,.*,.*,x/, /\/+$/])(
		"a slow regular expression is found: %s",
		(regex) => {
			expect(slowFor(regex.source, (text) => regex.test(text))).toBeDefined();
		},
	);
});

const checks: [string, (text: string) => unknown][] = [
	["an email", (text) => accountFields.email.safeParse(text)],
	["an email's host", (text) => accountFields.email.safeParse(`a@${text}`)],
	["a name", (text) => accountFields.name.safeParse(text)],
	["a moment", (text) => fields.timestamp.safeParse(`2026-01-01T${text}`)],
	["a day", (text) => fields.day.safeParse(`2026-${text}`)],
	["a currency", (text) => fields.currency.safeParse(text)],
	["a time zone", (text) => fields.timeZone.safeParse(text)],
	["text", (text) => fields.requiredText(500).safeParse(text)],
	["a searched word", searchable],
	["a cursor", (text) => parseCursor(text)],
	["a cell", (text) => toCsv([[text]])],
	["a fault's message", (text) => redactPaths(text)],
	["a provider's error", (text) => faultOfStatus(400, text)],
];

test.each(checks)("%s is checked in linear time", (_what, read) => {
	expect(slowFor("", read)).toBeUndefined();
});
