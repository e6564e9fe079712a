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
 * Paths of this repository that a document links to or names in code, and that are not there.
 *
 * @param file the document's own path, from which its links begin
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

/** Tables in the first column of a document's tables. */
function tablesIn(text: string): string[] {
	return [...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(
		([, name]) => name as string,
	);
}

describe("the documents", () => {
	test.each(docs)("name only paths that exist: %s", (file) => {
		const exists = (path: string) => existsSync(join(root, path));
		expect(deadPaths(file, read(file), exists)).toEqual([]);
	});

	test("name each table of the schema once, as one that travels or stays", () => {
		const schema = read("schema.sql").matchAll(/^CREATE TABLE (\w+)/gm);
		const [, travels = "", stays = ""] = read("docs/data-model.md").split(
			/^## Tables that (?:travel|stay)$/m,
		);
		const travelling = entities.flatMap(({ table, lines }) =>
			lines ? [table, lines.table] : [table],
		);
		expect(tablesIn(travels).sort()).toEqual(travelling.sort());
		expect([...tablesIn(travels), ...tablesIn(stays)].sort()).toEqual(
			[...schema].map(([, name]) => name).sort(),
		);
	});

	test("would be told of a dead link, a path that was moved, and nothing else", () => {
		const there = new Set(["sync/shop.ts", "docs/tour.md"]);
		const text =
			"[a](tour.md#top) [b](gone.md) [c](https://example.com) `sync/shop.ts` `sync/old.ts` `GET /api/sync`";
		expect(deadPaths("docs/a.md", text, (path) => there.has(path))).toEqual([
			"docs/gone.md",
			"sync/old.ts",
		]);
	});
});
