import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { entities } from "../../sync/entities/index.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const docs = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
	cwd: root,
	encoding: "utf8",
})
	.trim()
	.split("\n")
	.filter((file) => /^docs\/.*\.md$/.test(file));

/**
 * Finds repository paths that a document links to or names in code but that don't exist.
 *
 * @param file the document's path, which its links are relative to
 */
function deadPaths(
	file: string,
	text: string,
	exists: (path: string) => boolean,
): string[] {
	const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
		.map(([, target]) => target as string)
		.filter((target) => !/^[a-z]+:/.test(target))
		.map((target) => normalize(join(dirname(file), target)));
	const named = [
		...text.matchAll(/`((?:sync|server|desktop|cli|docs)\/[\w./-]*)`/g),
	].map(([, path]) => path as string);
	return [...links, ...named].filter((path) => !exists(path));
}

/** @returns the table names in the first column of a document's tables */
function tablesIn(text: string): string[] {
	return [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(
		([, name]) => name as string,
	);
}

describe("the documents", () => {
	test.each(docs)("%s names only paths that exist", (file) => {
		const exists = (path: string) =>
			existsSync(join(root, path)) ||
			// Written on the way, as another test follows it.
			(file === "docs/first-feature.md" && path.includes("courier"));
		expect(deadPaths(file, read(file), exists)).toEqual([]);
	});

	test("the data model names each table of the schema once, or the schema says what it is for", () => {
		const schema = read("schema.sql");
		const tablesAfter = (pattern: RegExp) =>
			[...schema.matchAll(pattern)].map(([, name]) => name as string);
		const tables = tablesAfter(/^CREATE (?:TABLE|VIEW) (\w+)/gm);
		const explained = tablesAfter(/^--.*\nCREATE (?:TABLE|VIEW) (\w+)/gm);
		const travelling = entities.flatMap(({ table, lines }) =>
			lines ? [table, lines.table] : [table],
		);
		const [, travels = "", stays = ""] = read("docs/data-model.md").split(
			/^## Tables that (?:travel|stay)$/m,
		);
		const named = [...tablesIn(travels), ...tablesIn(stays)];
		expect(new Set(named).size).toBe(named.length);
		expect(tables).toEqual(expect.arrayContaining(named));
		expect(travelling).toEqual(expect.arrayContaining(tablesIn(travels)));
		expect(tablesIn(stays).filter((it) => travelling.includes(it))).toEqual([]);
		expect(
			tables.filter((it) => !named.includes(it) && !explained.includes(it)),
		).toEqual([]);
	});

	test("the check of documents finds dead links and missing paths, and nothing else", () => {
		const there = new Set(["sync/shop.ts", "docs/tour.md"]);
		const text =
			"[a](tour.md#top) [b](gone.md) [c](https://example.com) `sync/shop.ts` `sync/old.ts` `GET /api/sync`";
		expect(deadPaths("docs/a.md", text, (path) => there.has(path))).toEqual([
			"docs/gone.md",
			"sync/old.ts",
		]);
	});
});
