import { openSqlite } from "./sqlite.ts";

// For a test: writes until it is killed, and tells its parent of each write that was acknowledged.
const store = await openSqlite(process.argv[2] as string);
for (let n = 1; ; n += 1) {
	await store.write((tx) =>
		tx.run("INSERT INTO meta (key, value) VALUES (?, 'v')", `k${n}`),
	);
	process.send?.(n);
}
