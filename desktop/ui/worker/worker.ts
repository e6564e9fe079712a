import { outcomeOfCall } from "../../../sync/till/do-call.ts";
import type { FromPage, ToPage } from "./messages.ts";
import { openShop } from "./open-shop.ts";
import { openTabs, type Tabs } from "./tabs.ts";

/*
 * A tab's worker. It opens the shop in this browser's files, where no other tab's has it open, and asks that one otherwise.
 */

let tabs: Tabs | undefined;

const tell = (message: ToPage) => postMessage(message);

self.onmessage = async ({ data }: MessageEvent<FromPage>) => {
	if (data.kind === "open") {
		const { member, build, left } = data;
		tabs = openTabs({
			...{ businessId: member.businessId, build },
			open: () => openShop(member, left),
			onChange: (change) => tell({ kind: "changed", change }),
			onOtherBuild: () => tell({ kind: "otherBuild" }),
		});
	} else if (data.kind === "close") {
		const isRemoved = (await tabs?.close(data.remove)) ?? false;
		tell({ kind: "closed", isRemoved });
	} else {
		const { number, member, call } = data;
		const outcome = await outcomeOfCall(
			() => (tabs as Tabs).call(member, call),
			console.error,
		);
		tell({ kind: "outcome", number, outcome });
	}
};
