import * as z from "zod";
import { recordId, timestamp } from "../../../sync/entities/fields.ts";

export const manifestFile = "manifest.json";
/** The version of the archive's layout; the records in it follow the schema's version. */
export const archiveFormat = 1;

/** An archive's description of its contents. */
export const manifest = z.object({
	format: z.int(),
	/** The schema version of the exported database. */
	schemaVersion: z.int(),
	madeAt: timestamp,
	/** The name of the business's folder of pictures, too, so it must not lead to another one. */
	businessId: recordId.regex(/^[\w-]+$/),
	/** The business's newest version. */
	head: z.int(),
	/** The digest of all live records, which the imported shop must match. */
	digest: z.string(),
	files: z.array(
		z.object({ name: z.string(), records: z.int(), sha256: z.string() }),
	),
});
export type Manifest = z.output<typeof manifest>;

/** An archive can't be imported; the message says why. */
export class ArchiveError extends Error {
	override readonly name = "ArchiveError";
}
