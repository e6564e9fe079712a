import type { SimulatedTill } from "./world.ts";

const comparisonsMax = 5;

/**
 * Syncs a till. A window that moves compares the till's rows first, so rows may be put right; the sync loop then syncs
 * and compares again within half a minute, before a disk is damaged once more.
 */
export async function syncTill(till: SimulatedTill): Promise<void> {
	const before = till.healings;
	await till.replica?.sync();
	if (till.healings > before) await compareAgain(till);
}

/** Compares a till's rows. Once some were put right it syncs and compares again, as the sync loop does. */
export async function compareTill(till: SimulatedTill): Promise<void> {
	if ((await till.replica?.compare()) === "healed") await compareAgain(till);
}

/** A comparison during which the server moves says nothing. */
async function compareAgain(till: SimulatedTill): Promise<void> {
	for (let times = 0; times < comparisonsMax; times += 1) {
		await till.replica?.sync();
		const found = await till.replica?.compare();
		if (found !== "healed" && found !== "unknown") return;
	}
}
