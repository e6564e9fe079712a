import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of `package-lock.json`, by its path: `node_modules/zod`. */
interface LockedPackage {
	version: string;
	dependencies?: Record<string, string>;
	dev?: boolean;
	[field: string]: unknown;
}
type LockedPackages = Readonly<Record<string, LockedPackage>>;

export const root = join(import.meta.dirname, "../../..");
const readJson = (file: string) =>
	JSON.parse(readFileSync(join(root, file), "utf8"));
export const project: {
	version: string;
	dependencies: Record<string, string>;
	[field: string]: unknown;
} = readJson("package.json");
export const { packages }: { packages: LockedPackages } =
	readJson("package-lock.json");

/** Returns the paths of packages and of all that they need, sorted, as Node finds them. */
export function closureOf(
	packages: LockedPackages,
	names: Iterable<string>,
): string[] {
	const found = new Set<string>();
	function add(name: string, from: string): void {
		const path = nearest(packages, name, from);
		if (path === undefined || found.has(path)) return;
		found.add(path);
		for (const next of Object.keys(packages[path]?.dependencies ?? {}))
			add(next, path);
	}
	for (const name of names) add(name, "");
	return [...found].sort();
}

function nearest(
	packages: LockedPackages,
	name: string,
	from: string,
): string | undefined {
	for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
		const path = join(at, "node_modules", name);
		if (path in packages) return path;
		if (at === "") return undefined;
	}
}

/** The packages that the server runs. */
export const shipped = Object.keys(packages).filter(
	(path) => path !== "" && !packages[path]?.dev,
);

/** The packages that the web app imports, and carries. */
export function packagesOfWebApp(): string[] {
	const files = globSync(["desktop/ui/**/*.{ts,tsx,css}", "sync/**/*.ts"], {
		cwd: root,
	}).filter(
		(file) => !/\.test\.|contract\.ts$|\/(testing|simulation)\//.test(file),
	);
	const names = files.flatMap((file) => {
		const imports = readFileSync(join(root, file), "utf8").matchAll(
			/(?:from|import|url)\s*\(?["']((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^"']*)?["']/g,
		);
		return [...imports].map(([, name = ""]) => name);
	});
	return closureOf(packages, names);
}
