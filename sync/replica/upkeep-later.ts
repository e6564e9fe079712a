import { bringOlderFacts } from "./join-by-snapshot.ts";
import { readState } from "./replica-state.ts";
import type { Upkeep, UpkeepOptions } from "./upkeep.ts";

/** Opens a till's upkeep, with its code once it is needed: a till opens and sells without it. */
export function upkeepLater(options: UpkeepOptions): Upkeep {
	const { store, businessId, windowDays, ask } = options;
	let opened: Upkeep | undefined;

	async function open(): Promise<Upkeep> {
		const { openUpkeep } = await import("./upkeep.ts");
		opened ??= openUpkeep(options);
		return opened;
	}

	async function holdsAll(): Promise<boolean> {
		if (windowDays !== undefined) return false;
		const { window } = await store.read((tx) => readState(tx, businessId));
		return window.version === 0;
	}

	return {
		compare: async (how) => (await open()).compare(how),
		async fill(mayGoOn) {
			if (await holdsAll()) await bringOlderFacts(options, mayGoOn);
			else await (await open()).fill(mayGoOn);
		},
		async ask(caller, query, args) {
			// A till with a window may be offline before it has loaded the rest: only these need it.
			if (windowDays === undefined || query.older === undefined)
				return ask(caller, query, args);
			return (await open()).ask(caller, query, args);
		},
		bring: async (saleId) => (await open()).bring(saleId),
	};
}
