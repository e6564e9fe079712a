import { sha256 } from "#platform";

/** Consonants spell no words, and none of these looks like a digit. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

/**
 * Derives a device's receipt prefix from its id, so that a restored server that has forgotten the device gives its
 * prefix to no other. There are 160,000 prefixes of four letters: in 0.12 % of shops with 20 devices, two devices share
 * one. That matters only if the server has forgotten one of them and the other syncs first; otherwise the second gets
 * its next candidate.
 *
 * @param tries how many candidates other devices have; each is a letter longer than the one before, up to eight
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
