import pg from "pg";
import { ShopError } from "../protocol/errors.ts";
import { isLost, toPostgresError } from "./postgres-errors.ts";
import { statementOf, types } from "./postgres-sql.ts";
import type { Connection, DbRow, Value } from "./store.ts";

const connectMs = 10_000;
/** No transaction waits longer for another one's row. */
const lockGiveUpMs = 10_000;
/** A process that stopped in mid-transaction must not keep a shop from selling for ever. */
const idleInTransactionMs = 60_000;
/** A machine that has vanished is noticed within half a minute. */
const keepAlive =
	"tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
/** What this program was tried with. */
const oldestVersion = 15;
/** By which a server's own list of connections tells this program's from others. */
export const applicationName = "counterfoil";

/**
 * Opens a connection whose commits are durable when they are answered.
 *
 * @param url `postgres://user:password@host/database`; `?host=/folder` for a socket
 * @throws ShopError `storage_*`; `not_a_database` where the server is too old or stores no Unicode
 */
export async function connectPostgres(
	url: string,
): Promise<PostgresConnection> {
	const client = new pg.Client({
		connectionString: url,
		types,
		// Statements are sent without waiting for those before them.
		pipeline: true,
		keepAlive: true,
		connectionTimeoutMillis: connectMs,
		application_name: applicationName,
	});
	const connection = new PostgresConnection(client);
	try {
		await client.connect();
		connection.send(
			`SET lock_timeout = ${lockGiveUpMs}; SET idle_in_transaction_session_timeout = ${idleInTransactionMs}; SET ${keepAlive}`,
		);
		const row = await connection.get(
			`SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
         current_setting('synchronous_commit') AS synchronous`,
		);
		const version = Math.floor(Number(row?.version) / 10_000);
		if (version < oldestVersion)
			throw new ShopError(
				"not_a_database",
				`PostgreSQL ${oldestVersion} or newer is needed; this is ${version}`,
			);
		if (row?.encoding !== "UTF8")
			throw new ShopError(
				"not_a_database",
				`The database must be in UTF8; this is in ${row?.encoding}`,
			);
		if (row.synchronous === "off")
			await connection.exec("SET synchronous_commit = on");
		return connection;
	} catch (error) {
		await client.end();
		throw toPostgresError(error);
	}
}

/** One connection, and what a transaction on it needs to be told apart. */
export class PostgresConnection implements Connection {
	readonly #client: pg.Client;
	/** What was sent without waiting for its answer. */
	#sent: Promise<unknown>[] = [];
	/** The first statement that failed: PostgreSQL takes no other until it is rolled back. */
	#failure: unknown;
	#depth = 0;
	/** It has ended, or can't be trusted any more. */
	isLost = false;
	/** Told of each statement before it is sent; what it throws fails that statement. */
	onStatement: ((sql: string) => void) | undefined;

	constructor(client: pg.Client) {
		this.#client = client;
		client.on("error", () => this.#lose());
		client.on("end", () => this.#lose());
	}

	async get(sql: string, ...params: Value[]): Promise<DbRow | undefined> {
		return (await this.all(sql, ...params))[0];
	}

	async all(sql: string, ...params: Value[]): Promise<DbRow[]> {
		return (await this.#query(sql, params.map(withoutNul))).rows;
	}

	async run(sql: string, ...params: Value[]): Promise<number> {
		return (await this.#query(sql, params)).rowCount ?? 0;
	}

	async savepoint<T>(fn: () => Promise<T>): Promise<T> {
		const name = `s${this.#depth}`;
		this.#depth += 1;
		this.send(`SAVEPOINT ${name}`);
		try {
			const result = await fn();
			// One that was caught on the way has undone more than whoever caught it knows.
			if (this.#failure) throw this.#failure;
			this.send(`RELEASE ${name}`);
			return result;
		} catch (error) {
			this.#failure = undefined;
			this.send(`ROLLBACK TO ${name}; RELEASE ${name}`);
			throw error;
		} finally {
			this.#depth -= 1;
		}
	}

	begin(mode: string): void {
		this.#failure = undefined;
		this.#sent = [];
		this.send(`BEGIN ${mode}`);
	}

	/** @throws whatever failed in it, also where that was caught: PostgreSQL has undone it all then */
	async commit(): Promise<void> {
		if (this.#failure) throw this.#failure;
		const sent = this.#sent;
		const [committed] = await Promise.all([
			this.#answer("COMMIT", () => this.#client.query("COMMIT")),
			...sent,
		]);
		if (committed.command !== "COMMIT")
			throw new Error(`Instead of COMMIT came ${committed.command}`);
	}

	/** Sends a statement ahead, which takes no round trip of its own; its failure shows in what follows. */
	send(sql: string): void {
		const sent = this.#answer(sql, () => this.#client.query(sql));
		sent.catch(() => {});
		this.#sent.push(sent);
	}

	/** Runs a text of any number of statements. */
	async exec(sql: string): Promise<void> {
		await this.#answer(sql, () => this.#client.query(sql));
	}

	onNotification(listener: (payload: string) => void): void {
		this.#client.on("notification", ({ payload }) => listener(payload ?? ""));
	}

	onLost(listener: () => void): void {
		this.#client.on("end", listener);
	}

	async end(): Promise<void> {
		await this.#client.end();
	}

	#query(sql: string, params: Value[]): Promise<pg.QueryResult<DbRow>> {
		return this.#answer(sql, () =>
			this.#client.query<DbRow>({ ...statementOf(sql), values: params }),
		);
	}

	/** What may still be there of it must not go on holding rows that others want. */
	#lose(): void {
		if (this.isLost) return;
		this.isLost = true;
		this.#client.end().catch(() => {});
	}

	async #answer<T>(sql: string, ask: () => Promise<T>): Promise<T> {
		try {
			this.onStatement?.(sql);
			return await ask();
		} catch (error) {
			const known = toPostgresError(error);
			if (isLost(known)) this.#lose();
			this.#failure ??= known;
			throw known;
		}
	}
}

/** No text here holds a NUL, which PostgreSQL would not even compare: who looks for one is to find nothing. */
function withoutNul(param: Value): Value {
	return typeof param === "string" ? param.replaceAll("\0", "\uFFFD") : param;
}
