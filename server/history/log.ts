import { entities, mutationsByName } from "../../sync/entities/index.ts";
import { type Refusal, refusal } from "../../sync/protocol.ts";
import { selectRows } from "../../sync/rows.ts";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { sentenceOf } from "./sentence.ts";

/** One mutation of the log, with who made it and where. */
export interface LogEntry {
	id: string;
	name: string;
	/** When it was made, by the device's clock as far as it can be believed; and when it came here. */
	at: string;
	/** What the device said, where the server did not believe it. */
	deviceAt: string | null;
	receivedAt: string;
	user: LoggedUser | null;
	/** The member whose session brought it, where that is not the one who made it. */
	carrier: LoggedUser | null;
	/** The till, with what its receipts begin with; null for the server itself. */
	device: { id: string; prefix: string | null } | null;
	status: "applied" | "rejected";
	error: Refusal | null;
	/** The head that it made. */
	version: number | null;
	/** In a sentence. */
	what: string;
}

/** Name and email are null for an account that is not on this server. */
interface LoggedUser {
	id: string;
	name: string | null;
	email: string | null;
}

export interface ExplainedEntry extends LogEntry {
	args: unknown;
	/** The rows whose last change it was; a row that was changed again since is that later mutation's. */
	changed: { entity: string; id: string }[];
}

const entrySql = `SELECT mutations.*, users.name AS user_name, users.email AS user_email,
    carriers.name AS carrier_name, carriers.email AS carrier_email, devices.prefix
  FROM mutations LEFT JOIN users ON users.id = mutations.user_id
  LEFT JOIN users AS carriers ON carriers.id = mutations.carrier_id
  LEFT JOIN devices ON devices.business_id = mutations.business_id AND devices.id = mutations.device_id
  WHERE mutations.business_id = ?`;

/** Those without a version last: databases differ in where nothing is sorted. */
const latestFirst =
	"ORDER BY mutations.received_at DESC, coalesce(mutations.version, 0) DESC";

/** The latest that came, the last one first. */
export async function readLog(
	tx: Connection,
	businessId: string,
	limit: number,
): Promise<LogEntry[]> {
	const rows = await tx.all(
		`${entrySql} ${latestFirst} LIMIT ?`,
		businessId,
		limit,
	);
	return rows.map(toEntry);
}

/** @returns undefined for an id that the log does not hold */
export async function explain(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<ExplainedEntry | undefined> {
	const row = await tx.get(`${entrySql} AND mutations.id = ?`, businessId, id);
	if (!row) return undefined;
	const entry = toEntry(row);
	const changed: ExplainedEntry["changed"] = [];
	if (entry.version !== null)
		for (const entity of entities) {
			const rows = await selectRows(
				tx,
				entity,
				businessId,
				"AND version = ? ORDER BY id",
				entry.version,
			);
			for (const { row } of rows)
				changed.push({ entity: entity.name, id: row.id });
		}
	return { ...entry, args: JSON.parse(row.args as string), changed };
}

/** The mutations that name a record, such as those that made, voided or refunded a sale: the last one first. */
export async function mutationsAbout(
	tx: Connection,
	businessId: string,
	recordId: string,
): Promise<LogEntry[]> {
	const quoted = JSON.stringify(recordId).replaceAll(/[!%_]/g, "!$&");
	const rows = await tx.all(
		`${entrySql} AND mutations.args LIKE ? ESCAPE '!' ${latestFirst} LIMIT 20`,
		businessId,
		`%${quoted}%`,
	);
	return rows.map(toEntry);
}

function toEntry(row: DbRow): LogEntry {
	const name = row.name as string;
	const error = row.error as string | null;
	return {
		id: row.id as string,
		name,
		at: row.at as string,
		deviceAt: row.device_at as string | null,
		receivedAt: row.received_at as string,
		user: toUser(row, "user"),
		carrier: toUser(row, "carrier"),
		device:
			row.device_id === null
				? null
				: {
						id: row.device_id as string,
						prefix: row.prefix as string | null,
					},
		status: row.status as LogEntry["status"],
		error: error === null ? null : refusal.parse(JSON.parse(error)),
		version: row.version as number | null,
		what: whatOf(name, JSON.parse(row.args as string)),
	};
}

function toUser(row: DbRow, who: "user" | "carrier"): LoggedUser | null {
	const id = row[`${who}_id`] as string | null;
	if (id === null) return null;
	return {
		id,
		name: row[`${who}_name`] as string | null,
		email: row[`${who}_email`] as string | null,
	};
}

/** Arguments that were refused can be anything: then the name has to do. */
function whatOf(name: string, args: unknown): string {
	const known = mutationsByName.get(name)?.args.safeParse(args);
	return known?.success ? sentenceOf(name, args as never) : name;
}
