import type { QueryContext } from "./query.ts";

/** Returns the name of an account; null if this database does not know it. */
export async function userName(
	{ tx }: Pick<QueryContext, "tx">,
	userId: string | null,
): Promise<string | null> {
	if (userId === null) return null;
	const user = await tx.get("SELECT name FROM users WHERE id = ?", userId);
	return (user?.name as string | undefined) ?? null;
}
