import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor } from "vite";

const root = join(import.meta.dirname, "../..");
/** Import-map names such as `#platform`, which resolve to different files in a browser and in Node. */
const ownImports: Record<string, { browser: string; default: string }> =
	JSON.parse(readFileSync(join(root, "package.json"), "utf8")).imports;

interface ModuleImport {
	/** A path from the repository's root, or a package name. */
	target: string;
	/** The file that a browser loads instead, if it differs. */
	browserTarget: string;
	/** Imported names; `*` for the whole namespace. */
	names: readonly string[];
	/** Whether it is a type import, erased at run time. */
	isType: boolean;
}

interface SourceFunction {
	name: string;
	line: number;
	ownLines: number;
}

/** A parsed module, as the source checks need it. */
export interface SourceModule {
	file: string;
	imports: readonly ModuleImport[];
	exports: readonly string[];
	functions: readonly SourceFunction[];
}

/**
 * Parses a module.
 *
 * @param file its path from the repository's root, to resolve relative imports
 */
export function readModule(file: string, text: string): SourceModule {
	const { program, module, errors } = parseSync(file, text);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const members = new Map<string, string[]>();
	const imports: ModuleImport[] = [];
	const addImport = (request: string, names: string[], isType: boolean) => {
		const own = ownImports[request];
		const path = request.startsWith(".")
			? normalize(join(dirname(file), request))
			: request;
		imports.push({
			target: own ? normalize(own.default) : path,
			browserTarget: own ? normalize(own.browser) : path,
			names,
			isType,
		});
	};
	const addMember = (object: string, member: string) =>
		members.set(object, [...(members.get(object) ?? []), member]);
	const functions = openFunctions(text);
	new Visitor({
		FunctionDeclaration: functions.enter,
		"FunctionDeclaration:exit": functions.leave,
		FunctionExpression: functions.enter,
		"FunctionExpression:exit": functions.leave,
		ArrowFunctionExpression: functions.enter,
		"ArrowFunctionExpression:exit": functions.leave,
		VariableDeclarator({ id, init }) {
			if (id.type === "Identifier" && init) functions.name(init, id.name);
		},
		Property({ key, value }) {
			if (key.type === "Identifier") functions.name(value, key.name);
		},
		MethodDefinition({ key, value }) {
			if (key.type === "Identifier") functions.name(value, key.name);
		},
		MemberExpression({ object, property }) {
			if (object.type === "Identifier" && property.type === "Identifier")
				addMember(object.name, property.name);
		},
		TSQualifiedName({ left, right }) {
			if (left.type === "Identifier") addMember(left.name, right.name);
		},
		ImportExpression({ source }) {
			if (source.type === "Literal") addImport(`${source.value}`, ["*"], false);
		},
		TSImportType({ source }) {
			addImport(source.value, ["*"], true);
		},
	}).visit(program);
	for (const { moduleRequest, entries } of module.staticImports)
		addImport(
			moduleRequest.value,
			entries.flatMap(({ importName, localName }) => {
				if (importName.kind === "Name") return [importName.name as string];
				if (importName.kind === "Default") return ["default"];
				return members.get(localName.value) ?? ["*"];
			}),
			entries.length > 0 && entries.every(({ isType }) => isType),
		);
	const exported = module.staticExports.flatMap(({ entries }) => entries);
	for (const { moduleRequest, importName, isType } of exported)
		if (moduleRequest)
			addImport(moduleRequest.value, [importName.name ?? "*"], isType);
	return {
		file,
		imports,
		exports: exported.flatMap(({ exportName }) =>
			exportName.kind === "Default" ? ["default"] : (exportName.name ?? []),
		),
		functions: functions.all,
	};
}

interface Node {
	type: string;
	start: number;
	end: number;
	id?: { name: string } | null;
}

/** Collects functions and their line counts. A nested function's lines, except its first, count for the nested one only. */
function openFunctions(text: string) {
	const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
	const lineAt = (position: number): number =>
		lineEnds.filter((end) => end < position).length + 1;
	const names = new Map<number, string>();
	const open: { nestedLines: number }[] = [];
	const all: SourceFunction[] = [];
	return {
		all,
		name: (node: Node, name: string) => names.set(node.start, name),
		enter: () => void open.push({ nestedLines: 0 }),
		leave(node: Node) {
			const line = lineAt(node.start);
			const further = lineAt(node.end) - line;
			const { nestedLines } = open.pop() as { nestedLines: number };
			const outer = open.at(-1);
			if (outer) outer.nestedLines += further;
			const name = node.id?.name ?? names.get(node.start) ?? "(unnamed)";
			all.push({ name, line, ownLines: further + 1 - nestedLines });
		},
	};
}
