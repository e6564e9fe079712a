import * as z from "zod";
import { recordId, timestamp } from "../../../sync/entities/fields.ts";

export const manifestFile = "manifest.json";
/** Of the archive itself; what it holds follows the schema. */
export const archiveFormat = 1;

/** What an archive says of itself. */
export const manifest = z.object({
	format: z.int(),
	/** Of the database that it was made from. */
	schemaVersion: z.int(),
	madeAt: timestamp,
	businessId: recordId,
	/** The business's newest version. */
	head: z.int(),
	/** Of all live records: the database that reads the archive must come to the same. */
	digest: z.string(),
	files: z.array(
		z.object({ name: z.string(), records: z.int(), sha256: z.string() }),
	),
});
export type Manifest = z.output<typeof manifest>;

/** An archive can't be read; the message says why. */
export class ArchiveError extends Error {
	override readonly name = "ArchiveError";
}
