import {
	type LocalDatabase,
	only,
	type StoreName,
	stores,
} from "./database.ts";

type Key = IDBValidKey;
type Row = Record<string, unknown>;
type Query = Key | IDBKeyRange | undefined;
/** What a new memory database begins with. */
export type Contents = Partial<Record<StoreName, readonly object[]>>;

/** Holds rows for as long as the page is open, by the calls of `idb` that this app makes. */
export function openMemoryDatabase(contents: Contents = {}): LocalDatabase {
	const tables = new Map(
		Object.keys(stores).map((name) => [name, tableOf(name as StoreName)]),
	);
	for (const [name, rows] of Object.entries(contents))
		for (const row of rows) tables.get(name)?.write(row as Row);

	const open = (name: string) => tables.get(name) as Table;
	function transaction(names: string | string[]) {
		const touched = [names].flat().map(open);
		const undo = touched.map((table) => table.checkpoint());
		return {
			store: touched[0],
			objectStore: open,
			done: Promise.resolve(),
			abort() {
				for (const restore of undo) restore();
			},
		};
	}
	const database = {
		transaction,
		get: (name: string, key: Key) => open(name).get(key),
		getAll: (name: string) => open(name).getAll(),
		put: (name: string, row: Row, key?: Key) => open(name).put(row, key),
		delete: (name: string, key: Key) => open(name).delete(key),
		getFromIndex: (name: string, index: string, key: Key) =>
			open(name).index(index).get(key),
		close() {},
	};
	return database as unknown as LocalDatabase;
}

type Table = ReturnType<typeof tableOf>;

function tableOf(name: StoreName) {
	const { keyPath } = stores[name];
	let rows = new Map<Key, Row>();
	let lastKey = 0;

	function write(row: Row, outside?: Key): Key {
		const key = keyPath
			? ((row[keyPath] as Key | undefined) ?? lastKey + 1)
			: (outside ?? only);
		if (typeof key === "number") lastKey = Math.max(lastKey, key);
		rows.set(key, structuredClone(keyPath ? { ...row, [keyPath]: key } : row));
		return key;
	}

	/** In the order of their values there, as an index holds them. */
	function found(index: string, query: Query): [Key, Row][] {
		return [...rows]
			.filter(([, row]) => matches(row[index], query))
			.sort(([, a], [, b]) => compare(a[index] as Key, b[index] as Key));
	}

	return {
		write,
		checkpoint() {
			const before = new Map(rows);
			return () => {
				rows = before;
			};
		},
		get: async (key: Key) => rows.get(key),
		getKey: async (key: Key) => (rows.has(key) ? key : undefined),
		getAll: async () => [...rows.values()],
		put: async (row: Row, key?: Key) => write(row, key),
		add: async (row: Row, key?: Key) => write(row, key),
		delete: async (key: Key) => void rows.delete(key),
		clear: async () => rows.clear(),
		index: (index: string) => ({
			get: async (key: Key) => found(index, key)[0]?.[1],
			getAll: async (query?: Query) =>
				found(index, query).map(([, row]) => row),
			openCursor: async (query?: Query) => cursorOver(found(index, query)),
		}),
	};

	function cursorOver(left: [Key, Row][]): object | null {
		const [first, ...rest] = left;
		if (!first) return null;
		const [key, value] = first;
		return {
			value,
			delete: async () => void rows.delete(key),
			continue: async () => cursorOver(rest),
		};
	}
}

function matches(value: unknown, query: Query): boolean {
	if (value === undefined || query === undefined) return value !== undefined;
	return query instanceof IDBKeyRange ? query.includes(value) : value === query;
}

/** Values of one index are of one type. */
function compare(a: Key, b: Key): number {
	return a < b ? -1 : Number(a > b);
}
