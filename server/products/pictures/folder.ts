import { readdir } from "node:fs/promises";

/** Nothing where there is no such folder. */
export async function namesIn(dir: string): Promise<string[]> {
	try {
		return await readdir(dir);
	} catch (error) {
		if (isMissing(error)) return [];
		throw error;
	}
}

/** True for a file or folder that is not there (any more). */
export function isMissing(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOENT" || code === "ENOTDIR";
}
