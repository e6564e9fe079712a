import { randomUUID } from "node:crypto";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { forgetOldest } from "./tries.ts";

/** Claims that released apps compare. */
const issuer = "service";
const audiences = {
	/** For the header `Authorization: Bearer`. */
	bearer: "service-mobile",
	/** For the cookie alone: neither credential works in the other's place. */
	session: "service-web",
} as const;

export const lifetimeSeconds = 30 * 24 * 3_600;

/** Who is signed in, as it travels. */
export const user = z
	.object({
		id: z.string(),
		email: z.string(),
		name: z.string(),
		role: z.enum(["admin", "user"]),
		/** The first business membership. */
		businessId: z.string().nullable(),
	})
	.meta({ id: "User" });
export type Identity = z.infer<typeof user>;

/** Said only where it is not 0: most tokens hold the claims of the contract, and no more. */
const tokenVersion = z.int().min(0).default(0);
const claims = user
	.omit({ id: true })
	.extend({ sub: z.string(), tokenVersion });

type Credential = keyof typeof audiences;

/** Who has shown that they are who they are, and as of which of their passwords. */
export interface Authenticated {
	user: Identity;
	/** The user's, when the password was compared. */
	tokenVersion: number;
}

/** What a valid token says. */
export interface Shown extends Authenticated {
	/** Of the session that it is, by which the session is ended; undefined for a bearer token. */
	sessionId: string | undefined;
}

export interface Tokens {
	sign(authenticated: Authenticated, credential: Credential): Promise<string>;
	/** @returns undefined for anything but a valid, unexpired token of this kind */
	verify(token: string, credential: Credential): Promise<Shown | undefined>;
}

/** Of any token that is ours: far more than the longest of names and emails needs. */
const tokenMaxLength = 8_192;
/** So many tokens are known again without computing: a till shows the same one all day. */
const knownMax = 1_000;

export async function openTokens(secret: Uint8Array): Promise<Tokens> {
	const key = await crypto.subtle.importKey(
		"raw",
		new Uint8Array(secret),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign", "verify"],
	);
	/** What was in tokens whose signature was right: it stays right, and only their time has to be looked at again. */
	const known = new Map<string, { payload: JWTPayload; by: Shown }>();

	function keep(name: string, payload: JWTPayload, by: Shown): void {
		if (known.size >= knownMax) forgetOldest(known);
		known.set(name, { payload, by });
	}

	return {
		async sign({ user: { id, ...rest }, tokenVersion }, credential) {
			const token = new SignJWT(
				tokenVersion === 0 ? rest : { ...rest, tokenVersion },
			)
				.setProtectedHeader({ alg: "HS256" })
				.setSubject(id)
				.setIssuer(issuer)
				.setAudience(audiences[credential])
				.setIssuedAt()
				.setExpirationTime(`${lifetimeSeconds}s`);
			// The end of one session is not the end of another that began in the same second.
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
					sessionId: payload.jti,
				};
				keep(name, payload, by);
				return by;
			} catch {
				// Forged, expired or of another installation: all of it is no credentials.
				return undefined;
			}
		},
	};
}

/** A decoder reads a signature in several spellings; only the one that was signed counts. */
function isCanonical(token: string): boolean {
	return token
		.split(".")
		.every(
			(part) => Buffer.from(part, "base64url").toString("base64url") === part,
		);
}

/**
 * False for a token that has expired, or that lasts longer than any of ours. One from the future is right: the signature
 * says that this server made it, so the clock has gone back since, as on a board without a battery, and that must not
 * sign anybody out.
 */
function isOfItsTime({ iat, exp = 0 }: JWTPayload): boolean {
	const now = Date.now() / 1_000;
	const start = iat ?? now;
	return now < exp && start < exp && exp - start <= lifetimeSeconds;
}
