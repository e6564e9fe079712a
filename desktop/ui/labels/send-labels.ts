import { download } from "../components/download.ts";
import type { LabelText } from "../till-shell.ts";
import type { LabelSheet } from "./label-sheets.ts";
import { toZpl } from "./zpl.ts";

/** How a roll is printed: by the system's dialog, by a label printer's own language, or by the receipt printer. */
export const ways = ["dialog", "zpl", "receipt"] as const;
export type Way = (typeof ways)[number];

/** Where nearly all label printers listen. */
const port = 9100;

/**
 * Sends labels to a printer without a dialog. A browser can't reach one, and saves a file for it instead.
 *
 * @throws with a line for a person
 */
export async function sendLabels(
	labels: LabelText[],
	way: Exclude<Way, "dialog">,
	{ sheet, host }: { sheet: LabelSheet; host: string },
): Promise<void> {
	const { till } = window;
	const { width, height } = sheet;
	if (!till) download(new Blob([toZpl(labels, sheet)]), "labels.zpl");
	else if (way === "receipt")
		await till.printLabels(labels, { kind: "receipt" });
	else
		await till.printLabels(labels, {
			...{ kind: "zpl", host, port, width, height },
		});
}
