import { execFile, execFileSync } from "node:child_process";
import {
	cpSync,
	globSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { testDir } from "../../../sync/testing/shop.ts";

const root = join(import.meta.dirname, "../../..");

/** What a walk-through has its reader do: run a command, or replace a part of a file. */
type Step =
	| { command: string }
	| { file: string; before: string; after: string };

/** The steps of a document in order: the lines of its `sh` blocks, and its `diff` blocks with the file named before them. */
export function stepsOf(markdown: string): Step[] {
	const pattern =
		/^In `([^`]+)`:$|[\w.] In `([^`]+)`:$|^```(sh|diff)\n([\s\S]*?)^```$/gm;
	let file = "";
	return [...markdown.matchAll(pattern)].flatMap(
		([, first, later, language, text = ""]): Step[] => {
			file = first ?? later ?? file;
			const lines = text.split("\n").slice(0, -1);
			if (language === "sh") return lines.map((command) => ({ command }));
			if (language === undefined) return [];
			const without = (mark: string) =>
				lines
					.filter((line) => !line.startsWith(mark))
					.map((line) => line.slice(1))
					.join("\n");
			return [{ file, before: without("+"), after: without("-") }];
		},
	);
}

/** A copy of the tree, with the packages of the original. */
export function openCopy() {
	const dir = join(testDir(), "counterfoil");
	const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
		cwd: root,
		encoding: "utf8",
	})
		.trim()
		.split("\n");
	for (const file of files) cpSync(join(root, file), join(dir, file));
	symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
	const { PATH, HOME, TMPDIR, CHROMIUM_PATH } = process.env;
	const env = { PATH, HOME, TMPDIR, CHROMIUM_PATH };
	return {
		dir,
		env,

		/** Runs a command as the reader does. @throws Error with all that it printed */
		async run(command: string): Promise<string> {
			const options = { cwd: dir, env, maxBuffer: 100_000_000 };
			const { stdout } = await promisify(execFile)(
				"sh",
				["-c", `${command} 2>&1`],
				options,
			).catch((error: { stdout: string }) => {
				throw new Error(`${command}\n${error.stdout}`);
			});
			return stdout;
		},

		/** @throws Error where the file has not just one such place */
		change({
			file,
			before,
			after,
		}: {
			file: string;
			before: string;
			after: string;
		}) {
			const [path, ...others] = globSync(file, { cwd: dir });
			if (path === undefined || others.length > 0)
				throw new Error(`${file} names no file, or several`);
			const parts = readFileSync(join(dir, path), "utf8").split(before);
			if (parts.length !== 2)
				throw new Error(`${file} has ${parts.length - 1} of:\n${before}`);
			writeFileSync(join(dir, path), parts.join(after));
		},

		/** The original's files that are no longer what they were. */
		changedFiles(): string[] {
			return files.filter(
				(file) =>
					!readFileSync(join(root, file)).equals(readFileSync(join(dir, file))),
			);
		},
	};
}
