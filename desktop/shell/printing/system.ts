import type { ReceiptDocument } from "../../../sync/receipts/receipt-document.ts";
import { toPage } from "../../../sync/receipts/receipt-page.ts";
import type { Printer } from "../../ui/till-shell.ts";
import type { ElectronParts } from "../electron-parts.ts";
import { safePreferences } from "../lock-down.ts";

/**
 * Prints a receipt on a system printer, without a dialog, from a hidden page.
 *
 * @throws Error with a message for a person
 */
export async function printBySystem(
	{ BrowserWindow }: Pick<ElectronParts, "BrowserWindow">,
	document: ReceiptDocument,
	{ name, width }: Extract<Printer, { kind: "system" }>,
): Promise<void> {
	const window = new BrowserWindow({
		show: false,
		webPreferences: { ...safePreferences, javascript: false },
	});
	try {
		const page = encodeURIComponent(toPage(document, { paper: `${width}` }));
		await window.loadURL(`data:text/html;charset=utf-8,${page}`);
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		window.webContents.print(
			{
				silent: true,
				deviceName: name,
				printBackground: false,
				margins: { marginType: "none" },
				// The driver knows the roll's size: the page is as long as the receipt.
				usePrinterDefaultPageSize: true,
			},
			(isDone, reason) => {
				if (isDone) resolve();
				else reject(new Error(`${name} did not print: ${reason}`));
			},
		);
		await promise;
	} finally {
		window.destroy();
	}
}
