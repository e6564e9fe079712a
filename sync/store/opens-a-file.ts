import { openSqlite } from "./sqlite.ts";

// A test's child process: migrates a file. Its parent may kill it at any moment.
process.send?.("opening");
const store = await openSqlite(process.argv[2] as string);
await store.close();
process.send?.("migrated");
