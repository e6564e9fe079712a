import type { Request } from "express";
import type { Caller } from "../../sync/shop.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import { HttpError } from "../errors.ts";
import { isCrossSite } from "./csrf.ts";
import type { Identity, Tokens } from "./tokens.ts";
import { isCurrent, type Membership, membershipsOf } from "./users.ts";

export const cookieName = "session";

/** Who calls, and what of the shops is theirs (business API, "Authentication"). */
export interface Gate {
	/** For routes that take no bearer token. @throws HttpError 401; 403 for a change that another site asks for */
	identifySession(request: Request): Promise<Identity>;
	/** All memberships, the first one first. @throws HttpError 401, also for a user without any; 403 as above */
	memberships(request: Request): Promise<Caller[]>;
	sessionMemberships(request: Request): Promise<Caller[]>;
	/** A session of an administrator. @throws HttpError 401, 403 */
	admin(request: Request): Promise<Identity>;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function openGate(
	store: Store,
	tokens: Tokens,
	adminEmails: ReadonlySet<string>,
): Gate {
	async function identify(
		request: Request,
		{ sessionOnly = false } = {},
	): Promise<Identity> {
		const { authorization } = request.headers;
		// A bearer token that fails is a failure: the cookie is not a second chance.
		const identity =
			authorization !== undefined && !sessionOnly
				? await fromBearer(authorization)
				: await fromCookie(request);
		if (!identity) throw unauthorized();
		const current = await store.read((tx) =>
			isCurrent(tx, identity, adminEmails),
		);
		if (!current) throw unauthorized();
		return identity;
	}

	async function fromBearer(
		authorization: string,
	): Promise<Identity | undefined> {
		const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
		return token === undefined ? undefined : tokens.verify(token, "bearer");
	}

	async function fromCookie(request: Request): Promise<Identity | undefined> {
		const token = readCookie(request.headers.cookie ?? "", cookieName);
		if (token === undefined) return undefined;
		const identity = await tokens.verify(token, "session");
		if (identity && !safeMethods.has(request.method) && isCrossSite(request))
			throw new HttpError(403, "Forbidden");
		return identity;
	}

	async function callers(identity: Identity): Promise<Caller[]> {
		// An administrator sees statistics, never a business's data.
		const memberships =
			identity.role === "admin"
				? []
				: await store.read((tx: Connection) => membershipsOf(tx, identity.id));
		if (memberships.length === 0)
			throw new HttpError(401, "No business membership");
		return memberships.map(({ businessId, role }: Membership) => ({
			businessId,
			userId: identity.id,
			role,
			deviceId: null,
		}));
	}

	const identifySession = (request: Request) =>
		identify(request, { sessionOnly: true });

	return {
		identifySession,
		memberships: async (request) => callers(await identify(request)),
		sessionMemberships: async (request) =>
			callers(await identifySession(request)),
		async admin(request) {
			const identity = await identifySession(request);
			if (identity.role !== "admin") throw new HttpError(403, "Forbidden");
			return identity;
		},
	};
}

export function unauthorized(): HttpError {
	return new HttpError(401, "Unauthorized");
}

function readCookie(header: string, name: string): string | undefined {
	for (const pair of header.split(";")) {
		const [key = "", value] = pair.split("=", 2);
		if (key.trim() === name) return value?.trim();
	}
	return undefined;
}
