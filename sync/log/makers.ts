import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/** Who made a mutation, and who brought it. */
export interface Maker {
	userId: string | null;
	/** The caller, where that is not the maker. */
	carrierId: string | null;
	/** The maker's role as it is now, where they are a member. */
	role: Role | null;
	/** The caller says that somebody else made it, whether or not that is a name we know. */
	isCarried: boolean;
}

/**
 * Tells makers of mutations from the callers who bring them. A removed member is still the maker of what they made
 * before; an id that never was a member's is nobody, and the caller answers for what it brings under such a name.
 *
 * @returns finds the maker of a message's `by`, looking each one up once
 */
export function openMakers(
	tx: Connection,
	caller: { businessId: string; userId: string | null; role: Role },
): (by: unknown) => Promise<Maker> {
	const { businessId, userId, role } = caller;
	const found = new Map<unknown, Maker>();
	const self: Maker = { userId, carrierId: null, role, isCarried: false };

	async function find(id: string): Promise<Maker> {
		const row = await tx.get(
			`SELECT role FROM memberships WHERE business_id = ? AND user_id = ?
       UNION ALL SELECT NULL FROM former_members WHERE business_id = ? AND user_id = ?`,
			...[businessId, id],
			...[businessId, id],
		);
		if (!row) return { ...self, role: null, isCarried: true };
		const role = row.role as Role | null;
		return { userId: id, carrierId: userId, role, isCarried: true };
	}

	return async (by) => {
		if (typeof by !== "string" || by === userId) return self;
		let maker = found.get(by);
		if (!maker) {
			maker = await find(by);
			found.set(by, maker);
		}
		return maker;
	};
}
