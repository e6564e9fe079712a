import type { Stats } from "node:fs";
import { lchown, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Makes a private directory where there is none, for the owner of the one that it is in: `sudo` must not leave a service
 * with data that it can't open.
 */
export async function makeOwnedDirectory(dir: string): Promise<void> {
	const made = await mkdir(dir, { recursive: true, mode: 0o700 });
	if (made === undefined || !isRoot()) return;
	const { uid, gid } = await stat(dirname(made));
	await give(made, { uid, gid });
}

/** Gives files, and all that is in those that are directories, to the owner of another directory. */
export async function giveToOwner(
	dir: string,
	...paths: string[]
): Promise<void> {
	if (!isRoot()) return;
	const owner = await stat(dir);
	for (const path of paths) await give(path, owner);
}

async function give(
	path: string,
	owner: Pick<Stats, "uid" | "gid">,
): Promise<void> {
	// A link is left alone: it could lead to a file that is not the shop's.
	const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return undefined;
		throw error;
	});
	if (!found || found.isSymbolicLink()) return;
	if (found.uid !== owner.uid || found.gid !== owner.gid)
		await lchown(path, owner.uid, owner.gid);
	if (found.isDirectory())
		for (const name of await readdir(path)) await give(join(path, name), owner);
}

/** Only root may give a file away; everybody else's files have the right owner. */
function isRoot(): boolean {
	return process.getuid?.() === 0;
}
