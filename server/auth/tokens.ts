import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";

/** Business API, "Token claims". */
const issuer = "service";
const audiences = {
	/** For the header `Authorization: Bearer`. */
	bearer: "service-mobile",
	/** For the cookie alone: neither credential works in the other's place. */
	session: "service-web",
} as const;

export const lifetimeSeconds = 30 * 24 * 3_600;

/** Business API, "User (session identity)". */
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

const claims = user.omit({ id: true }).extend({ sub: z.string() });

export type Credential = keyof typeof audiences;

export interface Tokens {
	sign(identity: Identity, credential: Credential): Promise<string>;
	/** @returns undefined for anything but a valid, unexpired token of this kind */
	verify(token: string, credential: Credential): Promise<Identity | undefined>;
}

export async function openTokens(secret: Uint8Array): Promise<Tokens> {
	const key = await crypto.subtle.importKey(
		"raw",
		new Uint8Array(secret),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign", "verify"],
	);
	return {
		async sign({ id, ...rest }, credential) {
			return new SignJWT(rest)
				.setProtectedHeader({ alg: "HS256" })
				.setSubject(id)
				.setIssuer(issuer)
				.setAudience(audiences[credential])
				.setIssuedAt()
				.setExpirationTime(`${lifetimeSeconds}s`)
				.sign(key);
		},

		async verify(token, credential) {
			try {
				const { payload } = await jwtVerify(token, key, {
					algorithms: ["HS256"],
					issuer,
					audience: audiences[credential],
					requiredClaims: ["exp", "sub"],
				});
				const { sub, ...rest } = claims.parse(payload);
				return { id: sub, ...rest };
			} catch {
				// Forged, expired or of another installation: all of it is no credentials.
				return undefined;
			}
		},
	};
}
