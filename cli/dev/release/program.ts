import { execFileSync } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Origin } from "./origin.ts";
import { packages, project, root, shipped } from "./shipped-packages.ts";

/** The project's `package.json`, without what only a clone needs. */
function packageOf({ version, commit }: Origin) {
	const { name, description, license, type, engines, bin, dependencies } =
		project;
	return {
		...{ name, version, description, license, type, engines, bin },
		dependencies,
		gitHead: commit,
	};
}

/** Writes the compiled program with its web app, and a `package.json`, into a directory. */
export function writeProgram(dir: string, origin: Origin): void {
	const run = (...args: string[]) =>
		execFileSync(process.execPath, ["--no-warnings", ...args], {
			cwd: root,
			stdio: ["ignore", "inherit", "inherit"],
		});
	run("desktop/build.ts");
	run("desktop/packaging/compile.ts", "server", dir);
	writeFileSync(join(dir, "package.json"), toJson(packageOf(origin)));
	cpSync(join(root, "LICENSE"), join(dir, "LICENSE"));
}

/** The lock file of what is shipped, so that npm installs the versions that were tested. */
export function shrinkwrapOf(origin: Origin): string {
	const own = packageOf(origin);
	return toJson({
		...{ name: own.name, version: own.version, lockfileVersion: 3 },
		requires: true,
		packages: {
			"": own,
			...Object.fromEntries(shipped.map((path) => [path, packages[path]])),
		},
	});
}

/** What no program reads when it runs. */
const unread = /\.([cm]?ts|map|md|markdown|[ch]|[ch]pp|gypi?)$/i;
const licence = /licence|license|notice|copying/i;

/** Copies the packages that the program needs, with native code for one platform. */
export function copyPackages(dir: string, platform: string): void {
	for (const path of shipped) {
		const from = join(root, path);
		// npm leaves optional ones out for another platform.
		if (!existsSync(from) && packages[path]?.optional) continue;
		cpSync(from, join(dir, path), {
			recursive: true,
			filter(source) {
				const inside = relative(from, source);
				if (/(^|\/)node_modules(\/|$)/.test(inside)) return false;
				if (inside.endsWith(".node"))
					return inside.endsWith(`/${platform}.node`);
				return licence.test(inside) || !unread.test(inside);
			},
		});
	}
}

export const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
