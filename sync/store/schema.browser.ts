/// <reference types="vite/types/importMeta.d.ts" />
import type { Schema } from "./schema.ts";

/* Vite inlines the schema's text. The steps are loaded only for an older database. */
const whole = import.meta.glob<string>("../../schema.sql", {
	query: "?raw",
	import: "default",
	eager: true,
});
const migrations = import.meta.glob<string>("./migrations/*.sql", {
	query: "?raw",
	import: "default",
});

export const ownSchema: Schema = {
	whole: whole["../../schema.sql"] as string,
	migrations: Object.fromEntries(
		Object.entries(migrations).map(([path, read]) => [
			path.slice("./migrations/".length),
			read,
		]),
	),
};
