import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { entities } from "../../sync/entities/index.ts";

const root = join(import.meta.dirname, "../..");
/** What would be committed; a clone without git has no say. */
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
	cwd: root,
	encoding: "utf8",
})
	.trim()
	.split("\n");
const sources = files.filter((file) =>
	/^(sync|server|desktop|cli)\/.*\.([cm]?[jt]sx?)$/.test(file),
);

const rooms: Record<string, string[]> = {
	sync: ["sync"],
	// The program's own name and version.
	server: ["server", "sync", "package.json"],
	desktop: ["desktop", "server", "sync", "package.json"],
	cli: ["cli", "server", "sync", "package.json"],
};
/** What a page can run: schemas, and what is pure. A type is nothing that runs. */
const pageMayImport =
	/^(desktop\/ui(?!\/worker\/(?!messages\.ts))|sync\/(protocol|entities|receipts)\/)/;
/** The worker of a page has the whole core, which its bundle shows to be free of Node; what an old client kept, either moves. */
const workerMayImport =
	/^(desktop\/ui\/(worker\/|shop\/old-storage\.ts)|sync\/)/;
const packagesOfSync = [
	...["zod", "better-sqlite3", "pg"],
	...["@noble/hashes", "@sqlite.org/sqlite-wasm"],
];
const packagesOfTests = ["vitest", "fast-check", "vite"];
const impure =
	/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bprocess\.env\b/;
const vagueName = /(^|\/)(utils?|helpers?|common|manager)([./-]|$)/i;

const tables = entities.flatMap(({ table, lines }) => [
	table,
	...(lines ? [lines.table] : []),
]);
const businessSql = new RegExp(
	`\\b(?:FROM|JOIN|INTO|UPDATE) (?:${tables.join("|")})\\b`,
);
/** Rooms that ask by queries alone. */
const asksByQueries =
	/^(server\/(?!operations\/|products\/import\/)|cli\/commands\/|desktop\/)/;
const readsRows = /^sync\/(rows\/rows|queries\/tallies)\.ts$/;
/** What else has to do with the tables of entities outside the core. */
const mayHoldSql: Record<string, string> = {
	"server/operations/installation/": "asks of all businesses together",
	"server/operations/backup/": "copies and checks whole databases",
	"server/operations/archive/": "moves whole businesses",
	"server/operations/upgrade.ts": "looks at a database of another version",
	"server/accounts/": "says which businesses an account belongs to",
	"server/gateway/": "joins what a business may spend to its name and day",
	"server/products/pictures/in-use.ts":
		"knows which files of this server are named",
	"cli/doctor/": "looks into databases of any version",
	"cli/dev/": "is for developers",
};

/** Names of our own, of files that have a face for browsers too. */
const ownImports: Record<string, { default: string }> = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
).imports;

/** What is wrong with a file, in words. */
function complaintsOf(file: string, text: string): string[] {
	const [room = ""] = file.split("/");
	const isTest =
		/\.test\.tsx?$|\/testing\/|(^|\/)(contract|test-)[^/]*\.ts$/.test(file);
	const complaints: string[] = [];
	const imports = text.matchAll(
		/^\s*(?:import|export)\s[^;"']*?from\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
	);
	for (const match of imports) {
		const name = match[1] ?? match[2] ?? match[3] ?? "";
		if (/^[.#]/.test(name)) {
			const target = name.startsWith("#")
				? normalize(ownImports[name]?.default ?? name)
				: normalize(join(dirname(file), name));
			const isAllowed =
				file.startsWith("desktop/ui/") && !isTest
					? (file.startsWith("desktop/ui/worker/")
							? workerMayImport
							: pageMayImport
						).test(target) ||
						(/^\s*import type\s/.test(match[0]) && target.startsWith("sync/"))
					: rooms[room]?.includes(target.split("/")[0] ?? "");
			const goesAround =
				asksByQueries.test(file) && !isTest && readsRows.test(target);
			if (!isAllowed || goesAround)
				complaints.push(`${file} may not import ${target}`);
		} else if (room === "sync" && !name.startsWith("node:")) {
			const allowed = isTest
				? [...packagesOfSync, ...packagesOfTests]
				: packagesOfSync;
			if (!allowed.some((one) => name === one || name.startsWith(`${one}/`)))
				complaints.push(`${file} may not import ${name}`);
		}
	}
	const isPure = /^sync\/(entities|queries)\//.test(file);
	if (isPure && !isTest && impure.test(text))
		complaints.push(
			`${file} asks the world outside: ${impure.exec(text)?.[0]}`,
		);
	const mayHold = Object.keys(mayHoldSql).some((start) =>
		file.startsWith(start),
	);
	if (room !== "sync" && !isTest && !mayHold && businessSql.test(text))
		complaints.push(
			`${file} has SQL of its own: ${businessSql.exec(text)?.[0]}`,
		);
	if (vagueName.test(file))
		complaints.push(`${file} has a name that says nothing`);
	return complaints;
}

describe("the house", () => {
	test("keeps its arrows: sync <- server <- desktop, cli", () => {
		const read = (file: string) => readFileSync(join(root, file), "utf8");
		expect(sources.length).toBeGreaterThan(50);
		expect(sources.flatMap((file) => complaintsOf(file, read(file)))).toEqual(
			[],
		);
	});

	test.each([
		["sync/shop.ts", 'import express from "express";'],
		["sync/shop.ts", 'import { x } from "../server/app.ts";'],
		["sync/shop.ts", 'import {\n\tx,\n} from "../cli/main.ts";'],
		["sync/shop.ts", 'import { test } from "vitest";'],
		["server/app.ts", 'export { x } from "../cli/main.ts";'],
		["server/app.ts", 'const x = await import("../desktop/main.ts");'],
		["cli/main.ts", 'import "../desktop/main.ts";'],
		["desktop/ui/till.tsx", 'import { x } from "../../sync/shop.ts";'],
		["desktop/ui/till.tsx", 'import { x } from "./worker/tabs.ts";'],
		["desktop/ui/worker/tabs.ts", 'import { x } from "../session.tsx";'],
		["desktop/ui/till.tsx", 'import { sha256 } from "#platform";'],
		["desktop/ui/till.tsx", 'import type { X } from "../../server/app.ts";'],
		["sync/entities/sale.ts", "const now = Date.now();"],
		["sync/entities/sale.ts", "const at = new Date();"],
		["sync/queries/sale.ts", "const now = Date.now();"],
		["server/sales/routes.ts", 'tx.all("SELECT id FROM sales")'],
		["cli/commands/log.ts", "`... JOIN refund_items ON ...`"],
		[
			"server/http/queries.ts",
			'import { selectRows } from "../../sync/rows/rows.ts";',
		],
		[
			"desktop/shop/shop.ts",
			'import { selectRows } from "../../sync/rows/rows.ts";',
		],
		["sync/utils.ts", ""],
		["server/helpers/x.ts", ""],
	])("would notice %s with %j", (file, text) => {
		expect(complaintsOf(file, text)).toHaveLength(1);
	});

	test("has nothing at its top that was not agreed on", () => {
		const top = new Set(files.map((file) => file.split("/")[0] as string));
		const visible = [...top].filter(
			(name) => !name.startsWith(".") && name !== "docs",
		);
		expect(visible.sort()).toEqual(
			expect.arrayContaining([
				"README.md",
				"cli",
				"package.json",
				"schema.sql",
				"server",
				"sync",
			]),
		);
		const agreed =
			/^(server|desktop|sync|cli|schema\.sql|package(-lock)?\.json|tsconfig\.json|vitest\.config\.ts|README\.md|LICENSE)$/;
		expect(visible.filter((name) => !agreed.test(name))).toEqual([]);
	});

	test("is installed without a compiler and from any registry", () => {
		const lock = JSON.parse(
			readFileSync(join(root, "package-lock.json"), "utf8"),
		);
		const sqlite = lock.packages["node_modules/better-sqlite3"];
		// npm 10 would otherwise build what the package already ships: `npm run lock` sees to it.
		expect(sqlite).toMatchObject({ gypfile: false });
		expect(sqlite).not.toHaveProperty("hasInstallScript");
		const peers = JSON.parse(
			readFileSync(join(root, "cli/dev/peers/package-lock.json"), "utf8"),
		);
		for (const one of [lock, peers])
			expect(JSON.stringify(one)).not.toContain('"resolved":"http');
	});
});
