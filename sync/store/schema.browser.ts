/// <reference types="vite/types/importMeta.d.ts" />
import type { Schema } from "./schema.ts";

const migrations = import.meta.glob<string>("./migrations/*.sql", {
	query: "?raw",
	import: "default",
});

/** The steps are loaded only for an older database. A new one begins as a copy (`new-database.browser.ts`). */
export const ownSchema: Schema = {
	whole: "",
	migrations: Object.fromEntries(
		Object.entries(migrations).map(([path, read]) => [
			path.slice("./migrations/".length),
			read,
		]),
	),
};
