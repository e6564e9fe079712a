import init from "@sqlite.org/sqlite-wasm";
import { migrate, readVersion } from "../../../../sync/store/migrate.ts";
import {
	openInMemory,
	openInOpfs,
} from "../../../../sync/store/sqlite-wasm.ts";
import type { Store } from "../../../../sync/store/store.ts";
import {
	startWasmSqlite,
	WasmDatabase,
} from "../../../../sync/store/wasm-database.ts";
import { sellIn } from "./same-shop.ts";

/* A browser worker whose store is controlled by a test. */

const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";

let store: Store;

const calls = {
	async open(directory?: string) {
		const sqlite = await startWasmSqlite(init);
		store = await (directory === undefined
			? openInMemory(sqlite)
			: openInOpfs(sqlite, directory));
	},
	write: (keys: string[], value: string) =>
		Promise.all(
			keys.map((key) => store.write((tx) => tx.run(insert, key, value))),
		),
	async keys() {
		const rows = await store.read((tx) =>
			tx.all("SELECT key FROM meta WHERE key LIKE 'k%' ORDER BY key"),
		);
		return rows.map(({ key }) => key);
	},
	sell: () => sellIn(store),
	/** Migrates a database that an older build left, and returns its schema. */
	async migrate(older: string[]) {
		const sqlite = await startWasmSqlite(init);
		const db = new WasmDatabase(sqlite, ":memory:");
		for (const sql of older) db.exec(sql);
		await migrate(db);
		return readVersion(db);
	},
	close: () => store.close(),
};
export type StoreCalls = typeof calls;

self.onmessage = async ({ data: [id, name, args] }) => {
	try {
		const call = calls[name as keyof StoreCalls] as (
			...args: unknown[]
		) => Promise<unknown>;
		self.postMessage([id, await call(...args)]);
	} catch (error) {
		const { code, message } = error as { code?: string; message: string };
		self.postMessage([id, null, { code, message }]);
	}
};
