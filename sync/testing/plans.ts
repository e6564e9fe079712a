import type { Connection, Store } from "../store/store.ts";

/** Gathers the plan of each statement that a store on SQLite runs, by its text. */
export function explaining(store: Store, plans: Map<string, string>): Store {
	async function explain(tx: Connection, sql: string): Promise<void> {
		if (plans.has(sql) || /^(PRAGMA|EXPLAIN)/.test(sql)) return;
		const count = sql.replaceAll(/'[^']*'/g, "").split("?").length - 1;
		const steps = await tx.all(
			`EXPLAIN QUERY PLAN ${sql}`,
			...new Array(count).fill(null),
		);
		plans.set(sql, steps.map(({ detail }) => detail).join("\n"));
	}
	const watched = (tx: Connection): Connection => ({
		async get(sql, ...params) {
			await explain(tx, sql);
			return tx.get(sql, ...params);
		},
		async all(sql, ...params) {
			await explain(tx, sql);
			return tx.all(sql, ...params);
		},
		async run(sql, ...params) {
			await explain(tx, sql);
			return tx.run(sql, ...params);
		},
		savepoint: (fn) => tx.savepoint(fn),
	});
	return {
		read: (fn) => store.read((tx) => fn(watched(tx))),
		write: (fn, options) => store.write((tx) => fn(watched(tx)), options),
		announce: (note) => store.announce(note),
		onAnnounced: (listener) => store.onAnnounced(listener),
		assertInPlace: () => store.assertInPlace(),
		close: () => store.close(),
	};
}
