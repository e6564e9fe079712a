import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { newDatabase, withoutComments } from "./new-database.ts";
import { writeDown } from "./written-database.ts";

/** Gives the build the steps of a migration as text, and the whole schema as a new database. */
export function schema(): Plugin {
	return {
		name: "schema",
		enforce: "pre",
		async load(id) {
			const [file = "", query] = id.split("?");
			if (!file.endsWith(".sql")) return undefined;
			const content =
				query === "database"
					? writeDown(await newDatabase())
					: withoutComments(readFileSync(file, "utf8"));
			return `export default ${JSON.stringify(content)}`;
		},
	};
}
