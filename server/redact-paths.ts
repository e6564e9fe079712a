import { join, resolve } from "node:path";

const checkout = join(import.meta.dirname, "..");

const absolutePath =
	/(?<![\w:/\\.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/:'"`()<>|]+)+[\\/]([^\s\\/:'"`()<>|]*)/g;

/** Within quotation marks or brackets, where a path may have spaces. */
const enclosedPath =
	/(?<=(['"`(]))(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:(?!\1)[^()\n'"`])*[\\/]([^\n\\/'"`()]*)/g;

/** Replaces each absolute path in a message by its last part. */
export function redactPaths(text: string): string {
	return knownDirectories()
		.reduce((rest, dir) => rest.replaceAll(dir, "/directory"), text)
		.replace(enclosedPath, "$2")
		.replace(absolutePath, "$1");
}

/** Those whose names have spaces: where such a path ends can't be seen otherwise. */
function knownDirectories(): string[] {
	const { DATA_DIR } = process.env;
	return [checkout, process.cwd(), resolve(DATA_DIR || "data")]
		.filter((dir) => /\s/.test(dir))
		.toSorted((a, b) => b.length - a.length);
}
