import { toCallResult } from "../../../sync/till/dispatch.ts";
import type { FromPage, ToPage } from "./messages.ts";
import { openShop } from "./open-shop.ts";
import { packShop } from "./shop-files.ts";
import { openTabs, type Tabs } from "./tabs.ts";

/*
 * A tab's worker. It opens the shop in this browser's files, or calls the tab that already has it open.
 */

let tabs: Tabs | undefined;
let shop = "";

const tell = (message: ToPage) => postMessage(message);

async function answer(
	number: number,
	work: () => Promise<unknown>,
): Promise<void> {
	const outcome = await toCallResult(work, console.error);
	tell({ kind: "outcome", number, outcome });
}

self.onmessage = async ({ data }: MessageEvent<FromPage>) => {
	if (data.kind === "open") {
		const { member, build } = data;
		shop = member.businessId;
		tabs = openTabs({
			...{ businessId: shop, build },
			open: () => openShop(member, data),
			onChange: (change) => tell({ kind: "changed", change }),
			onOtherBuild: () => tell({ kind: "otherBuild" }),
		});
	} else if (data.kind === "close") {
		const isRemoved = (await tabs?.close(data.remove)) ?? false;
		tell({ kind: "closed", isRemoved });
	} else if (data.kind === "pack")
		await answer(data.number, () => packShop(shop));
	else {
		const { number, member, call } = data;
		await answer(number, () => (tabs as Tabs).call(member, call));
	}
};
