import type { SourceModule } from "./source-module.ts";

const ownLinesMax = 70;
/** Components are exempt, because markup is long without being complex. */
const isComponent = (file: string, name: string) =>
	file.endsWith(".tsx") && /^[A-Z]/.test(name);

/** Finds functions of more than 70 lines, not counting nested functions or React components. */
export function findLongFunctions(modules: readonly SourceModule[]): string[] {
	return modules.flatMap(({ file, functions }) =>
		functions
			.filter(
				({ name, ownLines }) =>
					ownLines > ownLinesMax && !isComponent(file, name),
			)
			.map(
				({ name, line, ownLines }) =>
					`${file} ${name} has ${ownLines} own lines (line ${line})`,
			),
	);
}

/** Finds cycles of imports at run time; type imports are erased and don't count. */
export function findImportCycles(modules: readonly SourceModule[]): string[] {
	const byFile = new Map(modules.map((module) => [module.file, module]));
	const done = new Set<string>();
	const path: string[] = [];
	const cycles: string[] = [];
	function visit(file: string): void {
		const at = path.indexOf(file);
		if (at >= 0) cycles.push([...path.slice(at), file].join(" -> "));
		if (at >= 0 || done.has(file)) return;
		path.push(file);
		for (const { target, isType } of byFile.get(file)?.imports ?? [])
			if (!isType && byFile.has(target)) visit(target);
		path.pop();
		done.add(file);
	}
	for (const { file } of modules) visit(file);
	return cycles;
}

/** Finds exports that no other module imports, counting tests as importers. */
export function findUnusedExports(modules: readonly SourceModule[]): string[] {
	const used = new Set<string>();
	for (const { imports } of modules)
		for (const { target, browserTarget, names } of imports)
			for (const name of names)
				used.add(`${target} ${name}`).add(`${browserTarget} ${name}`);
	return modules.flatMap(({ file, exports }) =>
		exports
			.filter((name) => !used.has(`${file} ${name}`) && !used.has(`${file} *`))
			.map((name) => `${file} exports ${name}, which no other file imports`),
	);
}

/** Finds import paths from a page to a Node module, which browsers don't have. */
export function findNodeImports(
	modules: readonly SourceModule[],
	isBrowserSafe: (file: string) => boolean,
): string[] {
	const byFile = new Map(modules.map((module) => [module.file, module]));
	function pathsToNode(file: string, path: readonly string[]): string[] {
		if (seen.has(file)) return [];
		seen.add(file);
		const imports = byFile.get(file)?.imports ?? [];
		return imports.flatMap(({ browserTarget, isType }) => {
			if (isType) return [];
			const further = [...path, browserTarget];
			return browserTarget.startsWith("node:")
				? [further.join(" -> ")]
				: pathsToNode(browserTarget, further);
		});
	}
	const seen = new Set<string>();
	return modules.flatMap(({ file }) =>
		isBrowserSafe(file) ? pathsToNode(file, [file]) : [],
	);
}
