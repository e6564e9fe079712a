import pg from "pg";
import { ShopError } from "../protocol/errors.ts";
import { isLost, toPostgresError } from "./postgres-errors.ts";
import { statementOf, types } from "./postgres-sql.ts";
import type { Connection, DbRow, Value } from "./store.ts";

const connectMs = 10_000;
/** No transaction waits longer for a row that another one holds. */
const lockGiveUpMs = 10_000;
/** A process that hangs in a transaction must not block a shop for ever. */
const idleInTransactionMs = 60_000;
/** These settings detect within half a minute that a machine has vanished. */
const keepAlive =
	"tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
/** The oldest version that this program is tested with. */
const oldestVersion = 15;
/** Identifies this program in the server's list of connections. */
export const applicationName = "counterfoil";

/**
 * Opens a connection whose commits are durable when they are answered.
 *
 * @param url `postgres://user:password@host/database`; `?host=/folder` for a socket
 * @throws ShopError `storage_*`; `not_a_database` if the server is too old or does not store Unicode
 */
export async function connectPostgres(
	url: string,
): Promise<PostgresConnection> {
	const client = new pg.Client({
		connectionString: url,
		types,
		// Statements are sent without waiting for the answers to earlier ones.
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

/** One connection with the state of its transaction. */
export class PostgresConnection implements Connection {
	readonly #client: pg.Client;
	/** Statements that were sent and not awaited. */
	#sent: Promise<unknown>[] = [];
	/** The first statement that failed: PostgreSQL refuses all others until a rollback. */
	#failure: unknown;
	readonly known = new Map<string, number>();
	/** How many rows statements have written, or tried to. */
	written = 0;
	#depth = 0;
	/** True once the connection has ended or can't be trusted. */
	isLost = false;
	/** Called with each statement before it is sent; if it throws, the statement fails. */
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
		const { rowCount } = await this.#query(sql, params);
		this.written += rowCount ?? 0;
		return rowCount ?? 0;
	}

	async savepoint<T>(fn: () => Promise<T>): Promise<T> {
		const name = `s${this.#depth}`;
		this.#depth += 1;
		this.send(`SAVEPOINT ${name}`);
		try {
			const result = await fn();
			// A caught failure has still undone the whole transaction.
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

	/**
	 * @throws the first failure of the transaction, even if it was caught, because PostgreSQL has rolled everything back
	 */
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

	/** Sends a statement without waiting; its failure shows in a later one. */
	send(sql: string): void {
		if (sql.startsWith("ROLLBACK")) this.known.clear();
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

	/** Ends the connection, so that its transaction no longer holds rows. */
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
			this.known.clear();
			const failure = toPostgresError(error);
			if (isLost(failure)) this.#lose();
			this.#failure ??= failure;
			throw failure;
		}
	}
}

/**
 * PostgreSQL stores no NUL and refuses to compare one. The replacement is in no stored text, so a search finds nothing.
 */
function withoutNul(param: Value): Value {
	return typeof param === "string" ? param.replaceAll("\0", "\uFFFD") : param;
}
