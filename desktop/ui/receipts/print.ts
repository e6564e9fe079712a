import type { ShopClient } from "../shop/client.ts";
import { readServerAddress } from "../shop/till.ts";
import { withLogo } from "./logo.ts";
import { receiptOptions } from "./receipt-options.ts";

interface Ways {
	/** Makes sure that the shop has the sale. */
	prepare?: () => Promise<void>;
	/** Used in a browser, and on a till without a chosen printer. */
	otherwise(): void;
	/** Whether this is the first print, made when the sale is. Nothing records prints, so all others are copies. */
	isFirst?: boolean;
}

/** Prints a sale's receipt; on a desktop till on its chosen printer, without a dialog. */
export async function printReceipt(
	shop: ShopClient,
	saleId: string,
	{ prepare, otherwise, isFirst = false }: Ways,
): Promise<void> {
	const { till } = window;
	const printers = await till?.printers();
	if (!till || !printers?.chosen) {
		otherwise();
		return;
	}
	await prepare?.();
	const receipt = await withLogo(await shop.ask("receipt.get", { id: saleId }));
	const server = await readServerAddress();
	await till.print(
		receipt,
		receiptOptions(receipt, { server, isCopy: !isFirst }),
	);
	// As after the browser's own printing.
	dispatchEvent(new Event("afterprint"));
}

/** Opens the cash drawer on a desktop till's receipt printer, if there is one. */
export async function openDrawer(): Promise<void> {
	const { till } = window;
	const printers = await till?.printers();
	const kind = printers?.chosen?.kind;
	if (kind === "network" || kind === "device") await till?.openDrawer();
}

/** Opens it for cash whose record is made. That it stays shut is no reason to record it once more. */
export async function tryDrawer(): Promise<void> {
	await openDrawer().catch(console.warn);
}
