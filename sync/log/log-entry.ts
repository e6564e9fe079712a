import type { RowOf } from "../entities/entity.ts";
import { type sale, saleCreate } from "../entities/sale.ts";
import { shapeOf } from "../entities/sale-args.ts";
import { shopNumber } from "../rows/names.ts";
import type { Connection, Value } from "../store/store.ts";
import { type ChainedMutation, keptOf } from "./chain.ts";

/*
 * A sale says almost all that its mutation said, so it is its own entry in the log where it spells the arguments and was
 * made by whom, where and when the entry says. Everything else stands in `stored_mutations`.
 */

/** A row of the log, by the columns of the view `mutations`. */
export interface LogEntry extends Omit<ChainedMutation, "version"> {
	/** Null if it was rejected. */
	version: number | null;
	status: "applied" | "rejected";
	/** JSON. */
	error: string | null;
	/** The whole link. */
	link: string | null;
}

type Sale = RowOf<typeof sale>;

const columns = [
	...["id", "name", "args", "args_version", "at", "received_at", "device_at"],
	...["user_id", "carrier_id", "device_id", "status", "error", "version"],
	...["link", "shape"],
] as const;
const insertSql = `INSERT INTO stored_mutations (business_id, ${columns.join(", ")}) VALUES (?, ${columns.map(() => "?").join(", ")})`;

/** What a shape adds for each version of the arguments after the first. */
const perArgsVersion = 4096;

/**
 * Adds an entry to the log.
 *
 * @param sold the sale that the mutation has made, if it made one
 */
export async function writeEntry(
	tx: Connection,
	businessId: string,
	entry: LogEntry,
	sold: Sale | undefined,
): Promise<void> {
	const shape =
		sold && entry.name === saleCreate.name && entry.version !== null
			? shapeOf(entry.args, sold)
			: undefined;
	const link = entry.link && keptOf(entry.link);
	if (sold && shape !== undefined && isToldBy(entry, sold)) {
		await tx.run(
			`UPDATE stored_sales SET shape = ?, mutation_id = ?, received_after = ?, link = ?
       WHERE shop = ? AND id = ?`,
			shape + (entry.args_version - 1) * perArgsVersion,
			entry.id === sold.id ? null : entry.id,
			Date.parse(entry.received_at) - Date.parse(entry.at),
			link,
			await shopNumber(tx, businessId),
			sold.id,
		);
		return;
	}
	const row: Record<(typeof columns)[number], Value> =
		shape === undefined
			? { ...entry, link, shape: null }
			: { ...entry, link, args: "", shape };
	await tx.run(insertSql, businessId, ...columns.map((column) => row[column]));
}

/** True if a sale was made when, where and by whom its entry says. */
function isToldBy(entry: LogEntry, sold: Sale): boolean {
	return (
		entry.at === sold.createdAt &&
		entry.user_id === sold.userId &&
		entry.device_id === sold.deviceId &&
		entry.carrier_id === null &&
		entry.device_at === null
	);
}
