import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startWasmSqlite, type WasmSqlite } from "../store/wasm-database.ts";
import { type SimulatedOpfs, simulateOpfs } from "./opfs.ts";

export interface SimulatedBrowser {
	sqlite: WasmSqlite;
	opfs: SimulatedOpfs;
}

let started: Promise<SimulatedBrowser> | undefined;

/** The environment of a browser's worker, created once per thread. */
export function simulatedBrowser(): Promise<SimulatedBrowser> {
	started ??= start();
	return started;
}

async function start(): Promise<SimulatedBrowser> {
	const opfs = simulateOpfs();
	const file = createRequire(import.meta.url).resolve(
		"@sqlite.org/sqlite-wasm/sqlite3.wasm",
	);
	// The package's build for Node has no OPFS.
	const program = pathToFileURL(join(dirname(file), "index.mjs")).href;
	const { default: init } = await import(/* @vite-ignore */ program);
	const sqlite = await startWasmSqlite(init, {
		wasmBinary: readFileSync(file),
	});
	return { sqlite, opfs };
}
