import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneIn } from "../sync/testing/lane.ts";
import { testDir } from "../sync/testing/shop.ts";
import { runCommand } from "./testing/command.ts";

const main = join(import.meta.dirname, "main.js");
const fish = "/usr/bin/fish";

async function print(shell: string) {
	const dir = testDir();
	mkdirSync(join(dir, "bin"));
	symlinkSync(main, join(dir, "bin/counterfoil"));
	const file = join(dir, `completion.${shell}`);
	const { out } = await runCommand(["completion", shell], {});
	writeFileSync(file, out);
	const path = [
		join(dir, "bin"),
		join(process.execPath, ".."),
		process.env.PATH,
	];
	return { file, env: { ...process.env, PATH: path.join(":") } };
}

oneIn(3)(
	"bash completes commands, options, their choices, and files",
	async () => {
		const { file, env } = await print("bash");
		const offered = (...words: string[]) =>
			execFileSync(
				"bash",
				[
					"-c",
					`_get_comp_words_by_ref() {
  cword=$COMP_CWORD; words=("\${COMP_WORDS[@]}"); cur=\${words[cword]}; prev=\${words[cword-1]}
}
compopt() { :; }
source "$1"; shift
[[ "$(complete -p counterfoil)" == *"-o default -F __counterfoil_complete"* ]] || exit 1
COMP_WORDS=(counterfoil "$@"); COMP_CWORD=$#
__counterfoil_complete
printf '%s\\n' "\${COMPREPLY[@]}"`,
					"bash",
					file,
					...words,
				],
				{ encoding: "utf8", env },
			)
				.split("\n")
				.map((word) => word.split("\t")[0]?.trim())
				.filter((word) => word !== "");
		expect(offered("us")).toEqual(["user"]);
		expect(offered("user", "")).toEqual(
			expect.arrayContaining([
				"create",
				"list",
				"password",
				"disable",
				"enable",
			]),
		);
		expect(offered("user", "create", "--bus")).toEqual([
			"--business",
			"--business-name",
		]);
		expect(offered("user", "create", "--role", "")).toEqual([
			...["OWNER", "MANAGER", "CASHIER"],
		]);
		expect(offered("member", "role", "a@b.co", "O")).toEqual(["OWNER"]);
	},
);

test.each([
	[["restore", ""], ":0"],
	[["export", "all", "--out", ""], ":0"],
	[["member", "role", "a@b.co", "O"], ":4"],
])(
	"a shell offers files if there is no other completion: %j",
	async (words, directive) => {
		const { out } = await runCommand(["complete", "--", ...words], {});
		expect(out.trim().split("\n").at(-1)).toBe(directive);
	},
);

test.skipIf(!existsSync(fish))(
	"fish completes commands and options (skipped without fish)",
	async () => {
		const { file, env } = await print("fish");
		const offered = (line: string) =>
			execFileSync(
				fish,
				["--no-config", "-c", `source ${file}; complete -C '${line}'`],
				{ encoding: "utf8", env },
			)
				.split("\n")
				.map((row) => row.split("\t")[0]);
		expect(offered("counterfoil us")).toContain("user");
		expect(offered("counterfoil user ")).toEqual(
			expect.arrayContaining(["create", "disable"]),
		);
		expect(offered("counterfoil user ")).not.toContain("serve");
	},
);
