import { hash, randomUUID } from "node:crypto";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { forgetOldest } from "./attempt-counter.ts";

/** Claims that the mobile apps verify. */
const issuer = "service";
const audiences = {
	/** The audience of bearer tokens. */
	bearer: "service-mobile",
	/** The audience of session cookies; neither credential works in place of the other. */
	session: "service-web",
} as const;

export const lifetimeSeconds = 30 * 24 * 3_600;

/** The signed-in user as JSON. */
export const user = z
	.object({
		id: z.string(),
		email: z.string(),
		name: z.string(),
		role: z.enum(["admin", "user"]),
		/** The business of the user's first membership, or null. */
		businessId: z.string().nullable(),
	})
	.meta({ id: "User" });
export type Identity = z.infer<typeof user>;

/** Present only if it is not 0, so that most tokens have only the contract's claims. */
const tokenVersion = z.int().min(0).default(0);
const claims = user
	.omit({ id: true })
	.extend({ sub: z.string(), tokenVersion });

type Credential = keyof typeof audiences;

/** An authenticated user, with the version of their password. */
export interface Authenticated {
	user: Identity;
	/** The user's token version when the password was compared. */
	tokenVersion: number;
}

/** The content of a valid token. */
export interface VerifiedToken extends Authenticated {
	/** The id by which the session can be ended: a bearer token has one of its digest. */
	sessionId: string;
	/** Seconds since 1970. */
	issuedAt: number;
	expiresAt: number;
}

export interface Tokens {
	sign(authenticated: Authenticated, credential: Credential): Promise<string>;
	/** @returns undefined for anything but a valid, unexpired token of this kind */
	verify(
		token: string,
		credential: Credential,
	): Promise<VerifiedToken | undefined>;
}

/** Longer than any token with the longest name and email. */
const tokenMaxLength = 8_192;
/** The number of cached tokens, which saves verifying the token that a till sends all day. */
const knownMax = 1_000;

export async function openTokens(secret: Uint8Array): Promise<Tokens> {
	const key = await crypto.subtle.importKey(
		"raw",
		new Uint8Array(secret),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign", "verify"],
	);
	/** Contents of verified tokens: a signature stays valid, so only the times must be checked again. */
	const known = new Map<string, { payload: JWTPayload; by: VerifiedToken }>();

	function keep(name: string, payload: JWTPayload, by: VerifiedToken): void {
		if (known.size >= knownMax) forgetOldest(known);
		known.set(name, { payload, by });
	}

	return {
		async sign({ user: { id, ...rest }, tokenVersion }, credential) {
			// Read once: if a second began in between, the token would last too long, and never be valid.
			const issuedAt = Math.floor(Date.now() / 1_000);
			const token = new SignJWT(
				tokenVersion === 0 ? rest : { ...rest, tokenVersion },
			)
				.setProtectedHeader({ alg: "HS256" })
				.setSubject(id)
				.setIssuer(issuer)
				.setAudience(audiences[credential])
				.setIssuedAt(issuedAt)
				.setExpirationTime(issuedAt + lifetimeSeconds);
			// A unique id, so that ending a session doesn't end another that began in the same second.
			if (credential === "session") token.setJti(randomUUID());
			return token.sign(key);
		},

		async verify(token, credential) {
			if (token.length > tokenMaxLength || !isCanonical(token))
				return undefined;
			const name = `${credential} ${token}`;
			const found = known.get(name);
			if (found) return isOfItsTime(found.payload) ? found.by : undefined;
			try {
				const { payload } = await jwtVerify(token, key, {
					algorithms: ["HS256"],
					issuer,
					audience: audiences[credential],
					requiredClaims:
						credential === "session" ? ["exp", "sub", "jti"] : ["exp", "sub"],
				});
				if (!isOfItsTime(payload)) return undefined;
				const { sub, tokenVersion, ...rest } = claims.parse(payload);
				const by = {
					user: { id: sub, ...rest },
					tokenVersion,
					sessionId: payload.jti ?? idOf(token),
					issuedAt: payload.iat ?? 0,
					expiresAt: payload.exp ?? 0,
				};
				keep(name, payload, by);
				return by;
			} catch {
				// A forged, expired or foreign token counts as no credentials.
				return undefined;
			}
		},
	};
}

/** A bearer token's id, in the form of a session's: clients read nothing but the contract's claims in it. */
function idOf(token: string): string {
	return hash("sha256", token).replace(
		/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/,
		"$1-$2-$3-$4-$5",
	);
}

/** Rejects other base64url spellings that decode to the same signature. */
function isCanonical(token: string): boolean {
	return token
		.split(".")
		.every(
			(part) => Buffer.from(part, "base64url").toString("base64url") === part,
		);
}

/**
 * False for a token that has expired or lasts longer than 30 days. A token from the future is valid: its signature proves
 * that this server made it, so the clock has gone back, as on a board without a battery, and nobody should be signed out.
 */
function isOfItsTime({ iat, exp = 0 }: JWTPayload): boolean {
	const now = Date.now() / 1_000;
	const start = iat ?? now;
	return now < exp && start < exp && exp - start <= lifetimeSeconds;
}
