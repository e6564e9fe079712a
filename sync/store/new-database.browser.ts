/// <reference types="vite/types/importMeta.d.ts" />
import { readBack, type WrittenDatabase } from "./written-database.ts";

const written = import.meta.glob<WrittenDatabase>("../../schema.sql", {
	query: "?database",
	import: "default",
	eager: true,
});

export async function newDatabase(): Promise<Uint8Array> {
	return readBack(written["../../schema.sql"] as WrittenDatabase);
}
