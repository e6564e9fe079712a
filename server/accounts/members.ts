import { managing, type Role } from "../../sync/entities/entity.ts";
import { lockHead } from "../../sync/log/log.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Connection } from "../../sync/store/store.ts";
import { removePinKey } from "../../sync/till/staff.ts";
import { HttpError } from "../http/http-error.ts";
import { setPassword } from "./users.ts";

/** A user's membership in a business. */
export interface Member {
	userId: string;
	name: string;
	email: string;
	role: Role;
	disabled: boolean;
	createdAt: string;
}

interface MemberChange {
	role?: Role | undefined;
	disabled?: boolean | undefined;
	passwordHash?: string | undefined;
	now: number;
}

/** Reads and changes memberships. A business always keeps an owner who can sign in. */
export function members(tx: Connection) {
	async function list(businessId: string): Promise<Member[]> {
		const rows = await tx.all(
			`SELECT users.id, users.name, users.email, users.disabled_at, memberships.role, memberships.created_at
       FROM memberships JOIN users ON users.id = memberships.user_id
       WHERE memberships.business_id = ? ORDER BY memberships.created_at, users.id`,
			businessId,
		);
		return rows.map((row) => ({
			userId: row.id as string,
			name: row.name as string,
			email: row.email as string,
			role: row.role as Role,
			disabled: row.disabled_at !== null,
			createdAt: row.created_at as string,
		}));
	}

	/** @throws HttpError 409 if the business has no owner who can sign in */
	async function assertOwned(businessId: string): Promise<void> {
		const all = await list(businessId);
		if (!all.some(({ role, disabled }) => role === "OWNER" && !disabled))
			throw new HttpError(409, "A business needs an owner who can sign in", {
				code: "last_owner",
			});
	}

	/** @throws HttpError 404 for a user who is not a member, or no longer one */
	async function assertMember(
		businessId: string,
		userId: string,
	): Promise<void> {
		const found = await tx.get(
			"SELECT 1 AS found FROM memberships WHERE business_id = ? AND user_id = ?",
			businessId,
			userId,
		);
		if (!found) throw new HttpError(404, "Member not found");
	}

	/** Protects the account of a user who belongs to several businesses. @throws HttpError 403 */
	async function assertTheirOnly(userId: string): Promise<void> {
		const rows = await tx.all(
			"SELECT business_id FROM memberships WHERE user_id = ?",
			userId,
		);
		if (rows.length > 1)
			throw new HttpError(
				403,
				"This member also belongs to another business; only their role can be changed here",
				{ code: "shared_member" },
			);
	}

	return {
		list,
		assertOwned,

		/** Adds a user. @throws HttpError 409 if they are already a member */
		async add(
			businessId: string,
			userId: string,
			role: Role,
			now: number,
		): Promise<void> {
			const added = await tx.run(
				"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
				businessId,
				userId,
				role,
				toIso(now),
			);
			if (added === 0)
				throw new HttpError(
					409,
					"This user is already a member of the business",
					{ code: "already_member" },
				);
		},

		/**
		 * Changes a member.
		 *
		 * @throws HttpError 404 for another user; 409 if no owner would be left; 403 to change an account shared with another
		 * business
		 */
		async change(
			businessId: string,
			userId: string,
			{ role, disabled, passwordHash, now }: MemberChange,
		): Promise<void> {
			await lockHead(tx, businessId);
			// Somebody removed meanwhile may work in one other business, whose account it is then.
			await assertMember(businessId, userId);
			if (role !== undefined) {
				const changed = await tx.run(
					"UPDATE memberships SET role = ? WHERE business_id = ? AND user_id = ? AND role <> ?",
					...[role, businessId, userId, role],
				);
				if (changed > 0 && managing.includes(role))
					await removeShortPin(tx, businessId, userId, now);
			}
			if (disabled !== undefined || passwordHash !== undefined)
				await assertTheirOnly(userId);
			if (disabled !== undefined)
				await tx.run(
					"UPDATE users SET disabled_at = ? WHERE id = ?",
					disabled ? toIso(now) : null,
					userId,
				);
			if (passwordHash !== undefined)
				await setPassword(tx, userId, passwordHash);
			await assertOwned(businessId);
		},

		/** Removes a member. @throws HttpError 409 if no owner would be left */
		async remove(
			businessId: string,
			userId: string,
			now: number,
		): Promise<void> {
			await lockHead(tx, businessId);
			await tx.run(
				"INSERT INTO former_members (business_id, user_id, left_at) VALUES (?, ?, ?) ON CONFLICT (business_id, user_id) DO UPDATE SET left_at = excluded.left_at",
				businessId,
				userId,
				toIso(now),
			);
			await tx.run(
				"DELETE FROM memberships WHERE business_id = ? AND user_id = ?",
				businessId,
				userId,
			);
			await removePinKey(tx, businessId, userId, toIso(now));
			await assertOwned(businessId);
		},
	};
}

/** Removes a cashier's PIN: one that approves what others do has more digits than can be guessed from a till in minutes. */
async function removeShortPin(
	tx: Connection,
	businessId: string,
	userId: string,
	now: number,
): Promise<void> {
	const key = await tx.get(
		"SELECT digits FROM staff_keys WHERE business_id = ? AND user_id = ?",
		businessId,
		userId,
	);
	if (Number(key?.digits) === 4)
		await removePinKey(tx, businessId, userId, toIso(now));
}
