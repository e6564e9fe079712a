import type { Stats } from "node:fs";
import { lchown, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Creates a private directory, if missing, for its parent directory's owner, so that a command run with `sudo` doesn't leave
 * the service with data it can't open.
 */
export async function makeOwnedDirectory(dir: string): Promise<void> {
	const made = await mkdir(dir, { recursive: true, mode: 0o700 });
	if (made === undefined || !isRoot()) return;
	const { uid, gid } = await stat(dirname(made));
	await give(made, { uid, gid });
}

/** Gives files and directories, recursively, to another directory's owner. */
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
	// Skip symbolic links: they could point outside the shop's data.
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

/** Only root can change owners; other users create files with the right owner anyway. */
function isRoot(): boolean {
	return process.getuid?.() === 0;
}
