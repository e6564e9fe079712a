import { createHmac } from "node:crypto";
import type { ProofKeyOf } from "../../sync/log/proof.ts";

/**
 * Derives proof keys from the server's secret, so that none are stored. A new password, a removed membership or a disabled
 * account revokes earlier keys.
 */
export function openProofKeys(secret: Uint8Array): ProofKeyOf {
	return async (tx, { businessId, deviceId, userId }) => {
		const row = await tx.get(
			`SELECT users.token_version FROM memberships JOIN users ON users.id = memberships.user_id
       WHERE memberships.business_id = ? AND memberships.user_id = ? AND users.disabled_at IS NULL`,
			businessId,
			userId,
		);
		if (!row) return undefined;
		const purpose = ["proof", businessId, deviceId, userId, row.token_version];
		return createHmac("sha256", secret)
			.update(JSON.stringify(purpose))
			.digest("base64url");
	};
}
