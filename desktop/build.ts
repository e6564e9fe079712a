import { hash } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	globSync,
	lstatSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
/** Best quality by default. */
const compress = promisify(brotliCompress);
/** A link to one of the builds. */
const current = join(import.meta.dirname, "dist");
const buildsDir = join(import.meta.dirname, "builds");
const stampName = "built-from";
/** A build unchanged for this long was abandoned. */
const abandonedMs = 3_600_000;

/**
 * Builds the web app if its sources have changed. `npm start` and `npm test` do so first: a build takes a few seconds. A
 * running server serves the old build until the new one is complete, and keeps it if the new one fails.
 */
export default async function buildWebApp(): Promise<void> {
	const stamp = stampOfSources();
	const stampFile = join(current, stampName);
	if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp)
		return;
	console.log("Building the web app…");
	const dir = join(buildsDir, `${stamp.slice(0, 16)}-${process.pid}`);
	const { NODE_ENV } = process.env;
	// Always React's production build, also under test.
	process.env.NODE_ENV = "production";
	try {
		await build({
			configFile: join(import.meta.dirname, "vite.config.ts"),
			logLevel: "warn",
			build: { outDir: dir, emptyOutDir: true },
		});
		const files = globSync("**/*.{js,css,wasm}", { cwd: dir });
		await Promise.all(files.map((file) => pack(dir, file)));
		writeFileSync(join(dir, stampName), stamp);
	} catch (error) {
		rmSync(dir, { recursive: true, force: true });
		throw error;
	} finally {
		if (NODE_ENV === undefined) delete process.env.NODE_ENV;
		else process.env.NODE_ENV = NODE_ENV;
	}
	publish(dir, current);
}

/** Compresses each file once at the best level. Unchanged files keep their names and their compressed copies. */
export async function pack(dir: string, file: string): Promise<void> {
	const packed = `${file}.br`;
	const before = join(current, packed);
	if (file.startsWith("assets/") && existsSync(before))
		copyFileSync(before, join(dir, packed));
	else
		writeFileSync(
			join(dir, packed),
			await compress(readFileSync(join(dir, file))),
		);
}

/**
 * Points a link at another directory with one rename, so that there is never no link. Of the directory's siblings only the
 * previous one stays, for requests in flight.
 */
export function publish(dir: string, link: string): void {
	const before = lstatSync(link, { throwIfNoEntry: false });
	// Earlier versions built in place.
	if (before?.isDirectory()) renameSync(link, `${dir}-before`);
	const previous =
		before?.isSymbolicLink() && existsSync(link)
			? basename(realpathSync(link))
			: undefined;
	const next = `${link}-${process.pid}`;
	rmSync(next, { force: true });
	const isWindows = process.platform === "win32";
	// A relative path, since a checkout may be moved; only Windows' junctions need an absolute one.
	symlinkSync(isWindows ? dir : relative(dirname(link), dir), next, "junction");
	// Windows can't rename over a directory, and a junction is one.
	if (isWindows) rmSync(link, { force: true });
	renameSync(next, link);
	const dirs = join(dir, "..");
	for (const name of readdirSync(dirs)) {
		const path = join(dirs, name);
		const isOld = Date.now() - statSync(path).mtimeMs > abandonedMs;
		const isNeeded = name === basename(dir) || name === previous;
		const isComplete = existsSync(join(path, stampName));
		if (!isNeeded && (isComplete || isOld))
			rmSync(path, { recursive: true, force: true });
	}
}

function stampOfSources(): string {
	const hashes = sourcesOfWebApp().map((file) =>
		hash("sha256", readFileSync(file)),
	);
	return hash("sha256", hashes.join("\n"));
}

export function sourcesOfWebApp(): string[] {
	const patterns = [
		"desktop/ui/**/*",
		"desktop/vite.config.ts",
		// A till in a browser carries its own schema.
		"sync/**/*.{ts,sql}",
		"schema.sql",
		"package.json",
		"package-lock.json",
	];
	return globSync(patterns, { cwd: root, withFileTypes: true })
		.filter(
			(entry) =>
				entry.isFile() &&
				!entry.name.includes(".test.") &&
				!entry.parentPath.endsWith("testing"),
		)
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
}

if (import.meta.main) await buildWebApp();
