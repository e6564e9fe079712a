import { hash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const stampFile = join(import.meta.dirname, "dist/built-from");

/**
 * Builds the web app where it is not built yet from the sources as they are. `npm start` and `npm test` do so first: it
 * takes some seconds after a change, and nothing otherwise.
 */
export default async function buildWebApp(): Promise<void> {
	const stamp = stampOfSources();
	if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp)
		return;
	console.log("Building the web app…");
	const { NODE_ENV } = process.env;
	// Whoever builds it, a test too, React is the one that shops run.
	process.env.NODE_ENV = "production";
	await build({
		configFile: join(import.meta.dirname, "vite.config.ts"),
		logLevel: "warn",
	});
	if (NODE_ENV === undefined) delete process.env.NODE_ENV;
	else process.env.NODE_ENV = NODE_ENV;
	writeFileSync(stampFile, stamp);
}

function stampOfSources(): string {
	const patterns = [
		"desktop/ui/**/*",
		"desktop/vite.config.ts",
		"sync/**/*.ts",
		"package-lock.json",
	];
	const files = globSync(patterns, { cwd: root, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.includes(".test."))
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
	const hashes = files.map((file) => hash("sha256", readFileSync(file)));
	return hash("sha256", hashes.join("\n"));
}

if (import.meta.main) await buildWebApp();
