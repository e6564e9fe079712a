import { constants } from "node:fs";
import { copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, namesIn } from "./folder.ts";
import { pictureName } from "./pictures.ts";

/**
 * Copies missing pictures from one data directory to another. Pictures never change, so those with the same name are the
 * same.
 *
 * @param canLink shares their bytes where the disk can
 * @returns the number of copied pictures
 */
export async function copyPictures(
	from: string,
	to: string,
	canLink = false,
): Promise<number> {
	let copied = 0;
	for (const businessId of await namesIn(join(from, "pictures"))) {
		const target = join(to, "pictures", businessId);
		const there = new Set(await namesIn(target));
		const missing = (await namesIn(join(from, "pictures", businessId))).filter(
			(name) => pictureName.test(name) && !there.has(name),
		);
		if (missing.length > 0)
			await mkdir(target, { recursive: true, mode: 0o700 });
		for (const name of missing) {
			const source = join(from, "pictures", businessId, name);
			const unfinished = join(target, `${name}.part`);
			// What a killed backup left may be a link to the original.
			await rm(unfinished, { force: true });
			try {
				if (!(canLink && (await isLinked(source, unfinished))))
					await copyFile(source, unfinished, constants.COPYFILE_FICLONE);
			} catch (error) {
				await rm(unfinished, { force: true });
				// The picture was deleted after the folder was listed.
				if (isMissing(error)) continue;
				throw error;
			}
			await rename(unfinished, join(target, name));
			copied += 1;
		}
	}
	return copied;
}

/** Not every file system has hard links. */
function isLinked(source: string, target: string): Promise<boolean> {
	return link(source, target).then(
		() => true,
		() => false,
	);
}
