import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/** Who made a mutation, and who brought it. */
export interface Author {
	userId: string | null;
	/** The caller, where that is not the author. */
	carrierId: string | null;
	/** The author's role as it is now, where they are a member. */
	role: Role | null;
	/** The caller says that somebody else made it, whether or not that is a name we know. */
	isCarried: boolean;
}

/**
 * Tells the authors of mutations from the callers who bring them. A removed member is still the author of what they made
 * before; an id that never was a member's is nobody, and the caller answers for what it brings under such a name.
 *
 * @returns finds the author of a message's `by`, looking each one up once
 */
export function openAuthors(
	tx: Connection,
	caller: { businessId: string; userId: string | null; role: Role },
): (by: unknown) => Promise<Author> {
	const { businessId, userId, role } = caller;
	const found = new Map<unknown, Author>();
	const self: Author = { userId, carrierId: null, role, isCarried: false };

	async function find(id: string): Promise<Author> {
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
		let author = found.get(by);
		if (!author) {
			author = await find(by);
			found.set(by, author);
		}
		return author;
	};
}
