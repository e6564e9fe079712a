import { parentPort, workerData } from "node:worker_threads";
import { openGround } from "./run.ts";
import { makeScript } from "./script.ts";
import type { SeedOutcome, Share } from "./seeds.ts";

const { from, to, step, kind } = workerData as Share;
const ground = await openGround(kind);
for (let seed = from; seed < to; seed += step) {
	const { violations, history, counts } = await ground.run(makeScript(seed));
	const outcome: SeedOutcome = { seed, violations, history, counts };
	parentPort?.postMessage(outcome);
}
await ground.close();
