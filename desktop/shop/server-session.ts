import * as z from "zod";
import type { ProofKeyring } from "../../sync/log/proof.ts";
import type { TokenStore } from "./token-store.ts";

const savedSession = z.object({
	token: z.string(),
	/** Whose it is; undefined for one that an earlier program kept. */
	userId: z.string().optional(),
	proofKey: z
		.object({ userId: z.string(), deviceId: z.string(), key: z.string() })
		.optional(),
	/** The member signed out here. The token still sends what is unsent, but nothing more is proven in their name. */
	isOver: z.literal(true).optional(),
});
type SavedSession = z.output<typeof savedSession>;

/** The session at the shop's server of the member who last signed in to it here. */
export interface ServerSession {
	token(): string | undefined;
	begin(userId: string, token: string): void;
	/** Forgets the member's key: they sign out, or another member signs in without the server. */
	end(): void;
	isOf(userId: string): boolean;
	readonly keyring: ProofKeyring;
}

/** Keeps the key where the token is kept, as it is no less secret. */
export function openServerSession(vault: TokenStore): ServerSession {
	function read(): SavedSession | undefined {
		const text = vault.read();
		if (text === undefined) return undefined;
		return text.startsWith("{")
			? savedSession.parse(JSON.parse(text))
			: { token: text };
	}
	const write = (session: SavedSession) => vault.write(JSON.stringify(session));

	return {
		token: () => read()?.token,
		begin: (userId, token) => write({ token, userId }),
		end() {
			const session = read();
			if (session) write({ ...session, proofKey: undefined, isOver: true });
		},
		isOf: (userId) => read()?.userId === userId,

		keyring: {
			read: () => read()?.proofKey,
			isWanted() {
				const session = read();
				return session !== undefined && !session.proofKey && !session.isOver;
			},
			write(proofKey) {
				const session = read();
				// The answer may be to a request of the session before.
				const isCurrent =
					session && !session.isOver && session.userId === proofKey.userId;
				if (isCurrent) write({ ...session, proofKey });
			},
		},
	};
}
