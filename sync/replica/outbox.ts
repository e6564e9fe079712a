import { utf8Length } from "#platform";
import { firstArgsVersion } from "../entities/args-version.ts";
import { toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { canonicalJson } from "../protocol/json.ts";
import type {
	MutationMessage,
	MutationResult,
	Refusal,
} from "../protocol/protocol.ts";
import type { Connection, DbRow } from "../store/store.ts";

/** How long an acknowledged mutation is kept at least, in case the server loses it. */
const keptMs = 30 * 24 * 3_600_000;

/** One of the replica's own mutations, as it was made. */
export interface LocalMutation {
	id: string;
	name: string;
	/** Canonical JSON. */
	args: string;
	argsVersion: number;
	at: string;
	userId: string | null;
	deviceId: string | null;
}

export interface OutboxEntry extends LocalMutation {
	position: number;
	number: number | null;
	/** Proves that `userId` made it, even if another member sends it. */
	proof: string | null;
	/** When a server answered it whose history is lost, by this till's clock. */
	answeredAt?: string | undefined;
}

export type OutboxState = "pending" | "acknowledged" | "rejected" | "discarded";

/** A mutation that the server rejected or deferred, with its reason. */
export interface UnacceptedMutation {
	id: string;
	name: string;
	args: unknown;
	at: string;
	/** The member who made it. */
	userId: string | null;
	error: Refusal;
}

/** Joined with the stored mutations, because the view of all would be read whole. A till's own stay there as long as they are in its outbox. */
const entrySql = `SELECT outbox.position, outbox.number, outbox.proof, outbox.error, outbox.answered_at, mutations.id, mutations.name, mutations.args,
    mutations.args_version, mutations.at, mutations.user_id, mutations.device_id
  FROM outbox JOIN stored_mutations AS mutations ON mutations.business_id = outbox.business_id AND mutations.id = outbox.mutation_id
  WHERE outbox.business_id = ?`;

function toEntry(row: DbRow): OutboxEntry {
	return {
		position: row.position as number,
		number: row.number as number | null,
		proof: row.proof as string | null,
		answeredAt: toAnsweredAt(row),
		id: row.id as string,
		name: row.name as string,
		args: row.args as string,
		argsVersion: row.args_version as number,
		at: row.at as string,
		userId: row.user_id as string | null,
		deviceId: row.device_id as string | null,
	};
}

/** `reoffer` takes the number, and leaves the time of the answer. A deferred mutation has an error. */
function toAnsweredAt({ number, error, answered_at }: DbRow) {
	const isOfferedAgain = number === null && error === null;
	return isOfferedAgain && answered_at !== null
		? (answered_at as string)
		: undefined;
}

export interface AppendOptions {
	/**
	 * False for a mutation that was made earlier: it gets no number, because numbers tell the server when a mutation was
	 * made.
	 */
	isNew?: boolean;
}

/** Appends a mutation to the log and the outbox, with this device's next number. */
export async function append(
	tx: Connection,
	businessId: string,
	made: LocalMutation,
	proof: string | null = null,
	{ isNew = true }: AppendOptions = {},
): Promise<void> {
	await tx.run(
		`INSERT INTO stored_mutations (business_id, id, name, args, args_version, at, received_at, user_id, device_id, status)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'applied')`,
		businessId,
		made.id,
		made.name,
		made.args,
		made.argsVersion,
		made.at,
		made.at,
		made.userId,
		made.deviceId,
	);
	const row = isNew
		? await tx.get(
				"UPDATE replica SET last_number = last_number + 1 WHERE business_id = ? RETURNING last_number",
				businessId,
			)
		: undefined;
	await tx.run(
		`INSERT INTO outbox (business_id, position, mutation_id, number, proof, state)
     SELECT ?, coalesce(max(position), 0) + 1, ?, ?, ?, 'pending' FROM outbox WHERE business_id = ?`,
		businessId,
		made.id,
		row?.last_number ?? null,
		proof,
		businessId,
	);
}

/** Reads the next pending mutations after a position, as many as fit. */
export async function nextBatch(
	tx: Connection,
	businessId: string,
	after: number,
	countMax: number,
	bytesMax: number,
): Promise<OutboxEntry[]> {
	const rows = await tx.all(
		`${entrySql} AND outbox.state = 'pending' AND outbox.position > ? ORDER BY outbox.position LIMIT ?`,
		businessId,
		after,
		countMax,
	);
	const batch: OutboxEntry[] = [];
	let bytes = 0;
	for (const row of rows) {
		const entry = toEntry(row);
		bytes += utf8Length(entry.args) + 512;
		if (bytes > bytesMax && batch.length > 0) break;
		batch.push(entry);
	}
	return batch;
}

/**
 * Returns the number up to which all mutations have a final answer.
 *
 * @param lastNumber the last one assigned
 * @param after,last positions of pending mutations that count as answered: after the first, up to the second
 */
export async function settledNumber(
	tx: Connection,
	businessId: string,
	lastNumber: number,
	after: number,
	last: number,
): Promise<number> {
	const row = await tx.get(
		`SELECT number FROM outbox WHERE business_id = ? AND state = 'pending' AND number IS NOT NULL
       AND (position <= ? OR position > ?) ORDER BY position LIMIT 1`,
		businessId,
		after,
		last,
	);
	return row ? (row.number as number) - 1 : lastNumber;
}

/** Returns the mutation that the server applied last, whatever its place here, with its version. */
export async function lastTaken(
	tx: Connection,
	businessId: string,
): Promise<{ id: string; version: number } | undefined> {
	return tx.get(
		"SELECT mutation_id AS id, server_version AS version FROM outbox WHERE business_id = ? AND state = 'acknowledged' ORDER BY server_version DESC LIMIT 1",
		businessId,
	) as Promise<{ id: string; version: number } | undefined>;
}

/** Reads pending and rejected mutations in the form in which they are sent. */
export async function readUntaken(
	tx: Connection,
	businessId: string,
): Promise<MutationMessage[]> {
	const rows = await tx.all(
		`${entrySql} AND outbox.state IN ('pending', 'rejected') ORDER BY outbox.position`,
		businessId,
	);
	return rows.map((row) => JSON.parse(toJson(toEntry(row))));
}

/**
 * @param clockOffsetMs how far the server's clock is ahead of this till's
 * @returns a MutationMessage as JSON; the arguments are JSON already and are inserted unchanged
 */
export function toJson(entry: OutboxEntry, clockOffsetMs = 0): string {
	const { id, name, args, argsVersion, at, number, userId, proof } = entry;
	const { answeredAt } = entry;
	const others: Omit<MutationMessage, "args"> = {
		id,
		name,
		at,
		...(argsVersion === firstArgsVersion ? {} : { argsVersion }),
		...(number === null ? {} : { number }),
		// The member who is signed in at the push need not be the maker.
		...(userId === null ? {} : { by: userId }),
		...(proof === null ? {} : { proof }),
		...(answeredAt === undefined
			? {}
			: { answeredAt: toIso(Date.parse(answeredAt) + clockOffsetMs) }),
	};
	return `${JSON.stringify(others).slice(0, -1)},"args":${args}}`;
}

/** Reads the mutations whose effects the server's rows up to a version do not include, in order. */
export async function unseen(
	tx: Connection,
	businessId: string,
	cursorVersion: number,
): Promise<OutboxEntry[]> {
	// Each part has its index: what was acknowledged long ago is never read.
	const rows = await tx.all(
		`${entrySql} AND outbox.state = 'pending'
     UNION ALL ${entrySql} AND outbox.state = 'acknowledged' AND outbox.server_version > ?
     ORDER BY position`,
		businessId,
		businessId,
		cursorVersion,
	);
	return rows.map(toEntry);
}

/** Saves the server's result of each mutation. A deferred one stays pending with its reason. */
export async function settle(
	tx: Connection,
	businessId: string,
	batch: readonly OutboxEntry[],
	results: readonly MutationResult[],
	now: number,
): Promise<void> {
	let run: Run | undefined;
	for (const [i, { position, id }] of batch.entries()) {
		const result = results[i];
		if (result?.id !== id)
			throw new ShopError(
				"unreachable",
				"The server's results are not those of the mutations that were sent",
			);
		const { status, version, error } = result;
		const ahead =
			status === "applied" && version !== undefined
				? version - position
				: undefined;
		if (run && run.last === position - 1 && run.ahead === ahead)
			run.last = position;
		else {
			if (run) await writeRun(tx, businessId, run, now);
			run = undefined;
			if (ahead !== undefined) run = { first: position, last: position, ahead };
			else
				await tx.run(
					"UPDATE outbox SET state = ?, error = ?, answered_at = ? WHERE business_id = ? AND position = ?",
					status === "rejected" ? "rejected" : "pending",
					error ? JSON.stringify(error) : null,
					toIso(now),
					businessId,
					position,
				);
		}
	}
	if (run) await writeRun(tx, businessId, run, now);
}

/** Applied mutations with consecutive positions and consecutive versions. A batch is usually one run. */
interface Run {
	first: number;
	last: number;
	/** Version minus position. */
	ahead: number;
}

async function writeRun(
	tx: Connection,
	businessId: string,
	{ first, last, ahead }: Run,
	now: number,
): Promise<void> {
	await tx.run(
		"UPDATE outbox SET state = 'acknowledged', server_version = position + ?, error = NULL, answered_at = ? WHERE business_id = ? AND position BETWEEN ? AND ?",
		ahead,
		toIso(now),
		businessId,
		first,
		last,
	);
}

/** Reads the acknowledged mutations whose arguments have an id among them. */
export async function readAcknowledged(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<LocalMutation[]> {
	const rows = await tx.all(
		`${entrySql} AND outbox.state = 'acknowledged' AND instr(mutations.args, ?) > 0 ORDER BY outbox.position`,
		businessId,
		canonicalJson({ id }).slice(1, -1),
	);
	return rows.map(toEntry);
}

/** Makes all acknowledged mutations pending again, because the server's new history may lack some. */
export async function reoffer(
	tx: Connection,
	businessId: string,
): Promise<void> {
	await tx.run(
		"UPDATE outbox SET state = 'pending', number = NULL, server_version = NULL WHERE business_id = ? AND state = 'acknowledged'",
		businessId,
	);
}

/**
 * Numbers the pending mutations from 1 for a new device.
 *
 * @returns the last number
 */
export async function renumber(
	tx: Connection,
	businessId: string,
): Promise<number> {
	const rows = await tx.all(
		"SELECT position FROM outbox WHERE business_id = ? AND state = 'pending' ORDER BY position",
		businessId,
	);
	for (const [i, { position }] of rows.entries())
		await tx.run(
			"UPDATE outbox SET number = ? WHERE business_id = ? AND position = ?",
			i + 1,
			businessId,
			position as number,
		);
	return rows.length;
}

/** Deletes acknowledged mutations that the server's backup covers, and discarded ones, each after its time. */
export async function prune(
	tx: Connection,
	businessId: string,
	backedUpTo: number,
	now: number,
): Promise<void> {
	const due = toIso(now - keptMs);
	if (!(await hasAnsweredBefore(tx, businessId, due))) return;
	const where = `business_id = ? AND answered_at < ?
    AND (state = 'discarded' OR (state = 'acknowledged' AND server_version <= ?))`;
	const params = [businessId, due, backedUpTo] as const;
	await tx.run(
		`DELETE FROM stored_mutations WHERE business_id = ? AND id IN (SELECT mutation_id FROM outbox WHERE ${where})`,
		businessId,
		...params,
	);
	await tx.run(`DELETE FROM outbox WHERE ${where}`, ...params);
}

/** Whether the first acknowledged or discarded mutation was answered before a time. */
async function hasAnsweredBefore(
	tx: Connection,
	businessId: string,
	time: string,
): Promise<boolean> {
	for (const state of ["acknowledged", "discarded"]) {
		const first = await tx.get(
			"SELECT answered_at FROM outbox WHERE business_id = ? AND state = ? ORDER BY position LIMIT 1",
			businessId,
			state,
		);
		if (first && (first.answered_at as string) < time) return true;
	}
	return false;
}

/** Reads rejected mutations, which are kept for a person to retry or discard. */
export async function readRejected(
	tx: Connection,
	businessId: string,
): Promise<UnacceptedMutation[]> {
	const rows = await tx.all(
		`${entrySql} AND outbox.state = 'rejected' ORDER BY outbox.position`,
		businessId,
	);
	return rows.map(toUnaccepted);
}

/** Reads the mutations that wait for a member with permission to sign in. */
export async function readWaiting(
	tx: Connection,
	businessId: string,
): Promise<UnacceptedMutation[]> {
	const rows = await tx.all(
		`${entrySql} AND outbox.state = 'pending' AND outbox.error IS NOT NULL ORDER BY outbox.position`,
		businessId,
	);
	return rows
		.map(toUnaccepted)
		.filter(({ error }) => error.code === "awaits_permission");
}

function toUnaccepted(row: DbRow): UnacceptedMutation {
	return {
		id: row.id as string,
		name: row.name as string,
		args: JSON.parse(row.args as string),
		at: row.at as string,
		userId: row.user_id as string | null,
		error: JSON.parse(row.error as string),
	};
}

/**
 * Discards a rejected mutation. It stays in the log.
 *
 * @returns it as it was made
 * @throws ShopError `not_found`
 */
export async function discard(
	tx: Connection,
	businessId: string,
	id: string,
	now: number,
): Promise<OutboxEntry> {
	const row = await tx.get(
		`${entrySql} AND outbox.state = 'rejected' AND outbox.mutation_id = ?`,
		businessId,
		id,
	);
	if (!row) throw new ShopError("not_found", "No such rejected mutation", "id");
	const entry = toEntry(row);
	await tx.run(
		"UPDATE outbox SET state = 'discarded', answered_at = ? WHERE business_id = ? AND position = ?",
		toIso(now),
		businessId,
		entry.position,
	);
	return entry;
}

/**
 * Makes a discarded mutation rejected again.
 *
 * @throws ShopError `not_found`
 */
export async function restore(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<void> {
	const restored = await tx.run(
		"UPDATE outbox SET state = 'rejected' WHERE business_id = ? AND mutation_id = ? AND state = 'discarded' AND error IS NOT NULL",
		businessId,
		id,
	);
	if (restored === 0)
		throw new ShopError("not_found", "No such discarded mutation", "id");
}

/** Returns the state of one of this till's mutations, or undefined if the outbox does not have it. */
export async function readEntryState(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<OutboxState | undefined> {
	const row = await tx.get(
		"SELECT state FROM outbox WHERE business_id = ? AND mutation_id = ?",
		businessId,
		id,
	);
	return row?.state as OutboxState | undefined;
}

/** Counts the mutations that are not acknowledged; a month's acknowledged ones may be kept. */
export async function countStates(
	tx: Connection,
	businessId: string,
): Promise<{ pending: number; rejected: number }> {
	const rows = await tx.all(
		"SELECT state, count(*) AS count FROM outbox WHERE business_id = ? AND state IN ('pending', 'rejected') GROUP BY state",
		businessId,
	);
	const counts = new Map(rows.map(({ state, count }) => [state, count]));
	return {
		pending: Number(counts.get("pending") ?? 0),
		rejected: Number(counts.get("rejected") ?? 0),
	};
}

/** Returns true if the server has answered nothing of the outbox, and if that is at most so long. */
export async function isUnanswered(
	tx: Connection,
	businessId: string,
	most: number,
): Promise<boolean> {
	const row = await tx.get(
		`SELECT count(*) AS entries, count(CASE WHEN state <> 'pending' THEN 1 END) AS answered
     FROM outbox WHERE business_id = ?`,
		businessId,
	);
	return Number(row?.answered) === 0 && Number(row?.entries) <= most;
}
