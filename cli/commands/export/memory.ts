import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage earlier: otherwise the heap doubles before each collection while millions of short-lived rows
 * pass through. Peak memory falls by a third, for a little more time.
 */
export function limitHeapGrowth(): void {
	setFlagsFromString("--heap-growing-percent=20");
	setFlagsFromString("--max-semi-space-size=8");
}
