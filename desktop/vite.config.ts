import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import counterfoil from "../package.json" with { type: "json" };
import { schema } from "../sync/store/schema-plugin.ts";

const ui = `${import.meta.dirname}/ui`;

/** The web app: `desktop/ui` becomes a build that `desktop/dist` leads to, which the server sends as it is. */
export default defineConfig({
	root: ui,
	define: { __PROGRAM_VERSION__: JSON.stringify(counterfoil.version) },
	// The server puts another in its place at each visit.
	html: { cspNonce: "__STYLE_NONCE__" },
	worker: {
		format: "es",
		plugins: () => [refuseNode(), schema(), bareMutations(), bareZod()],
		rolldownOptions: {
			// One file of all the steps, which only an older database needs.
			output: {
				codeSplitting: {
					groups: [{ name: "migrations", test: /\/migrations\// }],
				},
			},
		},
	},
	build: {
		target: "es2022",
		chunkSizeWarningLimit: 900,
		sourcemap: false,
		rolldownOptions: {
			// What the first page needs is one file: each costs a request, in a server that has just started some milliseconds.
			output: {
				codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }] },
			},
		},
	},
	plugins: [
		refuseNode(),
		react(),
		checkFirstLoad(),
		startWorker(),
		serviceWorker(),
	],
});

/** A page that uses what only Node has would fail when it opens. */
function refuseNode(): Plugin {
	return {
		name: "refuse-node",
		enforce: "pre",
		resolveId(source, importer) {
			if (source.startsWith("node:"))
				throw new Error(`${importer} needs ${source}, which no browser has`);
		},
	};
}

/** What a mutation says for documentation, tests and the server's audit log. */
const unread = ["examples", "sentence"];

/** Leaves out of mutations what no browser reads: a hundredth of the worker. */
function bareMutations(): Plugin {
	return {
		name: "bare-mutations",
		transform(code, id) {
			if (!id.includes("/sync/entities/")) return undefined;
			let bare = "";
			let at = 0;
			for (const { key, start, end } of unreadIn(this.parse(code))) {
				bare += `${code.slice(at, start)}${key.name}: undefined`;
				at = end;
			}
			return { code: bare + code.slice(at), map: null };
		},
	};
}

/** Leaves out how zod writes JSON Schema, which documents the API: another hundredth. */
function bareZod(): Plugin {
	return {
		name: "bare-zod",
		load(id) {
			if (
				!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(
					id,
				)
			)
				return undefined;
			const names = readFileSync(id, "utf8").matchAll(
				/^export (?:const|function) (\w+)/gm,
			);
			return [...names]
				.map(([, name]) => `export function ${name}() {}`)
				.join("\n");
		},
	};
}

interface Property {
	key: { name: string };
	start: number;
	end: number;
}

interface Syntax {
	callee?: { name?: string };
	arguments?: { properties?: Property[] }[];
}

/** The properties of a program's mutations that no browser reads, in their order. */
function unreadIn(node: unknown): Property[] {
	if (typeof node !== "object" || node === null) return [];
	const { callee, arguments: [made] = [] } = node as Syntax;
	return callee?.name === "defineMutation"
		? (made?.properties ?? []).filter(({ key }) => unread.includes(key?.name))
		: Object.values(node).flatMap(unreadIn);
}

/** The till is usable without the schemas, which are loaded with the first form that needs one. */
function checkFirstLoad(): Plugin {
	return {
		name: "check-first-load",
		apply: "build",
		generateBundle(_options, bundle) {
			const chunks = Object.values(bundle).filter(
				(file) => file.type === "chunk",
			);
			const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
			for (const { fileName, moduleIds, imports } of loaded) {
				if (moduleIds.some((id) => id.includes("/node_modules/zod/")))
					throw new Error(`${fileName} is loaded at first, with zod`);
				for (const chunk of chunks)
					if (imports.includes(chunk.fileName)) loaded.add(chunk);
			}
		},
	};
}

/** Of the package's ways to keep a database these are not ours. */
const unneeded = /sqlite3-(worker1|opfs-async-proxy)/;

/** Starts the worker before the page's own scripts are there. */
function startWorker(): Plugin {
	return {
		name: "start-worker",
		apply: "build",
		enforce: "post",
		transformIndexHtml: {
			order: "post",
			handler(_html, { bundle = {} }) {
				const src = `/${starterOf(bundle).fileName}`;
				const attrs = { type: "module", src };
				return [{ tag: "script", attrs, injectTo: "head-prepend" }];
			},
		},
		generateBundle(_options, bundle) {
			this.emitFile({ type: "asset", ...starterOf(bundle) });
		},
	};
}

/** The script that starts a build's worker. Its name changes with it: a cached one may be of another build than the page. */
function starterOf(bundle: Rolldown.OutputBundle) {
	const workers = Object.keys(bundle).filter((name) =>
		/^assets\/worker-[^/]+\.js$/.test(name),
	);
	if (workers.length !== 1)
		throw new Error(`One worker is built, and not ${workers.length}`);
	const source = readFileSync(`${ui}/start-worker.js`, "utf8").replace(
		"__WORKER__",
		`/${workers[0]}`,
	);
	const digest = hash("sha256", source).slice(0, 8);
	return { fileName: `assets/start-worker-${digest}.js`, source };
}

/** Gives the service worker the names of all that was built, so that the app opens without a network. */
function serviceWorker(): Plugin {
	return {
		name: "service-worker",
		apply: "build",
		// After Vite has dropped the scripts of style sheets: a file that is not there fails the worker's installation.
		enforce: "post",
		generateBundle(_options, bundle) {
			for (const name of Object.keys(bundle))
				if (unneeded.test(name)) delete bundle[name];
			const built = Object.keys(bundle).map((name) => `/${name}`);
			const files = ["/index.html", "/icon.svg", "/manifest.webmanifest"];
			const all = [...new Set([...files, ...built])].sort();
			const source = readFileSync(`${ui}/service-worker.js`, "utf8")
				.replace("__FILES__", JSON.stringify(all))
				// The page's own text is not hashed into its name.
				.replace(
					"__VERSION__",
					hash("sha256", all.join() + readFileSync(`${ui}/index.html`)),
				);
			this.emitFile({ type: "asset", fileName: "service-worker.js", source });
		},
	};
}
