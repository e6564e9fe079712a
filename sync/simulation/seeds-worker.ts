import { parentPort, workerData } from "node:worker_threads";
import { openGround } from "./run.ts";
import { makeScript } from "./script.ts";
import type { SeedOutcome, Share } from "./seeds.ts";

const { from, to, step } = workerData as Share;
const ground = await openGround();
for (let seed = from; seed < to; seed += step) {
	const { violations, history, counts } = await ground.run(makeScript(seed));
	const outcome: SeedOutcome = { seed, violations, history, counts };
	parentPort?.postMessage(outcome);
}
ground.close();
