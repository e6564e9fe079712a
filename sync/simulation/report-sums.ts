import { foldTallies, forgetTallies } from "../queries/tallies.ts";
import type { Replica } from "../replica/replica.ts";
import { readState } from "../replica/replica-state.ts";
import type { Store } from "../store/store.ts";
import { assertTalliesRight } from "../testing/tallies.ts";
import type { Witness } from "./witness.ts";

const today = "2026-11-21";

/** A machine's shop, on a till with its replica. */
interface Judged {
	machine: { store: Store };
	businessId: string;
	replica?: Replica | undefined;
}

/** The totals of reports equal the sums of their facts. */
export async function judgeSums(
	witness: Witness,
	{ machine, businessId, replica }: Judged,
): Promise<void> {
	const { store } = machine;
	const check = async (from?: string) => {
		await foldTallies(store, businessId, today);
		await assertTalliesRight(store, businessId, today, from).catch((error) =>
			witness.fail("a report's sums are wrong", `${error}`),
		);
	};
	const state =
		replica && (await store.read((tx) => readState(tx, businessId)));
	// Sums go on counting older sales that the till has let go: for days from before its window it asks its server.
	if (state && state.window.day !== null && state.window.version > 0) {
		await check(state.window.day);
		await store.write((tx) => forgetTallies(tx, businessId));
	}
	await check();
}
