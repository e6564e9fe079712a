import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { openProgram } from "../program.ts";
import { scripts } from "./scripts.ts";
import { placesOf } from "./words.ts";

const fish = "/usr/bin/fish";
const zsh = "/usr/bin/zsh";

function write(shell: string): string {
	const file = join(testDir(), `completion.${shell}`);
	writeFileSync(file, scripts[shell]?.(placesOf(openProgram())) ?? "");
	return file;
}

/** What bash offers for the last of the words. */
function offeredByBash(...words: string[]): string[] {
	const script = `
source "$1"; shift
[[ "$(complete -p counterfoil)" == *"-F _counterfoil"* ]] || exit 1
COMP_WORDS=(counterfoil "$@"); COMP_CWORD=$#
_counterfoil
printf '%s\\n' "\${COMPREPLY[@]}"`;
	return execFileSync("bash", ["-c", script, "bash", write("bash"), ...words], {
		encoding: "utf8",
	})
		.split("\n")
		.filter((word) => word !== "");
}

test("bash completes commands, options and what they may be", () => {
	expect(offeredByBash("")).toEqual(
		expect.arrayContaining(["serve", "user", "member", "--version"]),
	);
	expect(offeredByBash("us")).toEqual(["user"]);
	expect(offeredByBash("user", "")).toEqual([
		...["create", "list", "password", "disable", "enable"],
		"--help",
	]);
	expect(offeredByBash("user", "create", "--bus")).toEqual([
		"--business",
		"--business-name",
	]);
	expect(offeredByBash("user", "create", "--role", "")).toEqual([
		...["OWNER", "MANAGER", "CASHIER"],
	]);
	expect(offeredByBash("member", "role", "a@b.co", "O")).toEqual(["OWNER"]);
	// A name that is a command's is no command here, and a file is bash's own to find.
	expect(offeredByBash("user", "create", "--name", "list", "--js")).toEqual([
		"--json",
	]);
	expect(offeredByBash("import", "products", "--refused", "")).toEqual([]);
});

test.skipIf(!existsSync(fish))(
	"fish completes them (skipped where fish is not there)",
	() => {
		const file = write("fish");
		const offered = (line: string) =>
			execFileSync(
				fish,
				["--no-config", "-c", `source ${file}; complete -C '${line}'`],
				{ encoding: "utf8" },
			)
				.split("\n")
				.map((row) => row.split("\t")[0]);
		expect(offered("counterfoil us")).toContain("user");
		expect(offered("counterfoil user ")).toEqual(
			expect.arrayContaining(["create", "disable"]),
		);
		expect(offered("counterfoil user ")).not.toContain("serve");
		expect(offered("counterfoil user create --bus")).toContain(
			"--business-name",
		);
		expect(offered("counterfoil user create --role ")).toEqual(
			expect.arrayContaining(["OWNER", "CASHIER"]),
		);
	},
);

test.skipIf(!existsSync(zsh))(
	"zsh completes them (skipped where zsh is not there)",
	() => {
		const file = write("zsh");
		const offered = (...words: string[]) =>
			execFileSync(
				zsh,
				[
					"-fc",
					`compdef() { : }
_files() { print files }
compadd() { shift; print -l -- "$@" }
_describe() { print -l -- "\${(@P)2}" }
source "$1"; shift
words=(counterfoil "$@"); CURRENT=$#words
_counterfoil`,
					"zsh",
					file,
					...words,
				],
				{ encoding: "utf8" },
			)
				.trim()
				.split("\n")
				.map((word) => word.split(":")[0]);
		expect(offered("")).toEqual(expect.arrayContaining(["user", "serve"]));
		expect(offered("user", "")).toContain("disable");
		expect(offered("user", "")).not.toContain("serve");
		expect(offered("user", "create", "--role", "")).toEqual([
			...["OWNER", "MANAGER", "CASHIER"],
		]);
		expect(offered("import", "products", "--refused", "")).toEqual(["files"]);
	},
);
