import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, normalize, relative } from "node:path";

const root = join(import.meta.dirname, "../..");
/** What each package begins with, since everything else is imported, and the files that it reads at run time. */
const packages = {
	till: {
		programs: [
			"desktop/main.ts",
			"desktop/shop/shop-process.ts",
			"desktop/shop/backup-process.ts",
		],
		others: ["desktop/preload.cjs"],
	},
	server: { programs: ["cli/main.js", "server/main.js"], others: [] },
};
type Kind = keyof typeof packages;
const ofBoth = [
	"desktop/dist",
	"schema.sql",
	"sync/store/migrations",
	"server/operations/demo/catalogue.csv",
];
/** The directory that `electron-builder.json` packages. */
const tillDir = join(root, "desktop/packaged/compiled");

/** Package imports (`#platform`), resolved for Node. */
const { imports } = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
) as { imports: Record<string, { default: string }> };
/** A relative path: of an import, or of a worker thread's program. */
const besides = /(["'])(\.{1,2}\/[^"'\n]+?)\.(ts|js|json)\1/g;

/**
 * Compiles only what a package runs to plain JavaScript: Electron's Node isn't known to run TypeScript from a package, and
 * Node refuses it below `node_modules`. Line numbers stay the same, so that logs point into the sources.
 */
export function compile(kind: Kind, outDir = tillDir): void {
	rmSync(outDir, { recursive: true, force: true });
	const { programs, others } = packages[kind];
	const waiting = [...programs];
	const seen = new Set(waiting);
	for (let file = waiting.pop(); file; file = waiting.pop()) {
		const text = readFileSync(join(root, file), "utf8");
		const stripped = file.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
		const plain = stripped.replace(/(["'])(#\w+)\1/g, (whole, quote, name) => {
			const face = imports[name]?.default;
			if (face === undefined) return whole;
			const path = relative(dirname(file), face).replaceAll("\\", "/");
			return `${quote}./${path}${quote}`;
		});
		if (!file.endsWith(".json"))
			for (const [, , path, kind] of plain.matchAll(besides)) {
				const next = normalize(join(dirname(file), `${path}.${kind}`));
				// Each package has its own package.json.
				if (seen.has(next) || next === "package.json") continue;
				seen.add(next);
				waiting.push(next);
			}
		const target = join(outDir, file.replace(/\.ts$/, ".js"));
		if (existsSync(target))
			throw new Error(`${file} and another file both become ${target}`);
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(
			target,
			plain.replace(besides, (whole, quote, path, kind) =>
				kind === "ts" ? `${quote}${path}.js${quote}` : whole,
			),
		);
	}
	for (const path of [...ofBoth, ...others])
		cpSync(join(root, path), join(outDir, path), {
			recursive: true,
			// `dist` is a link to the current build of the web app.
			dereference: true,
		});
}

if (import.meta.main) {
	const [kind, outDir] = process.argv.slice(2);
	if (kind === "till") compile(kind);
	else if (kind === "server" && outDir !== undefined) compile(kind, outDir);
	else throw new Error("Name a package: till, or server DIRECTORY");
}
