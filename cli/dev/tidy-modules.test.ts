import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
	findImportCycles,
	findLongFunctions,
	findNodeImports,
	findUnusedExports,
} from "./source-checks.ts";
import { readModule, type SourceModule } from "./source-module.ts";

const root = join(import.meta.dirname, "../..");
const isTest = (file: string) =>
	/\.test\.tsx?$|\/testing\/|(^|\/)test-[^/]*\.ts$/.test(file);
const isBrowserSafe = (file: string) =>
	/^(sync\/(protocol|entities|receipts|statements)|desktop\/ui)\//.test(file) &&
	!isTest(file);

/** Exports that other programs load by name: Vite, Vitest, and the Electron stub in tests. */
const loadedByName =
	/^(vitest\.config|desktop\/vite\.config|sync\/testing\/postgres-setup|desktop\/shell\/testing\/electron)\.ts exports/;

/** Known violations; remove an entry when it is fixed. */
const known: readonly string[] = [
	"desktop/ui/shop/shop-client.ts openShopClient ",
	"desktop/ui/parts/undo.tsx exports OfferUndo,",
	"desktop/ui/session.tsx exports User,",
	"desktop/ui/session.tsx exports Session,",
	"desktop/ui/session.tsx exports SessionState,",
	"desktop/ui/shop/shop-client.ts exports ShopClientOptions,",
	"desktop/ui/shop/till.ts exports Till,",
	"desktop/ui/shop/window-carts.ts exports WindowCarts,",
	"desktop/ui/till/scan-burst.ts exports Burst,",
	"desktop/ui/worker/journal.ts exports JournalDevice,",
	"desktop/ui/worker/members.ts exports Members,",
	"desktop/ui/worker/rescue.ts exports Rescue,",
	"desktop/ui/worker/tabs.ts exports TabsOptions,",
	"sync/store/postgres-sql.ts exports Statement,",
	"sync/store/tables.ts exports Rows,",
	"sync/store/wasm-database.ts exports Said,",
	"sync/store/write-queue.ts exports Committing,",
];

function finds(complaints: readonly string[]): string[] {
	return complaints.filter(
		(complaint) =>
			!known.some((start) => complaint.startsWith(start)) &&
			!loadedByName.test(complaint),
	);
}

describe("the source tree", () => {
	let modules: SourceModule[] = [];
	beforeAll(() => {
		const files = execFileSync(
			"git",
			["ls-files", "-co", "--exclude-standard"],
			{ cwd: root, encoding: "utf8" },
		).split("\n");
		modules = files
			.filter((file) =>
				/^((sync|server|desktop|cli)\/.*\.([cm]?[jt]sx?)|vitest\.config\.ts)$/.test(
					file,
				),
			)
			.map((file) => readModule(file, readFileSync(join(root, file), "utf8")));
	});

	test("the checks read every module of the source tree", () => {
		expect(modules.length).toBeGreaterThan(500);
	});

	test("no function except components has more than 70 own lines", () => {
		// Tests may be longer: they are read from top to bottom.
		const product = modules.filter(({ file }) => !/\.test\.tsx?$/.test(file));
		expect(finds(findLongFunctions(product))).toEqual([]);
	});

	test("no module imports itself through others", () => {
		expect(finds(findImportCycles(modules))).toEqual([]);
	});

	test("every export is imported by another file", () => {
		expect(finds(findUnusedExports(modules))).toEqual([]);
	});

	test("no page imports a Node module, directly or through others", () => {
		expect(modules.filter(({ file }) => isBrowserSafe(file))).not.toEqual([]);
		expect(finds(findNodeImports(modules, isBrowserSafe))).toEqual([]);
	});
});

describe("a check of the source tree", () => {
	const lines = (count: number) => "\tsell();\n".repeat(count);
	const read = (texts: Record<string, string>) =>
		Object.entries(texts).map(([file, text]) => readModule(file, text));

	test("the check of functions finds one of 71 lines but not of 70", () => {
		const text = `function short() {\n${lines(68)}}\nconst long = () => {\n${lines(69)}};\n`;
		expect(findLongFunctions(read({ "sync/a.ts": text }))).toEqual([
			"sync/a.ts long has 71 own lines (line 71)",
		]);
	});

	test("the check of functions counts a nested function's lines only for that function", () => {
		const inner = `function inner() {\n${lines(60)}}\n`;
		const text = `function outer() {\n${inner}${lines(60)}}\n`;
		expect(findLongFunctions(read({ "sync/a.ts": text }))).toEqual([]);
	});

	test("the check of functions exempts a component but not other functions beside it", () => {
		const text = `function Page() {\n${lines(80)}}\nfunction load() {\n${lines(80)}}\n`;
		expect(findLongFunctions(read({ "desktop/ui/a.tsx": text }))).toHaveLength(
			1,
		);
	});

	test.each([
		["imports", 'import { a } from "./a.ts";'],
		["exports", 'export * from "./a.ts";'],
		["dynamic imports", 'const { a } = await import("./a.ts");'],
	])("the check of imports finds a cycle through %s", (_, back) => {
		const cycle = { "x/a.ts": 'import "./b.ts";', "x/b.ts": back };
		expect(findImportCycles(read(cycle))).toEqual([
			"x/a.ts -> x/b.ts -> x/a.ts",
		]);
	});

	test("the check of imports ignores type imports", () => {
		const texts = {
			"x/a.ts": 'import "./b.ts";',
			"x/b.ts": 'import type { A } from "./a.ts";',
		};
		expect(findImportCycles(read(texts))).toEqual([]);
	});

	test.each([
		["a function", "export function used() {}\nexport function lost() {}"],
		["a type", "export const used = 1;\nexport interface lost {}"],
		["a list", "const used = 1, lost = 2;\nexport { used, lost };"],
	])("the check of exports finds %s that no file imports", (_, text) => {
		const texts = {
			"x/a.ts": text,
			"y/b.ts": 'import { used } from "../x/a.ts";',
		};
		expect(findUnusedExports(read(texts))).toEqual([
			"x/a.ts exports lost, which no other file imports",
		]);
	});

	test("the check of exports follows members of a namespace import", () => {
		const texts = {
			"x/a.ts": "export const used = 1, lost = 2;",
			"x/b.ts": 'import * as a from "./a.ts"; console.log(a.used);',
		};
		expect(findUnusedExports(read(texts))).toEqual([
			"x/a.ts exports lost, which no other file imports",
		]);
	});

	test("the check of pages finds a Node module behind another module", () => {
		const texts = {
			"desktop/ui/page.ts": 'import "../../sync/x.ts"; import "#platform";',
			"sync/x.ts": 'import { readFileSync } from "node:fs";',
			"sync/platform/node.ts": 'import "node:crypto";',
			"sync/platform/browser.ts": "",
		};
		expect(findNodeImports(read(texts), isBrowserSafe)).toEqual([
			"desktop/ui/page.ts -> sync/x.ts -> node:fs",
		]);
	});
});
