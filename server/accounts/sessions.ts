import { toIso } from "../../sync/protocol/clock.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import { endSession } from "./ended-sessions.ts";

/** What shows that a session is used. */
interface SeenSession {
	id: string;
	userId: string;
	/** That of the user's password: a new one ends the session. */
	tokenVersion: number;
	/** A browser has a cookie, a program a bearer token. */
	kind: "browser" | "program";
	/** The program's own name for itself. */
	agent: string;
	/** Seconds since 1970, as in tokens. */
	issuedAt: number;
	expiresAt: number;
}

interface Session
	extends Pick<SeenSession, "id" | "userId" | "kind" | "agent"> {
	userName: string;
	createdAt: string;
	lastSeenAt: string;
}

/** Which sessions are in use. What a crash forgets is noted again with the session's next request. */
export interface SessionBook {
	/** Notes a session in memory, because a request must not wait for the disk. */
	note(session: SeenSession): void;
	/** The sessions of these users that have not ended, the latest to be used first. */
	list(userIds: readonly string[]): Promise<Session[]>;
	/** Whose session it is; undefined for one that is unknown, has ended or has expired. */
	userOf(sessionId: string): Promise<string | undefined>;
	end(sessionId: string): Promise<void>;
	close(): void;
}

const flushEveryMs = 60_000;
const agentMaxLength = 200;

export function openSessionBook(
	store: Store,
	onFault: (error: unknown) => void,
): SessionBook {
	let seen = new Map<string, SeenSession & { at: number }>();
	/** Ends with the last write that has begun. */
	let writing = Promise.resolve();

	/** Resolves when all that was noted is stored. */
	function flush(): Promise<void> {
		if (seen.size > 0) {
			const before = writing;
			writing = keep(seen).then(() => before);
			seen = new Map();
		}
		return writing;
	}

	async function keep(batch: typeof seen): Promise<void> {
		try {
			await store.write(async (tx) => {
				const now = toIso(Date.now());
				await tx.run("DELETE FROM sessions WHERE expires_at < ?", now);
				for (const session of batch.values()) await write(tx, session);
			});
		} catch (error) {
			// A full disk is no reason to refuse a list.
			seen = new Map([...batch, ...seen]);
			onFault(error);
		}
	}

	const timer = setInterval(() => void flush(), flushEveryMs);
	timer.unref();
	return {
		note(session) {
			seen.set(session.id, { ...session, at: Date.now() });
		},

		async list(userIds) {
			await flush();
			return store.read(async (tx) => {
				const found: Session[] = [];
				for (const userId of userIds)
					found.push(...(await sessionsOf(tx, userId)));
				return found.sort((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1));
			});
		},

		async userOf(sessionId) {
			await flush();
			// What could not be stored.
			const noted = seen.get(sessionId);
			if (noted) return noted.userId;
			const row = await store.read((tx) =>
				tx.get(
					`SELECT user_id FROM sessions WHERE id = ? AND expires_at > ?
           AND NOT EXISTS (SELECT 1 FROM ended_sessions WHERE ended_sessions.id = sessions.id)`,
					...[sessionId, toIso(Date.now())],
				),
			);
			return row?.user_id as string | undefined;
		},

		async end(sessionId) {
			await store.write((tx) => endSession(tx, sessionId, Date.now()));
			seen.delete(sessionId);
		},

		close: () => clearInterval(timer),
	};
}

async function write(
	tx: Connection,
	{
		id,
		userId,
		tokenVersion,
		kind,
		agent,
		...times
	}: SeenSession & { at: number },
): Promise<void> {
	await tx.run(
		`INSERT INTO sessions (id, user_id, token_version, kind, agent, created_at, last_seen_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, last_seen_at = excluded.last_seen_at`,
		id,
		userId,
		tokenVersion,
		kind,
		agent.slice(0, agentMaxLength).toWellFormed(),
		toIso(times.issuedAt * 1_000),
		toIso(times.at),
		toIso(times.expiresAt * 1_000),
	);
}

async function sessionsOf(tx: Connection, userId: string): Promise<Session[]> {
	const rows = await tx.all(
		`SELECT sessions.*, coalesce(users.name, admins.name, '') AS user_name FROM sessions
     LEFT JOIN users ON users.id = sessions.user_id LEFT JOIN admins ON admins.id = sessions.user_id
     WHERE sessions.user_id = ? AND sessions.expires_at > ? AND users.disabled_at IS NULL
       AND sessions.token_version = coalesce(users.token_version, 0)
       AND NOT EXISTS (SELECT 1 FROM ended_sessions WHERE ended_sessions.id = sessions.id)`,
		userId,
		toIso(Date.now()),
	);
	return rows.map((row) => ({
		id: row.id as string,
		userId: row.user_id as string,
		userName: row.user_name as string,
		kind: row.kind as Session["kind"],
		agent: row.agent as string,
		createdAt: row.created_at as string,
		lastSeenAt: row.last_seen_at as string,
	}));
}
