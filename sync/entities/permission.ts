import type { Author } from "../log/authors.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Mutation, type Role, roles } from "./entity.ts";

/** A mutation or a query. */
type Restricted = Pick<Mutation, "roles">;

/** @throws ShopError `forbidden` */
export function assertAllowed(asked: Restricted, role: Role): void {
	if (!isAllowed(asked, role))
		throw new ShopError("forbidden", "Your role does not allow this");
}

/**
 * Checks whether a caller may push a mutation. The caller's own is rejected if their role does not allow it. A mutation
 * carried for another member needs the caller's role, or its author's role with a proof; otherwise it waits.
 *
 * @param role the caller's
 * @throws ShopError `forbidden`, `awaits_permission`
 */
export async function assertMayBring(
	mutation: Mutation,
	author: Author,
	role: Role,
	isProven: () => Promise<boolean> = async () => false,
): Promise<void> {
	if (!author.isCarried) assertAllowed(mutation, role);
	if (isAllowed(mutation, role)) return;
	const mayAuthor = author.role !== null && isAllowed(mutation, author.role);
	if (mayAuthor && (await isProven())) return;
	throw new ShopError(
		"awaits_permission",
		"Waits for a member whose role allows it to sign in",
	);
}

/** Returns the role that may do less. */
export function lowerRole(one: Role, other: Role): Role {
	return roles.indexOf(one) > roles.indexOf(other) ? one : other;
}

function isAllowed({ roles }: Restricted, role: Role): boolean {
	return !roles || roles.includes(role);
}
