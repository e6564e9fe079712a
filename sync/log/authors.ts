import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/** The author of a mutation, and its carrier. */
export interface Author {
	userId: string | null;
	/** The caller, if another member is the author. Otherwise null. */
	carrierId: string | null;
	/** The author's current role. Null if they are no member. */
	role: Role | null;
	/** True if the message names another author than the caller, known or unknown. */
	isCarried: boolean;
}

/**
 * Distinguishes the authors of mutations from the callers who carry them. A removed member stays the author of earlier
 * mutations. An id that was never a member's is ignored, and the mutation counts as the caller's.
 *
 * @returns a function that finds the author of a message's `by`, looking each one up once
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
