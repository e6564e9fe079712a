import type { Role } from "../../sync/entities/entity.ts";
import { lockHead } from "../../sync/log/log.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Connection } from "../../sync/store/store.ts";
import { members } from "./members.ts";

/** A user's account with all memberships. */
export interface UserAccount {
	id: string;
	email: string;
	name: string;
	disabledAt: string | null;
	createdAt: string;
	/** Oldest first. */
	memberships: { businessId: string; businessName: string; role: Role }[];
}

/** An administrator's account, which can sign in while its email is in `ADMIN_EMAILS`. */
interface AdminAccount {
	id: string;
	email: string;
	name: string;
	createdAt: string;
}

/** All accounts of an installation, for its operator; members.ts has the view of a business. */
export function accounts(tx: Connection) {
	async function membershipsByUser() {
		const rows = await tx.all(
			`SELECT memberships.user_id, memberships.business_id, memberships.role, businesses.name
       FROM memberships JOIN businesses ON businesses.business_id = memberships.business_id
       ORDER BY memberships.created_at, memberships.business_id`,
		);
		return Map.groupBy(rows, (row) => row.user_id);
	}

	async function users(): Promise<UserAccount[]> {
		const memberships = await membershipsByUser();
		const rows = await tx.all("SELECT * FROM users ORDER BY created_at, id");
		return rows.map((row) => ({
			id: row.id as string,
			email: row.email as string,
			name: row.name as string,
			disabledAt: row.disabled_at as string | null,
			createdAt: row.created_at as string,
			memberships: (memberships.get(row.id ?? null) ?? []).map(
				(membership) => ({
					businessId: membership.business_id as string,
					businessName: membership.name as string,
					role: membership.role as Role,
				}),
			),
		}));
	}

	return {
		users,

		async findUser(email: string): Promise<UserAccount | undefined> {
			return (await users()).find((user) => user.email === email);
		},

		/** Blocks a user at once, ending all sessions. @throws HttpError 409 if a business would be left without an owner */
		async disable({ id, memberships }: UserAccount, now: number) {
			const businessIds = memberships.map(({ businessId }) => businessId);
			// Lock in a fixed order to avoid deadlocks.
			for (const businessId of businessIds.sort())
				await lockHead(tx, businessId);
			await tx.run(
				"UPDATE users SET disabled_at = COALESCE(disabled_at, ?) WHERE id = ?",
				toIso(now),
				id,
			);
			for (const businessId of businessIds)
				await members(tx).assertOwned(businessId);
		},

		async enable({ id }: UserAccount): Promise<void> {
			await tx.run("UPDATE users SET disabled_at = NULL WHERE id = ?", id);
		},

		async admins(): Promise<AdminAccount[]> {
			const rows = await tx.all("SELECT * FROM admins ORDER BY created_at, id");
			return rows.map((row) => ({
				id: row.id as string,
				email: row.email as string,
				name: row.name as string,
				createdAt: row.created_at as string,
			}));
		},
	};
}
