import type { Request } from "express";
import type { Caller } from "../../sync/shop.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import { payerOf } from "../gateway/access.ts";
import type { Payer } from "../gateway/meter.ts";
import { HttpError } from "../http/http-error.ts";
import { noteUser } from "../http/request-id.ts";
import { isApiKey } from "./api-keys.ts";
import { isChange, isCrossSite } from "./csrf.ts";
import { endSession, isEnded } from "./ended-sessions.ts";
import type { KeyPayers } from "./key-payers.ts";
import type { SessionBook } from "./sessions.ts";
import type { Identity, Tokens, VerifiedToken } from "./tokens.ts";
import { isCurrent, type Membership, membershipsOf } from "./users.ts";

declare module "../http/operation.ts" {
	interface CallerByAccess {
		/** A user signed in by cookie. */
		userSession: { identity: Identity };
		/** An administrator signed in by cookie. */
		adminSession: { identity: Identity };
		/** A member, or an API key of the AI gateway. */
		gateway: { payer: Payer };
	}
}

/** Over https the prefix keeps every other host from setting the cookie, and so from choosing who is signed in. */
export function cookieNameOf({ secure }: Pick<Request, "secure">): string {
	return secure ? "__Host-session" : "session";
}

/** Identifies callers and their memberships. */
export interface Authenticator {
	/** The user of a session cookie, for routes that accept no bearer token. @throws HttpError 401; 403 for a cross-site change */
	identifySession(request: Request): Promise<Identity>;
	/** The caller's memberships, oldest first. @throws HttpError 401, also without any membership; 403 as above */
	memberships(request: Request): Promise<Caller[]>;
	sessionMemberships(request: Request): Promise<Caller[]>;
	/** The business that pays: of an API key, or the caller's first membership. @throws HttpError 401, 403 as above */
	payer(request: Request): Promise<Payer>;
	/** Requires an administrator's session. @throws HttpError 401, 403 */
	admin(request: Request): Promise<Identity>;
	/** The id of the session of a request's cookie, if it is valid. */
	sessionId(request: Request): Promise<string | undefined>;
	/** Ends the session of a request's cookie, if any. */
	signOut(request: Request): Promise<void>;
}

/** Anthropic's clients send a key in `x-api-key`, some of them beside other credentials. */
function apiKeyOf(request: Request): string | undefined {
	return [
		bearerToken(request.headers.authorization ?? ""),
		request.get("x-api-key"),
	].find((token) => token !== undefined && isApiKey(token));
}

export function openAuthenticator(
	store: Store,
	tokens: Tokens,
	adminEmails: ReadonlySet<string>,
	keyPayers: KeyPayers,
	sessions: Pick<SessionBook, "note">,
): Authenticator {
	async function identify(
		request: Request,
		{ sessionOnly = false } = {},
	): Promise<Identity> {
		const { authorization } = request.headers;
		// If a bearer token fails, don't fall back to the cookie.
		const authenticated: (VerifiedToken & { isCookie?: true }) | undefined =
			isBearer(authorization) && !sessionOnly
				? await fromBearer(authorization)
				: await fromCookie(request);
		if (!authenticated) throw unauthorized();
		const { sessionId: id, tokenVersion, issuedAt, expiresAt } = authenticated;
		sessions.note({
			...{ id, tokenVersion, issuedAt, expiresAt },
			userId: authenticated.user.id,
			kind: authenticated.isCookie ? "browser" : "program",
			agent: request.get("user-agent") ?? "",
		});
		return authenticated.user;
	}

	async function fromBearer(
		authorization: string,
	): Promise<VerifiedToken | undefined> {
		const token = bearerToken(authorization);
		const verified =
			token === undefined ? undefined : await tokens.verify(token, "bearer");
		noteUser(verified?.user.id);
		if (!verified) return undefined;
		return (await isOpen(verified, token)) ? verified : undefined;
	}

	/** Whether the account is as it was when the token was signed, and nobody has ended the session. */
	function isOpen(verified: VerifiedToken, token = ""): Promise<boolean> {
		return store.read(
			async (tx) =>
				(await isCurrent(tx, verified, adminEmails)) &&
				!(await isEnded(tx, verified.sessionId, token)),
		);
	}

	async function fromCookie(
		request: Request,
	): Promise<(VerifiedToken & { isCookie: true }) | undefined> {
		const token = sessionToken(request);
		const verified =
			token === undefined ? undefined : await tokens.verify(token, "session");
		noteUser(verified?.user.id);
		if (!verified) return undefined;
		if (isChange(request) && isCrossSite(request))
			throw new HttpError(403, "Forbidden", { code: "forbidden" });
		const isValid = await isOpen(verified, token);
		return isValid ? { ...verified, isCookie: true } : undefined;
	}

	async function callers(identity: Identity): Promise<Caller[]> {
		// Administrators see statistics, never a business's data.
		const memberships =
			identity.role === "admin"
				? []
				: await store.read((tx: Connection) => membershipsOf(tx, identity.id));
		if (memberships.length === 0)
			throw new HttpError(401, "No business membership", {
				code: "no_business",
			});
		return memberships.map(({ businessId, role }: Membership) => ({
			businessId,
			userId: identity.id,
			role,
			deviceId: null,
		}));
	}

	async function membershipsOfRequest(request: Request): Promise<Caller[]> {
		return callers(await identify(request));
	}

	const identifySession = (request: Request) =>
		identify(request, { sessionOnly: true });

	return {
		identifySession,
		memberships: membershipsOfRequest,
		sessionMemberships: async (request) =>
			callers(await identifySession(request)),
		async payer(request) {
			const token = apiKeyOf(request);
			if (token !== undefined) {
				const payer = await keyPayers.find(token);
				if (!payer) throw unauthorized();
				return payer;
			}
			const [caller] = await membershipsOfRequest(request);
			const payer = caller && (await store.read((tx) => payerOf(tx, caller)));
			if (!payer) throw unauthorized();
			return payer;
		},
		async admin(request) {
			const identity = await identifySession(request);
			if (identity.role !== "admin")
				throw new HttpError(403, "Forbidden", { code: "forbidden" });
			return identity;
		},
		sessionId: async (request) => (await fromCookie(request))?.sessionId,
		async signOut(request) {
			const verified = await fromCookie(request);
			if (!verified) return;
			await store.write((tx) => endSession(tx, verified.sessionId, Date.now()));
		},
	};
}

/** The cookie of a session, which may have ended. */
export function sessionToken(request: Request): string | undefined {
	return readCookie(request.headers.cookie ?? "", cookieNameOf(request));
}

function unauthorized(): HttpError {
	return new HttpError(401, "Unauthorized");
}

/** Whether a header is a bearer token. Another scheme, such as a proxy's, doesn't hide a cookie. */
export function isBearer(
	authorization: string | undefined,
): authorization is string {
	return /^Bearer(\s|$)/i.test(authorization ?? "");
}

function bearerToken(authorization: string): string | undefined {
	return /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
}

function readCookie(header: string, name: string): string | undefined {
	for (const pair of header.split(";")) {
		const at = pair.indexOf("=");
		if (at >= 0 && pair.slice(0, at).trim() === name)
			return pair.slice(at + 1).trim();
	}
	return undefined;
}
