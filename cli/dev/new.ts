import { execFileSync } from "node:child_process";
import {
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { newestVersion } from "../../sync/store/migrate.ts";

const root = join(import.meta.dirname, "../..");
const skeleton = join(import.meta.dirname, "skeleton");
const usage = `Usage: npm run new -- entity NAME [--plural NAMES]

Adds a kind of record: its entity, queries, table, routes, page, words and tests.

  NAME            one lower-case word in the singular: courier
  --plural NAMES  where it is not NAMEs: --plural staff`;

const migration = "sync/store/migrations/NNNN-widgets.sql.txt";

/** What the entity is called. */
interface Noun {
	one: string;
	many: string;
}

/** A file from the repository's root, and all that is to be in it. */
interface NewText {
	path: string;
	text: string;
}

function main(args: string[]): void {
	const { noun } = readArgs(args);
	const files = newFiles(noun);
	const taken = files.find(({ path }) => existsSync(join(root, path)));
	if (taken) fail(`${taken.path} is there already: choose another name`);
	const lists = changedFiles(noun);
	for (const { path, text } of [...files, ...lists]) write(path, text);
	// New names stand where the formatter sorts them.
	execFileSync(
		process.execPath,
		[
			join(root, "node_modules/@biomejs/biome/bin/biome"),
			...["check", "--write", "--log-level=error"],
			...[...files, ...lists]
				.map(({ path }) => path)
				.filter((path) => /\.(tsx?|json)$/.test(path)),
		],
		{ cwd: root, stdio: "inherit" },
	);
	console.log(
		`Added:\n${indented(files)}\nChanged:\n${indented(lists)}\nNext: say in schema.sql what ${withArticle(noun.one)} is for, give it its fields, and translate\ndesktop/ui/${noun.many}/words.ts and the first lines of desktop/ui/words/fr.ts. docs/first-feature.md shows how.`,
	);
}

function readArgs(args: string[]): { noun: Noun } {
	const { values, positionals } = parseArgs({
		args,
		options: { plural: { type: "string" } },
		allowPositionals: true,
	});
	const [what, one = "", ...rest] = positionals;
	const many = values.plural ?? pluralOf(one);
	const isWord = (word: string) => /^[a-z]+$/.test(word);
	if (what !== "entity" || rest.length > 0 || ![one, many].every(isWord))
		fail(usage);
	if (one === many) fail("The plural must differ from the singular");
	return { noun: { one, many } };
}

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

// cspell:ignore aeiou
/** @example pluralOf("delivery") === "deliveries" */
function pluralOf(one: string): string {
	if (/[^aeiou]y$/.test(one)) return one.replace(/y$/, "ies");
	return /(s|x|z|ch|sh)$/.test(one) ? `${one}es` : `${one}s`;
}

const withArticle = (one: string) =>
	`${/^[aeiou]/.test(one) ? "an" : "a"} ${one}`;
const capital = (word: string) => word.replace(/^./, (it) => it.toUpperCase());
const indented = (files: NewText[]) =>
	files.map(({ path }) => `  ${path}\n`).join("");

/** A text of the skeleton, which is written about widgets, about another noun. */
function about({ one, many }: Noun, text: string): string {
	return text
		.replaceAll("NNNN", String(newestVersion() + 1).padStart(4, "0"))
		.replaceAll(/\b([Aa]) widget\b/g, (_, a) =>
			a === "A" ? capital(withArticle(one)) : withArticle(one),
		)
		.replaceAll("widgets", many)
		.replaceAll("Widgets", capital(many))
		.replaceAll("widget", one)
		.replaceAll("Widget", capital(one));
}

function newFiles(noun: Noun): NewText[] {
	return globSync("**/*.txt", { cwd: skeleton })
		.sort()
		.map((file) => ({
			path: about(noun, file.replace(/\.txt$/, "")),
			text: about(noun, readSkeleton(file)),
		}));
}

/** What the lists that name each entity get for a widget: an import, and lines at the end of each list. */
const additions = [
	{
		path: "sync/entities/index.ts",
		imports: `import { widget, widgetCreate, widgetDelete, widgetUpdate } from "./widget.ts";`,
		lists: {
			"export const entities": "widget,",
			"const all": "widgetCreate, widgetUpdate, widgetDelete,",
		},
	},
	{
		path: "sync/queries/index.ts",
		imports: `import { widgetGet, widgetList } from "./widget.ts";`,
		lists: { "const all": "widgetList, widgetGet," },
	},
	{
		path: "server/app.ts",
		imports: `import { widgetRoutes } from "./widgets/routes.ts";`,
		lists: { "const routes": "...widgetRoutes(deps)," },
	},
	{
		path: "desktop/ui/pages.ts",
		imports: `import { widgetsPage } from "./widgets/page.ts";
import { widgetsWords } from "./widgets/words.ts";`,
		lists: {
			"export const pages": "widgetsPage,",
			"export const words": "...widgetsWords,",
		},
	},
];

/** The page's words in French, which has them all in one file. */
const french = `"widgets.title": "Widgets",
"widgets.none": "Encore aucun : widgets",
"widgets.add": "Ajouter : widget",
"widgets.edit": "Modifier : widget",
"widgets.name": "Nom",
"widgets.note": "Note",
"widgets.remove": "Supprimer",
"widgets.removed": "{{name}} supprimé",
"refused.widget.create": "Ajout : widget",
"refused.widget.update": "Modification : widget",
"refused.widget.delete": "Suppression : widget",

`;

function changedFiles(noun: Noun): NewText[] {
	const lists = additions.map(({ path, imports, lists }) => {
		// The formatter sorts imports.
		let text = `${about(noun, imports)}\n${read(path)}`;
		for (const [list, lines] of Object.entries(lists)) {
			const end = new RegExp(
				`^\\s*${list}\\b[^\\n]*\\n(?:[^\\n\\]}]*\\n)*`,
				"m",
			);
			text = insertAfter(path, text, end, `${about(noun, lines)}\n`);
		}
		return { path, text };
	});
	return [schemaWithTable(noun), ...lists, frenchWords(noun)];
}

/** schema.sql with the migration's statements, after the table of the last entity. */
function schemaWithTable(noun: Noun): NewText {
	const path = "schema.sql";
	const schema = read(path);
	const tables = [
		...schema.matchAll(
			/^CREATE INDEX [a-z_]+ ON [a-z_]+ \(business_id, version\);\n/gm,
		),
	];
	const last = tables.at(-1);
	if (!last) fail(`${path} has no table of an entity`);
	const end = last.index + last[0].length;
	const table = `\n-- What the shop knows of its widgets.\n${readSkeleton(migration)}`;
	return {
		path,
		text: schema.slice(0, end) + about(noun, table) + schema.slice(end),
	};
}

function frenchWords(noun: Noun): NewText {
	const path = "desktop/ui/words/fr.ts";
	const start = /^export const fr\b.*\n/m;
	return {
		path,
		text: insertAfter(path, read(path), start, about(noun, french)),
	};
}

function insertAfter(
	path: string,
	text: string,
	place: RegExp,
	inserted: string,
): string {
	if (!place.test(text)) fail(`${path} has no ${place}`);
	return text.replace(place, (found) => found + inserted);
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const readSkeleton = (path: string) =>
	readFileSync(join(skeleton, path), "utf8");

function write(path: string, text: string): void {
	const file = join(root, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}

main(process.argv.slice(2));
