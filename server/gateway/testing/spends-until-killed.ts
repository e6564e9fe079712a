import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { openRandom } from "../../../sync/simulation/random.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { emptyRecord } from "../call-record.ts";
import { isOverBudget } from "../ledger-batch.ts";
import { openMeter, type Payer } from "../meter.ts";

/** What its parent sends when it may begin. */
export interface Spending {
	file: string;
	/** When it begins, by its clock. */
	startMs: number;
	/** Where it writes what its calls cost. */
	spending: string;
	payers: Payer[];
}

// A test's child process: makes calls until it is killed. It writes to a file what each call may cost before the call is
// made, and what it did cost before the meter knows, as a provider would count it.
const [{ file, startMs, spending, payers }] = (await once(
	process,
	"message",
)) as [Spending];
const store = await openSqlite(file);
const begun = performance.now();
const env = {
	...systemEnv,
	now: () => startMs + Math.round(performance.now() - begun),
};
const meter = openMeter(store, env, (error) => {
	throw error;
});
const { below } = openRandom("calls", startMs);

function note(id: string, payer: Payer, mostOrCost: number): void {
	const accounts = payer.accounts.map((it) => it.id).join(",");
	appendFileSync(spending, `${id} ${accounts} ${mostOrCost}\n`);
}

async function call(payer: Payer): Promise<void> {
	const bound = 1 + below(100);
	const reservation = await meter.reserve(payer, () => [bound, 1]);
	let most = reservation.held?.amount ?? 0;
	note(reservation.id, payer, most);
	await sleep(below(3));
	if (below(4) === 0 && (await meter.extend(reservation, 20))) {
		most += 20;
		note(reservation.id, payer, most);
	}
	const cost = below(most + 1);
	note(reservation.id, payer, cost);
	meter.settle(reservation, {
		...emptyRecord,
		...{ askedModel: "gpt-4o", status: "ok", cost },
	});
}

await Promise.all(
	[...payers, ...payers].map(async (payer) => {
		for (;;)
			await call(payer).catch((error) => {
				if (!isOverBudget(error)) throw error;
				appendFileSync(spending, `refused - 0 ${" ".repeat(40)}\n`);
				return sleep(1);
			});
	}),
);
