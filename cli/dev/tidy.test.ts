import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { entities } from "../../sync/entities/index.ts";

const root = join(import.meta.dirname, "../..");
/** Lists the files git tracks or would add; a copy without git skips these checks. */
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
	// package.json, for the program's name and version.
	server: ["server", "sync", "package.json"],
	desktop: ["desktop", "server", "sync", "package.json"],
	cli: ["cli", "server", "sync", "package.json"],
};
/** The modules that a page can run: schemas and pure code. Type imports don't count. */
const pageMayImport =
	/^(desktop\/ui(?!\/worker\/(?!messages\.ts))|sync\/(protocol|entities|receipts|statements)\/)/;
/** A page's worker may use the whole core, whose bundle is tested to be free of Node; data of an old client is moved by either. */
const workerMayImport =
	/^(desktop\/ui\/(worker\/|shop\/old-storage\.ts)|sync\/)/;
const packagesOfSync = [
	...["zod", "better-sqlite3", "pg"],
	...["@noble/ed25519", "@noble/hashes", "@sqlite.org/sqlite-wasm", "uqr"],
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
/** Folders that read only through queries. */
const asksByQueries =
	/^(server\/(?!operations\/|products\/import\/)|cli\/commands\/|desktop\/)/;
const readsRows = /^sync\/(rows\/rows|queries\/tallies)\.ts$/;
/** Folders outside the core that may access entity tables, with the reason. */
const mayHoldSql: Record<string, string> = {
	"server/operations/installation/": "reads all businesses together",
	"server/operations/backup/": "copies and checks whole databases",
	"server/operations/archive/": "moves whole businesses",
	"server/operations/upgrade.ts": "reads databases of another version",
	"server/accounts/": "reads which businesses an account belongs to",
	"server/gateway/": "joins budgets to businesses' names and days",
	"server/products/pictures/in-use.ts": "finds picture files that no row names",
	"cli/doctor/": "reads databases of any version",
	"cli/dev/": "is a tool for developers",
};

/** Import-map names of files that have a browser variant. */
const ownImports: Record<string, { default: string }> = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
).imports;

/** @returns the rules that a file breaks, one sentence each */
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
		complaints.push(`${file} is not pure: ${impure.exec(text)?.[0]}`);
	const mayHold = Object.keys(mayHoldSql).some((start) =>
		file.startsWith(start),
	);
	if (room !== "sync" && !isTest && !mayHold && businessSql.test(text))
		complaints.push(
			`${file} contains SQL on entity tables: ${businessSql.exec(text)?.[0]}`,
		);
	if (vagueName.test(file)) complaints.push(`${file} has a meaningless name`);
	return complaints;
}

describe("the source tree", () => {
	test("imports go only from desktop and cli to server to sync, and SQL stays in its folders", () => {
		const read = (file: string) => readFileSync(join(root, file), "utf8");
		expect(sources.length).toBeGreaterThan(50);
		expect(sources.flatMap((file) => complaintsOf(file, read(file)))).toEqual(
			[],
		);
	});

	test.each([
		["sync/shop.ts", 'import express from "express";'],
		["sync/shop.ts", 'import { x } from "../server/app.ts";'],
		["sync/shop.ts", 'import {\n\tx,\n} from "../cli/run.ts";'],
		["sync/shop.ts", 'import { test } from "vitest";'],
		["server/app.ts", 'export { x } from "../cli/run.ts";'],
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
			"server/http/query-operations.ts",
			'import { selectRows } from "../../sync/rows/rows.ts";',
		],
		[
			"desktop/shop/desktop-shop.ts",
			'import { selectRows } from "../../sync/rows/rows.ts";',
		],
		["sync/utils.ts", ""],
		["server/helpers/x.ts", ""],
	])("the import check rejects %s with %j", (file, text) => {
		expect(complaintsOf(file, text)).toHaveLength(1);
	});

	test("the repository's root has only known entries", () => {
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

	test("the lock file needs no compiler and names no registry", () => {
		const lock = JSON.parse(
			readFileSync(join(root, "package-lock.json"), "utf8"),
		);
		const sqlite = lock.packages["node_modules/better-sqlite3"];
		// npm 10 would otherwise build what the package already ships; `npm run lock` prevents that.
		expect(sqlite).toMatchObject({ gypfile: false });
		expect(sqlite).not.toHaveProperty("hasInstallScript");
		const peers = JSON.parse(
			readFileSync(join(root, "cli/dev/peers/package-lock.json"), "utf8"),
		);
		for (const one of [lock, peers])
			expect(JSON.stringify(one)).not.toContain('"resolved":"http');
	});
});
