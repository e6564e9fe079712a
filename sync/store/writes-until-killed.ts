import { openSqlite } from "./sqlite.ts";

// A test's child process: writes until it is killed, and reports each acknowledged write to its parent.
const store = await openSqlite(process.argv[2] as string);
for (let n = 1; ; n += 1) {
	await store.write((tx) =>
		tx.run("INSERT INTO meta (key, value) VALUES (?, 'v')", `k${n}`),
	);
	process.send?.(n);
}
