import type { ShopClient } from "../shop/client.ts";

interface Ways {
	/** Sees to it that the shop knows of the sale. */
	prepare?: () => Promise<void>;
	/** What a browser does, and a till that has no printer. */
	otherwise(): void;
}

/** Prints a sale's receipt: on a till by the printer that was chosen for it, without a question. */
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

/** Opens the drawer that hangs on a till's receipt printer, where there is one. */
export async function openDrawer(): Promise<void> {
	const { till } = window;
	const printers = await till?.printers();
	const kind = printers?.chosen?.kind;
	if (kind === "network" || kind === "device") await till?.openDrawer();
}
