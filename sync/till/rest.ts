/**
 * Loads the code that a till doesn't need to open and sell. A browser does it once it sells, because its connection may be
 * gone when that code is wanted.
 *
 * @throws what the browser says if it can't fetch it; the next use tries again
 */
export async function loadRest(): Promise<void> {
	await import("../queries/index.ts");
	await import("../protocol/pin-key.ts");
	await import("../replica/upkeep.ts");
}
