import { setFlagsFromString } from "node:v8";

/**
 * Lets garbage be taken away early: rows come and go by the million, and V8 would let as many of them lie as there were
 * other things in memory when it began. It takes a third less of it, and a little more time.
 */
export function keepHeapSmall(): void {
	setFlagsFromString("--heap-growing-percent=20");
	setFlagsFromString("--max-semi-space-size=8");
}
