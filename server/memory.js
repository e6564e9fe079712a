import { setFlagsFromString } from "node:v8";

/** V8 lets a heap grow to several times what is in use before it looks at all of it; a shop's machine has better uses. */
export function keepHeapSmall() {
	// In per cent of what was in use after the last look.
	setFlagsFromString("--heap-growing-percent=100");
}
