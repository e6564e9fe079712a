import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `npm run lock` installs, then corrects the lock file. better-sqlite3 ships its binaries and needs no install script, but
 * npm 10 (of Node 20) sees its binding.gyp and runs node-gyp, which needs a compiler, unless the lock file says that there
 * is nothing to build.
 */
const file = join(import.meta.dirname, "../../package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const entry = lock.packages["node_modules/better-sqlite3"];
delete entry.hasInstallScript;
entry.gypfile = false;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
