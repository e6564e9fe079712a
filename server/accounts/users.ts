import { randomInt } from "node:crypto";
import { createBusiness } from "../../sync/entities/business.ts";
import type { Role } from "../../sync/entities/entity.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import { aiAccess } from "../gateway/access.ts";
import { HttpError } from "../http/http-error.ts";
import { findOnlyShop } from "../operations/installation/businesses.ts";
import type { Authenticated } from "./tokens.ts";

/** An account, as a sign-in needs it. */
interface Account extends Authenticated {
	passwordHash: string | null;
}

export interface Membership {
	businessId: string;
	role: Role;
}

interface NewBusiness {
	name: string;
	currency: string;
	timeZone: string;
}

/** A hash that no password matches, so that the user needs a new password. */
export const noPassword = "none";

/**
 * A random token version that no token was signed for (real ones count password changes). Neither an archive nor a till
 * lists ended sessions, so under the same secret their tokens would otherwise work again.
 */
export const newTokenVersion = () => randomInt(2 ** 32, 2 ** 47);

/** Normalizes an email to the form in which it is stored and compared. */
export function normalEmail(email: string): string {
	return email.trim().toLowerCase();
}

/** Looks up emails in `ADMIN_EMAILS` only among administrators, and all others only among users. */
export async function findAccount(
	store: Store,
	email: string,
	adminEmails: ReadonlySet<string>,
): Promise<Account | undefined> {
	return store.read(async (tx) => {
		if (adminEmails.has(email)) {
			const row = await tx.get("SELECT * FROM admins WHERE email = ?", email);
			return (
				row && {
					user: {
						id: row.id as string,
						email,
						name: row.name as string,
						role: "admin" as const,
						businessId: null,
					},
					tokenVersion: 0,
					passwordHash: row.password_hash as string | null,
				}
			);
		}
		const row = await tx.get(
			"SELECT * FROM users WHERE email = ? AND disabled_at IS NULL",
			email,
		);
		if (!row) return undefined;
		const id = row.id as string;
		const [first] = await membershipsOf(tx, id);
		return {
			user: {
				id,
				email,
				name: row.name as string,
				role: "user" as const,
				businessId: first?.businessId ?? null,
			},
			tokenVersion: row.token_version as number,
			passwordHash: row.password_hash as string,
		};
	});
}

/** A user's memberships, oldest first; empty for a deleted or disabled user. */
export async function membershipsOf(
	tx: Connection,
	userId: string,
): Promise<Membership[]> {
	const rows = await tx.all(
		`SELECT memberships.business_id, memberships.role FROM memberships JOIN users ON users.id = memberships.user_id
     WHERE user_id = ? AND users.disabled_at IS NULL ORDER BY memberships.created_at, memberships.business_id`,
		userId,
	);
	return rows.map(({ business_id, role }) => ({
		businessId: business_id as string,
		role: role as Role,
	}));
}

/** Whether a token's account still exists, may sign in, and has the same password. */
export async function isCurrent(
	tx: Connection,
	{ user: { id, email, role }, tokenVersion }: Authenticated,
	adminEmails: ReadonlySet<string>,
): Promise<boolean> {
	if (role === "admin" && !adminEmails.has(email)) return false;
	const row = await tx.get(
		role === "admin"
			? "SELECT 0 AS token_version FROM admins WHERE id = ?"
			: "SELECT token_version FROM users WHERE id = ? AND disabled_at IS NULL",
		id,
	);
	return row?.token_version === tokenVersion;
}

/** Whether the server has any user, and so its first shop. */
export async function hasUsers(store: Store): Promise<boolean> {
	const row = await store.read((tx) =>
		tx.get("SELECT 1 AS known FROM users LIMIT 1"),
	);
	return row !== undefined;
}

/** Whether there is any shop: a till that was interrupted when it joined one may have its member's account alone. */
export async function hasShop(store: Store): Promise<boolean> {
	const row = await store.read((tx) =>
		tx.get("SELECT 1 AS known FROM businesses LIMIT 1"),
	);
	return row !== undefined;
}

/** Removes the account that an interrupted join leaves on a computer without a shop: it would keep it from beginning one. */
export async function forgetWithoutShop(store: Store): Promise<void> {
	await store.write((tx) =>
		tx.run("DELETE FROM users WHERE NOT EXISTS (SELECT 1 FROM businesses)"),
	);
}

/** Whether the server has one shop, besides a demo, and the user owns it. */
export async function ownsOnlyShop(
	tx: Connection,
	userId: string,
): Promise<boolean> {
	const only = await findOnlyShop(tx);
	const memberships = await membershipsOf(tx, userId);
	return memberships.some(
		({ businessId, role }) => businessId === only?.id && role === "OWNER",
	);
}

/** Whether the database holds a single shop, and this user has this email. */
export async function hasOnlyShopOf(
	store: Store,
	userId: string | null,
	email: string,
): Promise<boolean> {
	const row = await store.read((tx) =>
		tx.get(
			"SELECT 1 AS known FROM users WHERE id = ? AND email = ? AND (SELECT count(*) FROM businesses) = 1",
			userId,
			email,
		),
	);
	return row !== undefined;
}

/** Sets a password, which ends all the user's sessions. */
export async function setPassword(
	tx: Connection,
	userId: string,
	passwordHash: string,
): Promise<void> {
	await tx.run(
		"UPDATE users SET password_hash = ?, token_version = token_version + 1 WHERE id = ?",
		passwordHash,
		userId,
	);
}

/** Changes the email to sign in with. @throws HttpError 409 for a known email */
export async function setEmail(
	tx: Connection,
	userId: string,
	email: string,
): Promise<void> {
	await assertNewEmail(tx, "users", email);
	await tx.run("UPDATE users SET email = ? WHERE id = ?", email, userId);
}

/**
 * Creates a user with a first business, or with a membership in an existing one, in one transaction.
 *
 * @param isFirst requires that there is no user yet
 * @returns the ids of the user and the business
 * @throws HttpError 409 for a known email, or if it is not the first user; 404 for an unknown business
 */
export async function createUser(
	store: Store,
	env: Env,
	user: { email: string; name: string; passwordHash: string },
	membership: { business: NewBusiness } | { businessId: string; role: Role },
	{ isFirst = false } = {},
): Promise<{ id: string; businessId: string }> {
	const id = newId(env);
	const at = toIso(env.now());
	return store.write(async (tx) => {
		if (isFirst) await assertNoUsers(tx);
		await assertNewEmail(tx, "users", user.email);
		await tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)",
			id,
			user.email,
			user.name,
			user.passwordHash,
			at,
		);
		let businessId: string;
		let role: Role = "OWNER";
		if ("business" in membership) {
			businessId = newId(env);
			const decideAi = await aiAccess(tx).admit(businessId);
			await createBusiness(tx, {
				id: businessId,
				...membership.business,
				cutOffHour: 0,
				receiptHeader: null,
				receiptFooter: null,
				// By default only managers may type prices, until the owner allows it to cashiers.
				openItems: false,
				cashUnit: null,
				receiptLanguage: null,
				receiptLogoUrl: null,
				createdAt: at,
				updatedAt: at,
			});
			await decideAi();
		} else {
			({ businessId, role } = membership);
			const known = await tx.get(
				"SELECT 1 AS known FROM businesses WHERE business_id = ?",
				businessId,
			);
			if (!known) throw new HttpError(404, "Business not found");
		}
		await tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)",
			businessId,
			id,
			role,
			at,
		);
		return { id, businessId };
	});
}

/** Creates a platform administrator, who can sign in while their email is in `ADMIN_EMAILS`. */
export async function createAdmin(
	store: Store,
	env: Env,
	admin: { email: string; name: string; passwordHash: string },
): Promise<{ id: string }> {
	const id = newId(env);
	await store.write(async (tx) => {
		await assertNewEmail(tx, "admins", admin.email);
		await tx.run(
			"INSERT INTO admins (id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)",
			id,
			admin.email,
			admin.name,
			admin.passwordHash,
			toIso(env.now()),
		);
	});
	return { id };
}

/**
 * Checks an email before a password is hashed. An administrator's email is refused after the same work as a user's, so
 * that the time doesn't reveal it.
 *
 * @throws HttpError 409
 */
export async function assertFreeEmail(
	store: Store,
	email: string,
	adminEmails: ReadonlySet<string>,
): Promise<void> {
	await store.read((tx) => assertNewEmail(tx, "users", email));
	if (adminEmails.has(email)) throw emailTaken();
}

async function assertNewEmail(
	tx: Connection,
	table: "users" | "admins",
	email: string,
): Promise<void> {
	const known = await tx.get(
		`SELECT 1 AS known FROM ${table} WHERE email = ?`,
		email,
	);
	if (known) throw emailTaken();
}

function emailTaken(): HttpError {
	return new HttpError(409, "An account with that email already exists", {
		code: "email_taken",
	});
}

async function assertNoUsers(tx: Connection): Promise<void> {
	// Lock a row, so that concurrent first users wait for each other.
	await tx.run("UPDATE meta SET value = value WHERE key = 'epoch'");
	const known = await tx.get("SELECT 1 AS known FROM users LIMIT 1");
	if (known)
		throw new HttpError(409, "This server already has a shop", {
			code: "shop_exists",
		});
}
