import { join, resolve } from "node:path";

const checkout = join(import.meta.dirname, "..");

const absolutePath =
	/(?<![\w:/\\.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/:'"`()<>|]+)+[\\/]([^\s\\/:'"`()<>|]*)/g;

/** A path in quotation marks or brackets, which may contain spaces. */
const enclosedPath =
	/(?<=(['"`(]))(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:(?!\1)[^()\n'"`])*[\\/]([^\n\\/'"`()]*)/g;

/** Replaces each absolute path in a message with its last segment. */
export function redactPaths(text: string): string {
	return knownDirectories()
		.reduce((rest, dir) => rest.replaceAll(dir, "/directory"), text)
		.replace(enclosedPath, "$2")
		.replace(absolutePath, "$1");
}

/** Known directories with spaces in their names, whose paths would otherwise have no clear end. */
function knownDirectories(): string[] {
	const { DATA_DIR } = process.env;
	return [checkout, process.cwd(), resolve(DATA_DIR || "data")]
		.filter((dir) => /\s/.test(dir))
		.toSorted((a, b) => b.length - a.length);
}
