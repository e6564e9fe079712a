import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { schema } from "../store/schema-plugin.ts";

const root = join(import.meta.dirname, "../..");
const goesIntoBrowser = [
	"sync/replica/replica.ts",
	"sync/replica/sync-loop.ts",
	"sync/replica/fetch.ts",
	"sync/entities/index.ts",
	"sync/queries/index.ts",
	"sync/till/till.ts",
	"sync/store/sqlite-wasm.ts",
];

/** Globals that Node has and browsers lack. */
const nodeGlobals =
	/\b(Buffer\b|setImmediate\b|process\.|require\(|__dirname)/g;

test("a till's core bundles for a browser without any Node API", async () => {
	const ofNode: string[] = [];
	const bundles = await build({
		configFile: false,
		root,
		logLevel: "silent",
		build: {
			write: false,
			lib: { entry: goesIntoBrowser, formats: ["es"] },
		},
		plugins: [
			schema(),
			{
				name: "no-node",
				enforce: "pre",
				resolveId(name, importer = "") {
					if (isBuiltin(name))
						ofNode.push(`${relative(root, importer)} ${name}`);
				},
			},
		],
	});
	const [{ output }] = bundles as [Rolldown.RolldownOutput];
	expect(ofNode).toEqual([]);
	const chunks = output.filter((one) => one.type === "chunk");
	expect(chunks.length).toBeGreaterThanOrEqual(goesIntoBrowser.length);
	const text = chunks.map(({ code }) => code).join("\n");
	expect(text.match(nodeGlobals)).toBeNull();
	expect(text).toContain("CREATE TABLE replica (");
	const migrations = readdirSync(join(root, "sync/store/migrations")).filter(
		(name) => name.endsWith(".sql"),
	);
	expect(migrations.filter((name) => !text.includes(name))).toEqual([]);
});
