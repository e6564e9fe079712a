import { sha256 } from "#platform";

/** Consonants spell no word, and none of these looks like a digit. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/**
 * The receipt prefix of a device follows from its id: a server that was put back to an older copy, and has forgotten the
 * device, gives no other one the same prefix. There are 160,000 of four letters, so some two of a shop's 20 devices share one
 * in 0.12 % of such shops. That matters only where the server has forgotten the one and meets the other first; else the second
 * gets its next candidate.
 *
 * @param tries how many candidates other devices have: each is a letter longer than the one before, up to eight
 */
export function prefixOf(
	businessId: string,
	deviceId: string,
	tries = 0,
): string {
	const source = `${businessId} ${deviceId} ${tries}`;
	const length = Math.min(4 + tries, 8);
	return [...sha256(source).subarray(0, length)]
		.map((byte) => letters[byte % letters.length])
		.join("");
}
