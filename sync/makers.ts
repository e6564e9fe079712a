import type { Role } from "./entity.ts";
import type { Connection } from "./store/store.ts";

/** Who made a mutation, and who brought it. */
export interface Maker {
	userId: string | null;
	/** The caller, where that is not the maker. */
	carrierId: string | null;
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
	const { businessId, userId } = caller;
	const found = new Map<unknown, Maker>();
	const self: Maker = { userId, carrierId: null, isCarried: false };

	async function wasMember(id: string): Promise<boolean> {
		const row = await tx.get(
			`SELECT 1 AS known FROM memberships WHERE business_id = ? AND user_id = ?
       UNION ALL SELECT 1 FROM former_members WHERE business_id = ? AND user_id = ?`,
			...[businessId, id],
			...[businessId, id],
		);
		return row !== undefined;
	}

	return async (by) => {
		if (typeof by !== "string" || by === userId) return self;
		let maker = found.get(by);
		if (!maker) {
			maker = (await wasMember(by))
				? { userId: by, carrierId: userId, isCarried: true }
				: { ...self, isCarried: true };
			found.set(by, maker);
		}
		return maker;
	};
}
