import { readFileSync } from "node:fs";
import { newDatabase, withoutComments } from "./new-database.ts";
import { writeDown } from "./written-database.ts";

/** A plugin of Vite's, which gives the build the steps of a migration as text, and the whole schema as a new database. */
export function schema() {
	return {
		name: "schema",
		enforce: "pre" as const,
		async load(id: string) {
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
