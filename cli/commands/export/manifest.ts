import type { Manifest } from "../../../server/operations/archive/manifest.ts";
import { printRows } from "../print.ts";

/** What an archive holds, for a person or a program. */
export function printManifest(manifest: Manifest, json = false): void {
	if (json) {
		console.log(JSON.stringify(manifest, null, 2));
		return;
	}
	printRows(
		manifest.files.map(({ name, records }) => ({ file: name, records })),
		{ empty: "It holds nothing" },
	);
	console.log(`digest ${manifest.digest}`);
}
