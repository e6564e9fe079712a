import { hash, randomBytes } from "node:crypto";
import { toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { aiLimits, type Limits } from "../gateway/limits.ts";

/** A key with which a program calls the AI gateway for a business. */
export interface ApiKey {
	id: string;
	businessId: string;
	name: string;
	/** The key's first characters. */
	hint: string;
	createdAt: string;
	lastUsedAt: string | null;
	revokedAt: string | null;
}

const prefix = "cfk_";
const secretBytes = 32;
const hintLength = prefix.length + 6;

export function isApiKey(token: string): boolean {
	return token.startsWith(prefix);
}

/** The stored keys of businesses. A key is shown once, when it is created; only its digest is stored. */
export function apiKeys(tx: Connection) {
	return {
		/** Creates a key. @returns the key's text, which can't be retrieved later */
		async create(
			env: Env,
			{
				businessId,
				userId,
				name,
				...limits
			}: Limits & {
				businessId: string;
				userId: string | null;
				name: string;
			},
		): Promise<{ id: string; key: string }> {
			const id = newId(env);
			const key = prefix + randomBytes(secretBytes).toString("base64url");
			await tx.run(
				`INSERT INTO api_keys (business_id, id, name, key_hash, hint, user_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
				businessId,
				id,
				name,
				digestOf(key),
				key.slice(0, hintLength),
				userId,
				toIso(env.now()),
			);
			if (Object.values(limits).some((limit) => limit !== null))
				await aiLimits(tx, businessId).change(id, limits);
			return { id, key };
		},

		/** Lists all keys, including revoked ones, newest first. */
		async list(businessId: string): Promise<ApiKey[]> {
			const rows = await tx.all(
				"SELECT * FROM api_keys WHERE business_id = ? ORDER BY created_at DESC, id",
				businessId,
			);
			return rows.map(toApiKey);
		},

		/** Revokes a key. @returns whether an active key with this id existed */
		async revoke(
			businessId: string,
			id: string,
			now: number,
		): Promise<boolean> {
			// Compare the raw id: an invalid one then simply matches no key.
			const revoked = await tx.get(
				"UPDATE api_keys SET revoked_at = ? WHERE business_id = ? AND id = ? AND revoked_at IS NULL RETURNING id",
				toIso(now),
				businessId,
				id,
			);
			return revoked !== undefined;
		},

		/** Finds an active key by its text. @returns undefined for an unknown or revoked key */
		async find(key: string): Promise<ApiKey | undefined> {
			const row = await tx.get(
				"SELECT * FROM api_keys WHERE key_hash = ? AND revoked_at IS NULL",
				digestOf(key),
			);
			return row && toApiKey(row);
		},
	};
}

function digestOf(key: string): string {
	return hash("sha256", key);
}

function toApiKey(row: DbRow): ApiKey {
	return {
		id: row.id as string,
		businessId: row.business_id as string,
		name: row.name as string,
		hint: row.hint as string,
		createdAt: row.created_at as string,
		lastUsedAt: row.last_used_at as string | null,
		revokedAt: row.revoked_at as string | null,
	};
}
