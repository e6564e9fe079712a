import type { ShopClient } from "../shop/client.ts";

interface Ways {
	/** Makes sure that the shop has the sale. */
	prepare?: () => Promise<void>;
	/** Used in a browser, and on a till without a chosen printer. */
	otherwise(): void;
}

/** Prints a sale's receipt; on a desktop till on its chosen printer, without a dialog. */
export async function printReceipt(
	shop: ShopClient,
	saleId: string,
	{ prepare, otherwise }: Ways,
): Promise<void> {
	const { till } = window;
	const printers = await till?.printers();
	if (!till || !printers?.chosen) {
		otherwise();
		return;
	}
	await prepare?.();
	await till.print(await shop.ask("receipt.get", { id: saleId }));
}

/** Opens the cash drawer on a desktop till's receipt printer, if there is one. */
export async function openDrawer(): Promise<void> {
	const { till } = window;
	const printers = await till?.printers();
	const kind = printers?.chosen?.kind;
	if (kind === "network" || kind === "device") await till?.openDrawer();
}
