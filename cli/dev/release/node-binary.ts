import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { packages, root } from "./shipped-packages.ts";

/** SHA-256 of `bin/node`, so that a release holds the Node that was tried. */
const known = {
	version: "24.21.0",
	x64: "7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c",
	arm64: "0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584",
};
export type Arch = "x64" | "arm64";

/** The version that the project is tested with. */
export const nodeVersion = packages["node_modules/node"]?.version ?? "";

/**
 * Fetches Node for Linux with npm, once.
 *
 * @returns the directory of its package, with `bin/node` and its licence; undefined if npm can't fetch it
 * @throws Error if it isn't the known one
 */
export function fetchNode(arch: Arch): string | undefined {
	if (nodeVersion !== known.version)
		throw new Error(
			`The release knows Node ${known.version}, the lock file has ${nodeVersion}: try the new one, and note its sums in ${import.meta.filename}`,
		);
	const name = `node-linux-${arch}`;
	const cache = join(root, "node_modules/.cache/release");
	const dir = join(cache, `${name}-${nodeVersion}`);
	if (!existsSync(dir)) {
		const unpacked = `${dir}-${process.pid}`;
		mkdirSync(unpacked, { recursive: true });
		try {
			execFileSync(
				"npm",
				[
					"pack",
					"--silent",
					`--pack-destination=${unpacked}`,
					`${name}@${nodeVersion}`,
				],
				{ cwd: root, stdio: ["ignore", "ignore", "pipe"] },
			);
		} catch {
			return undefined;
		}
		const file = `${name}-${nodeVersion}.tgz`;
		const wanted = ["package/bin/node", "package/LICENSE"];
		execFileSync("tar", ["-xzf", file, "--strip-components=1", ...wanted], {
			cwd: unpacked,
		});
		renameSync(unpacked, dir);
	}
	if (hash("sha256", readFileSync(join(dir, "bin/node"))) !== known[arch])
		throw new Error(`${dir} holds another Node than the known one`);
	return dir;
}
