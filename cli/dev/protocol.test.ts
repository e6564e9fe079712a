import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../../sync/protocol/errors.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const specification = read("docs/protocol.md");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
	cwd: root,
	encoding: "utf8",
})
	.trim()
	.split("\n");

/** A rule starts a line: `- **PUSH-3** A mutation that …`. */
const rule = /^- \*\*([A-Z]+-\d+)\*\* /gm;
/** Rules are cited at the end of a string, such as a test title: `"… is applied once [PUSH-3]"`. */
const citation = /((?: \[[A-Z]+-\d+\])+)["'`]/g;

/** @returns rules without a test, citations of unknown rules, and repeated ids */
function compare(text: string, tests: readonly string[]) {
	const rules = [...text.matchAll(rule)].map(([, id]) => id as string);
	const cited = new Set(
		tests
			.flatMap((source) => [...source.matchAll(citation)])
			.flatMap(([, ids = ""]) => ids.match(/[A-Z]+-\d+/g) ?? []),
	);
	return {
		untested: rules.filter((id) => !cited.has(id)),
		unknown: [...cited].filter((id) => !rules.includes(id)),
		twice: rules.filter((id, at) => rules.indexOf(id) !== at),
	};
}

/** @returns ids in a text that look like a rule's but aren't */
function unknownMentions(text: string, rules: ReadonlySet<string>): string[] {
	const topics = new Set([...rules].map((id) => id.split("-")[0]));
	const mentions = text.match(/\b[A-Z]+-\d+\b/g) ?? [];
	return mentions.filter(
		(id) => topics.has(id.split("-")[0]) && !rules.has(id),
	);
}

/** @returns the codes of a table, each with the value in its column "final" */
function finalByCode(table: string, column: number): Map<string, string> {
	const rows = table.matchAll(/^[ *]*\| `?([a-z]+(?:_[a-z]+)*)`? \|(.+)\|$/gm);
	return new Map(
		[...rows]
			.filter(([, code]) => code !== "code")
			.map(([, code, rest]) => [
				code as string,
				(rest?.split("|")[column - 1] ?? "").trim(),
			]),
	);
}

describe("the protocol's specification", () => {
	test("every protocol rule is cited by a test, and every citation names a rule", () => {
		const tests = files.filter((file) => /\.test\.tsx?$/.test(file)).map(read);
		expect(specification.match(rule)?.length).toBeGreaterThan(60);
		expect(compare(specification, tests)).toEqual({
			untested: [],
			unknown: [],
			twice: [],
		});
	});

	test("documents and comments mention only existing protocol rules", () => {
		const rules = new Set(
			[...specification.matchAll(rule)].map(([, id]) => id),
		);
		const quoting = files.filter((file) => /^docs\/.*\.md$|\.tsx?$/.test(file));
		const wrong = quoting.flatMap((file) =>
			unknownMentions(read(file), rules as Set<string>).map(
				(id) => `${file}: ${id}`,
			),
		);
		expect(wrong).toEqual([]);
	});

	test("the protocol lists each rejection code as final or not, as the code does", () => {
		const errors = specification.slice(specification.indexOf("## Errors"));
		const listed = finalByCode(errors, 3);
		expect([...listed.keys()].sort()).toEqual([...errorCodes].sort());
		expect([...listed].sort()).toEqual(
			[...finalByCode(read("sync/protocol/errors.ts"), 2)].sort(),
		);
	});

	const cite = (...ids: string[]) =>
		`test("a sale is kept${ids.map((id) => ` [${id}]`).join("")}", () => {});`;

	test.each([
		["a rule without a test", ["SALE-1"], { untested: ["SALE-2"] }],
		["a test of no rule", ["SALE-1", "SALE-2", "X-9"], { unknown: ["X-9"] }],
		["all of them cited", ["SALE-1", "SALE-2"], {}],
	])("the check of citations handles %s", (_what, ids, wrong) => {
		const text = "- **SALE-1** It is kept.\n- **SALE-2** It is sent.\n";
		const none = { untested: [], unknown: [], twice: [] };
		expect(compare(text, [cite(...ids)])).toEqual({ ...none, ...wrong });
	});

	test("the check finds a rule id that is used twice or doesn't exist", () => {
		const text = "- **SALE-1** It is kept.\n- **SALE-1** It is sent.\n";
		expect(compare(text, [cite("SALE-1")]).twice).toEqual(["SALE-1"]);
		expect(
			unknownMentions("SALE-1, SALE-3 and UTF-8", new Set(["SALE-1"])),
		).toEqual(["SALE-3"]);
	});

	test("the check finds a code that is final in only one table", () => {
		const row = (final: string) =>
			` * | too_large | too much | ${final} | less |`;
		expect(finalByCode(row("yes"), 2)).toEqual(new Map([["too_large", "yes"]]));
		expect(finalByCode(row("no"), 2)).not.toEqual(finalByCode(row("yes"), 2));
	});
});
