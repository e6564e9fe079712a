import { execFileSync } from "node:child_process";
import {
	copyFileSync,
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Arch, fetchNode } from "./node-binary.ts";
import type { Origin } from "./origin.ts";
import { copyPackages } from "./program.ts";
import { root } from "./shipped-packages.ts";

/**
 * Packs what runs on a Linux without npm or Node: `counterfoil/counterfoil` runs what the link `current` names. An update
 * puts another version beside it.
 *
 * @param program the compiled program
 * @returns false if Node for this architecture can't be fetched
 */
export function packTarball(
	file: string,
	{
		program,
		dir,
		arch,
		origin,
	}: { program: string; dir: string; arch: Arch; origin: Origin },
): boolean {
	const node = fetchNode(arch);
	if (node === undefined) return false;
	const home = join(dir, "counterfoil");
	const versionDir = join(home, "versions", origin.version);
	mkdirSync(versionDir, { recursive: true });
	cpSync(program, versionDir, { recursive: true });
	copyPackages(versionDir, `linux-${arch}`);
	copyFileSync(join(node, "bin/node"), join(versionDir, "node"));
	copyFileSync(join(node, "LICENSE"), join(versionDir, "node.LICENSE"));
	symlinkSync(join("versions", origin.version), join(home, "current"));
	copyFileSync(
		join(import.meta.dirname, "counterfoil"),
		join(home, "counterfoil"),
	);
	writeFileSync(join(versionDir, "counterfoil.service"), unit());
	execFileSync(
		"tar",
		[
			...[
				"--create",
				"--use-compress-program=gzip -n",
				`--file=${file}`,
				`--directory=${dir}`,
			],
			// The same bytes for every builder, at any time.
			...["--sort=name", "--format=gnu", `--mtime=@${origin.seconds}`],
			...["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"],
			"counterfoil",
		],
		{ env: { ...process.env, LC_ALL: "C" } },
	);
	return true;
}

/** The unit of a clone, which keeps its commands in `cli`. */
function unit(): string {
	const text = readFileSync(join(root, "docs/counterfoil.service"), "utf8");
	return text
		.replaceAll("/counterfoil/cli/counterfoil", "/counterfoil/counterfoil")
		.replace("a checkout in", "a release in");
}
