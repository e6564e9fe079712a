import { type ESTree, parseSync } from "vite";
import { sqlChanges } from "./sql-operators.ts";

/** A change of a file's text: a range and its replacement. */
export interface Change {
	start: number;
	end: number;
	text: string;
}

export interface Mutant extends Change {
	file: string;
	/** The line, from 1. */
	line: number;
	/** The source line, for reports and for the list of equivalent mutants. */
	code: string;
	/** A description of the change. */
	what: string;
	/** Whether it runs when the module is loaded, and so affects every test. */
	isStatic: boolean;
}

type Node = ESTree.Node;
type Emit = (node: { start: number; end: number }, text: string) => void;

/** Replacements of each operator: its neighbour and its opposite. */
const comparisons: Record<string, string[]> = {
	"<": ["<=", ">="],
	"<=": ["<", ">"],
	">": [">=", "<="],
	">=": [">", "<"],
	"===": ["!=="],
	"!==": ["==="],
	"==": ["!="],
	"!=": ["=="],
};
const arithmetic: Record<string, string> = {
	"+": "-",
	"-": "+",
	"*": "/",
	"/": "*",
	"%": "*",
	"+=": "-=",
	"-=": "+=",
	"*=": "/=",
	">>": "<<",
	">>>": "<<",
};
const methods: Record<string, string> = {
	some: "every",
	every: "some",
	min: "max",
	max: "min",
	floor: "ceil",
	ceil: "floor",
	round: "floor",
	at: "indexOf",
	findLast: "find",
	startsWith: "endsWith",
	delete: "has",
};
/** Methods that return a value of the receiver's type, so that the call can be dropped. */
const passing = new Set([
	"sort",
	"toSorted",
	"filter",
	"slice",
	"reverse",
	"toReversed",
	"trim",
	"toLowerCase",
	"toUpperCase",
	"normalize",
	"padStart",
	"flat",
]);

/** @returns all mutants of a file, in the order of its text */
export function mutantsOf(file: string, source: string): Mutant[] {
	const { program, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const found = new Map<string, Change>();
	const functions: Node[] = [];
	const emit: Emit = ({ start, end }, text) => {
		if (source.slice(start, end) !== text)
			found.set(`${start} ${end} ${text}`, { start, end, text });
	};
	walk(program, undefined, (node, parent) => {
		if (/Function/.test(node.type)) functions.push(node);
		mutate(node, parent, source, emit);
	});
	return [...found.values()]
		.sort((a, b) => a.start - b.start || a.end - b.end)
		.map((change) => ({
			...describe(file, source, change),
			isStatic: !functions.some(
				({ start, end }) => start <= change.start && change.end <= end,
			),
		}));
}

function describe(file: string, source: string, change: Change) {
	const before = source.slice(0, change.start);
	const lineStart = before.lastIndexOf("\n") + 1;
	const lineEnd = source.indexOf("\n", change.start);
	const short = (text: string) =>
		text.replace(/\s+/g, " ").slice(0, 100) || "nothing";
	return {
		...change,
		file,
		line: before.split("\n").length,
		code: source.slice(lineStart, lineEnd).trim(),
		what: `${short(source.slice(change.start, change.end))} -> ${short(change.text)}`,
	};
}

/** Visits all nodes except types; of an expression with a type, only the expression. */
function walk(
	node: Node,
	parent: Node | undefined,
	visit: (node: Node, parent: Node | undefined) => void,
): void {
	const wraps = [
		"TSAsExpression",
		"TSNonNullExpression",
		"TSSatisfiesExpression",
	];
	if (node.type.startsWith("TS") && !wraps.includes(node.type)) return;
	visit(node, parent);
	for (const value of Object.values(node))
		for (const child of Array.isArray(value) ? value : [value])
			if (isNode(child)) walk(child, node, visit);
}

function isNode(value: unknown): value is Node {
	return (
		typeof value === "object" &&
		value !== null &&
		typeof (value as Node).type === "string" &&
		typeof (value as Node).start === "number"
	);
}

function mutate(
	node: Node,
	parent: Node | undefined,
	source: string,
	emit: Emit,
): void {
	const textOf = ({ start, end }: { start: number; end: number }) =>
		source.slice(start, end);
	switch (node.type) {
		case "BinaryExpression":
		case "AssignmentExpression":
			mutateOperator(node, parent, source, emit);
			return;
		case "LogicalExpression":
			emit(node, `(${textOf(node.right)})`);
			if (node.operator !== "??") emit(node, `(${textOf(node.left)})`);
			return;
		case "IfStatement":
			emit(node.test, "true");
			emit(node.test, "false");
			return;
		case "WhileStatement":
			if (node.test.type !== "Literal") emit(node.test, "false");
			return;
		case "ConditionalExpression":
			emit(node.test, `!(${textOf(node.test)})`);
			return;
		case "UnaryExpression":
			if (isWholeTest(node, parent)) return;
			if (node.operator === "!" || node.operator === "-")
				emit(node, textOf(node.argument));
			return;
		case "UpdateExpression":
			emit(node, swapSteps(textOf(node)));
			return;
		case "AwaitExpression":
			emit(node, `(${textOf(node.argument)})`);
			return;
		case "ExpressionStatement":
		case "ThrowStatement":
		case "ContinueStatement":
		case "BreakStatement":
			if (!isAlone(node, parent)) emit(node, ";");
			return;
		case "ReturnStatement":
			// Drop only early returns; the last one has no effect.
			if (!node.argument && !isAlone(node, parent)) emit(node, ";");
			return;
		case "ArrayExpression": {
			const elements = node.elements.filter((one) => one !== null);
			dropEach(elements, source, emit);
			return;
		}
		case "ObjectExpression":
			dropEach(node.properties, source, emit);
			return;
		case "CallExpression":
			mutateCall(node, source, emit);
			return;
		case "Literal":
			if (!isKey(node, parent)) mutateLiteral(node, source, emit);
			return;
		case "TemplateElement":
			mutateSql(node, source, emit);
			return;
	}
}

function swapSteps(update: string): string {
	return update.replace(/\+\+|--/, (step) => (step === "++" ? "--" : "++"));
}

function mutateOperator(
	node: Extract<Node, { type: "BinaryExpression" | "AssignmentExpression" }>,
	parent: Node | undefined,
	source: string,
	emit: Emit,
): void {
	const { operator, left, right } = node;
	const others = (comparisons[operator] ?? [arithmetic[operator]]).filter(
		(other) => !(other === opposite(operator) && isWholeTest(node, parent)),
	);
	const isText = [left, right].some(isTextual);
	for (const other of others)
		if (other !== undefined && !(isText && operator === "+"))
			emit(between(source, left, right, operator), other);
}

function mutateLiteral(
	node: Extract<Node, { type: "Literal" }>,
	source: string,
	emit: Emit,
): void {
	if (typeof node.value === "boolean") emit(node, String(!node.value));
	else if (typeof node.value === "number") emit(node, String(node.value + 1));
	else if (typeof node.value === "string") mutateSql(node, source, emit);
}

function mutateSql(node: Node, source: string, emit: Emit): void {
	for (const change of sqlChanges(source.slice(node.start, node.end)))
		emit(offset(change, node.start), change.text);
}

function mutateCall(
	node: ESTree.CallExpression,
	source: string,
	emit: Emit,
): void {
	const { callee } = node;
	if (callee.type !== "MemberExpression" || callee.computed) return;
	const { object, property } = callee;
	const name = source.slice(property.start, property.end);
	const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
	if (other !== undefined) emit(property, other);
	if (passing.has(name)) emit(node, source.slice(object.start, object.end));
}

/** Whether it is the only statement of an `if`: dropping it equals making the condition false. */
function isAlone(node: Node, parent: Node | undefined): boolean {
	if (parent?.type === "IfStatement")
		return parent.consequent === node && !parent.alternate;
	return false;
}

/** Whether it is a whole condition, whose two outcomes are tried already. */
function isWholeTest(node: Node, parent: Node | undefined): boolean {
	return (
		(parent?.type === "IfStatement" ||
			parent?.type === "ConditionalExpression") &&
		parent.test === node
	);
}

function opposite(operator: string): string | undefined {
	return comparisons[operator]?.at(-1);
}

function isKey(node: Node, parent: Node | undefined): boolean {
	return (
		(parent?.type === "Property" && parent.key === node) ||
		parent?.type === "ImportDeclaration" ||
		parent?.type === "ExportNamedDeclaration" ||
		parent?.type === "ExportAllDeclaration"
	);
}

function isTextual(node: Node): boolean {
	return (
		node.type === "TemplateLiteral" ||
		(node.type === "Literal" && typeof node.value === "string")
	);
}

function between(
	source: string,
	left: Node,
	right: Node,
	operator: string,
): { start: number; end: number } {
	const start = source.indexOf(operator, left.end);
	if (start === -1 || start >= right.start)
		throw new Error(`No ${operator} between ${left.end} and ${right.start}`);
	return { start, end: start + operator.length };
}

/** Drops each element of a list, with the comma after it. */
function dropEach(
	elements: readonly { start: number; end: number }[],
	source: string,
	emit: Emit,
): void {
	for (const { start, end } of elements) {
		const comma = /^\s*,/.exec(source.slice(end))?.[0].length ?? 0;
		emit({ start, end: end + comma }, "");
	}
}

function offset({ start, end }: Change, by: number) {
	return { start: start + by, end: end + by };
}
