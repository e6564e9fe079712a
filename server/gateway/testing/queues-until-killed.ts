import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { openRandom } from "../../../sync/simulation/random.ts";
import type { Payer } from "../meter.ts";
import { readPayers } from "./payers.ts";
import { openQueueOn } from "./queue-on-file.ts";

/** What its parent sends when it may begin. */
export interface Queueing {
	file: string;
	businessId: string;
	/** When it begins, by its clock. */
	startMs: number;
	providerUrl: string;
	/** Where half of the answers are delivered to. */
	receiverUrl: string;
	/** Where it writes which requests were accepted. */
	accepted: string;
	/** The number of the first request: of the one before it, nobody knows whether it was accepted. */
	first: number;
	/** How many requests it queues at most. */
	requests: number;
}

// A test's child process: queues requests and answers them until it is killed. It writes to a file which were accepted.
const [given] = (await once(process, "message")) as [Queueing];
const { file, businessId, startMs, accepted, first, requests } = given;
const begun = performance.now();
const env = {
	...systemEnv,
	now: () => startMs + Math.round(performance.now() - begun),
};
// Nothing else keeps it alive once all requests are queued.
setInterval(() => {}, 60_000);
const { store, queue } = await openQueueOn(file, env, given.providerUrl);
const [payer] = (await readPayers(store, businessId)) as [Payer];
const { below } = openRandom("requests", startMs);

for (let n = first; n < first + requests; n += 1) {
	const content = `What is ${n} and ${n}?`;
	const { id } = await queue.accept(payer, {
		path: "/v1/chat/completions",
		sent: {
			...{ model: "gpt-4o", max_tokens: 10 },
			messages: [{ role: "user", content }],
		},
		options: {},
		deliverTo: n % 2 === 0 ? `${given.receiverUrl}/${n}` : null,
		repeatKey: String(n),
	});
	appendFileSync(accepted, `${n} ${id}\n`);
	await sleep(below(6));
}
