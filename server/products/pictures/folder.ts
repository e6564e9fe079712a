import { readdir } from "node:fs/promises";

/** Lists a folder's names; none if the folder doesn't exist. */
export async function namesIn(dir: string): Promise<string[]> {
	try {
		return await readdir(dir);
	} catch (error) {
		if (isMissing(error)) return [];
		throw error;
	}
}

/** Whether an error says that a file or folder doesn't exist. */
export function isMissing(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOENT" || code === "ENOTDIR";
}
