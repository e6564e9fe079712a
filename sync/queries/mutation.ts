import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { timestamp } from "../entities/fields.ts";
import { entities, mutationsByName } from "../entities/index.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Refusal, refusal } from "../protocol/protocol.ts";
import { selectRows } from "../rows/rows.ts";
import type { DbRow, Value } from "../store/store.ts";
import { placesBy } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";

/*
 * The log of all that was ever done in a shop, and by whom. It stays on the server, with the accounts and tills that it names.
 */

/** Name and email are null for an account that is not on this server. */
const loggedUser = z.object({
	id: z.string(),
	name: z.string().nullable(),
	email: z.string().nullable(),
});

/** One mutation of the log, with who made it and where. */
const logged = z.object({
	id: z.string(),
	name: z.string(),
	/** When it was made, by the device's clock as far as it can be believed; and when it came here. */
	at: timestamp,
	/** What the device said, where the server did not believe it. */
	deviceAt: z.string().nullable(),
	receivedAt: timestamp,
	user: loggedUser.nullable(),
	/** The member whose session brought it, where that is not the one who made it. */
	carrier: loggedUser.nullable(),
	/** The till, with what its receipts begin with; null for the server itself. */
	device: z
		.object({ id: z.string(), prefix: z.string().nullable() })
		.nullable(),
	status: z.enum(["applied", "rejected"]),
	error: refusal.nullable(),
	/** The head that it made. */
	version: z.int().nullable(),
	/** In a sentence. */
	what: z.string(),
});
export type LoggedMutation = z.infer<typeof logged>;

const explained = logged.extend({
	args: z.unknown(),
	/** The rows whose last change it was; a row that was changed again since is that later mutation's. */
	changed: z.array(z.object({ entity: z.string(), id: z.string() })),
});
export type MutationDetails = z.infer<typeof explained>;

const whose = { roles: managing, onServer: true } as const;

const latestFirst = placesBy<
	Pick<LoggedMutation, "receivedAt" | "version" | "id">
>(["string", "number", "string"], ({ receivedAt, version, id }) => [
	receivedAt,
	version ?? 0,
	id,
]);
const key = "(received_at, coalesce(mutations.version, 0), mutations.id)";
const inOrder =
	"ORDER BY received_at DESC, coalesce(mutations.version, 0) DESC, mutations.id DESC LIMIT ?";

export const mutationList = defineList({
	name: "mutation.list",
	summary: "All that was done in a shop, the last thing first",
	...whose,
	args: {},
	row: logged,
	placeOf: latestFirst.placeOf,
	async read(context, _args, { after, limit }) {
		const place = latestFirst.read(after);
		const rows = await readLog(
			context,
			`${place ? `AND ${key} < (?, ?, ?)` : ""} ${inOrder}`,
			...(place ?? []),
			limit,
		);
		return { rows: rows.map(toLogged) };
	},
});

export const mutationGet = defineQuery({
	name: "mutation.get",
	summary: "What a mutation did and what became of it",
	...whose,
	args: z.strictObject({ id: anyId }),
	answer: explained,
	async run(context, { id }) {
		const [row] = await readLog(context, "AND mutations.id = ?", id);
		if (!row) throw new ShopError("not_found", "Mutation not found");
		return explain(context, row);
	},
});

const aboutMax = 20;

export const mutationAbout = defineQuery({
	name: "mutation.about",
	summary:
		"The mutations that name a record, such as those that made, voided or refunded a sale, the last one first",
	...whose,
	args: z.strictObject({ recordId: anyId }),
	answer: z.object({ mutations: z.array(explained) }),
	async run(context, { recordId }) {
		const quoted = JSON.stringify(recordId).replaceAll(/[!%_]/g, "!$&");
		const rows = await readLog(
			context,
			`AND mutations.args LIKE ? ESCAPE '!' ${inOrder}`,
			`%${quoted}%`,
			aboutMax,
		);
		const mutations: MutationDetails[] = [];
		for (const row of rows) mutations.push(await explain(context, row));
		return { mutations };
	},
});

function readLog(
	{ tx, businessId }: QueryContext,
	where: string,
	...params: Value[]
): Promise<DbRow[]> {
	return tx.all(
		`SELECT mutations.*, users.name AS user_name, users.email AS user_email,
       carriers.name AS carrier_name, carriers.email AS carrier_email, devices.prefix
     FROM mutations LEFT JOIN users ON users.id = mutations.user_id
     LEFT JOIN users AS carriers ON carriers.id = mutations.carrier_id
     LEFT JOIN devices ON devices.business_id = mutations.business_id AND devices.id = mutations.device_id
     WHERE mutations.business_id = ? ${where}`,
		businessId,
		...params,
	);
}

async function explain(
	{ tx, businessId }: QueryContext,
	row: DbRow,
): Promise<MutationDetails> {
	const entry = toLogged(row);
	const changed: MutationDetails["changed"] = [];
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

function toLogged(row: DbRow): LoggedMutation {
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
		status: row.status as LoggedMutation["status"],
		error: error === null ? null : (JSON.parse(error) as Refusal),
		version: row.version as number | null,
		what: whatOf(name, JSON.parse(row.args as string)),
	};
}

function toUser(row: DbRow, who: "user" | "carrier"): LoggedMutation["user"] {
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
	const mutation = mutationsByName.get(name);
	return mutation?.args.safeParse(args).success
		? mutation.sentence(args)
		: name;
}
