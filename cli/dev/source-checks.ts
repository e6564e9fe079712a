import type { SourceModule } from "./source-module.ts";

const ownLinesMax = 70;
/** Markup is long without being hard. */
const isComponent = (file: string, name: string) =>
	file.endsWith(".tsx") && /^[A-Z]/.test(name);

/** Functions of more than 70 lines, lines of functions within them not counted; React components may be longer. */
export function findLongFunctions(modules: readonly SourceModule[]): string[] {
	return modules.flatMap(({ file, functions }) =>
		functions
			.filter(
				({ name, ownLines }) =>
					ownLines > ownLinesMax && !isComponent(file, name),
			)
			.map(
				({ name, line, ownLines }) =>
					`${file} ${name} has ${ownLines} lines of its own (line ${line})`,
			),
	);
}

/** Modules that need each other to run; an import of types alone is erased, and makes no cycle. */
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

/** Exports that no other module imports, tests included. */
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

/** Ways by which a page would load a module of Node's: a browser has none. */
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
