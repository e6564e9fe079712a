import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { bansOf, openBanSearch } from "./glossary.ts";

const root = join(import.meta.dirname, "../..");
const cspell = join(root, "node_modules/.bin/cspell");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const bans = bansOf(read("docs/glossary.md"));
const search = openBanSearch(bans);

/** The glossary and this test name what they ban. */
const mayName = [
	"docs/glossary.md",
	"cli/dev/glossary.ts",
	"cli/dev/glossary.test.ts",
];
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
	cwd: root,
	encoding: "utf8",
})
	.trim()
	.split("\n")
	.filter((file) => /\.(?:[cm]?[jt]sx?|md|sql|css|html|yml)$/.test(file))
	.filter((file) => !mayName.includes(file));

test("no name, comment, page or document uses a word that the glossary bans", () => {
	expect(bans.length).toBeGreaterThan(30);
	expect(files.length).toBeGreaterThan(500);
	const found = files.flatMap((file) =>
		[...search(file), ...search(read(file))].map((one) => `${file}:${one}`),
	);
	expect(found).toEqual([]);
});

test.each([
	["const oplog = 1;", '1: "oplog"; write mutation log'],
	["\nconst newOplogs = 1;", '2: "oplogs"; write mutation log'],
	["send-ack.ts", '1: "ack"; write result'],
	["a dead\n\t * letter", '1: "dead letter"; write rejected'],
])("a banned word is found in %j", (text, complaint) => {
	expect(search(text)).toEqual([complaint]);
});

test.each(["back", "Acknowledged", "package", "a dead man's letter"])(
	"no banned word is found in %j",
	(text) => {
		expect(search(text)).toEqual([]);
	},
);

oneIn(6)(
	"the spelling check knows this project's words and finds a misspelled one",
	() => {
		const { stdout } = spawnSync(
			cspell,
			["stdin", "--no-progress", "--quiet", "--words-only"],
			{
				cwd: root,
				input:
					"/** Njeri's tmpfs. */ const openMaziwa = 1;\nconst serachTerm = 1;\n",
				encoding: "utf8",
			},
		);
		expect(stdout).toBe("serach\n");
	},
);
