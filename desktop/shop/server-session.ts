import * as z from "zod";
import type { ProofKeyring } from "../../sync/log/proof.ts";
import type { TokenStore } from "./token-store.ts";

const savedSession = z.object({
	token: z.string(),
	/** The member; undefined for a session saved by an earlier version. */
	userId: z.string().optional(),
	proofKey: z
		.object({ userId: z.string(), deviceId: z.string(), key: z.string() })
		.optional(),
	/** The member has signed out here. The token still sends pending mutations, but no more proofs are made in their name. */
	isOver: z.literal(true).optional(),
});
type SavedSession = z.output<typeof savedSession>;

/** The server session of the member who last signed in to the server on this till. */
export interface ServerSession {
	token(): string | undefined;
	begin(userId: string, token: string): void;
	/** Removes the member's key, when they sign out or another member signs in offline. */
	end(): void;
	isOf(userId: string): boolean;
	readonly keyring: ProofKeyring;
}

/** Stores the key with the token, since it is just as secret. */
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
				// The response may belong to a request of the previous session.
				const isCurrent =
					session && !session.isOver && session.userId === proofKey.userId;
				if (isCurrent) write({ ...session, proofKey });
			},
		},
	};
}
