import type { Manifest } from "../../../server/operations/archive/manifest.ts";
import { printRows } from "../print.ts";

/** Prints an archive's contents as a table or as JSON. */
export function printManifest(manifest: Manifest, json = false): void {
	if (json) {
		console.log(JSON.stringify(manifest, null, 2));
		return;
	}
	printRows(
		manifest.files.map(({ name, records }) => ({ file: name, records })),
		{ empty: "The archive is empty" },
	);
	console.log(`digest ${manifest.digest}`);
}
