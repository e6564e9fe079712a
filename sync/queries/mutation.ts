import * as z from "zod";
import { approval, isSigned } from "../entities/approval.ts";
import { managing } from "../entities/entity.ts";
import { timestamp } from "../entities/fields.ts";
import { entities, mutationsByName } from "../entities/index.ts";
import { hideErased } from "../log/erased-args.ts";
import { spellLogged } from "../log/logged-args.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Refusal, refusal } from "../protocol/protocol.ts";
import { selectRows } from "../rows/rows.ts";
import type { DbRow, Value } from "../store/store.ts";
import { placesBy } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";

/* Queries of the mutation log, which stays on the server together with the accounts and devices that it names. */

/** Name and email are null for an account that is not on this server. */
const loggedUser = z.object({
	id: z.string(),
	name: z.string().nullable(),
	email: z.string().nullable(),
});

/** One mutation of the log, with its maker and device. */
const logged = z.object({
	id: z.string(),
	name: z.string(),
	/**
	 * When the mutation was made, by the device's clock unless the server corrected it, and when the server received it.
	 */
	at: timestamp,
	/** The device's moment, if the server replaced it. */
	deviceAt: z.string().nullable(),
	receivedAt: timestamp,
	user: loggedUser.nullable(),
	/** The member whose session pushed it, if another member made it. */
	carrier: loggedUser.nullable(),
	/** The till with its receipt prefix. Null for the server itself. */
	device: z
		.object({ id: z.string(), prefix: z.string().nullable() })
		.nullable(),
	status: z.enum(["applied", "rejected"]),
	error: refusal.nullable(),
	/** The version that it made. */
	version: z.int().nullable(),
	/** The mutation in one line of prose. */
	what: z.string(),
});
export type LoggedMutation = z.infer<typeof logged>;

const explained = logged.extend({
	args: z.unknown(),
	/** Null if it came without one. */
	approval: z
		.object({
			by: loggedUser,
			/** What it lets through at most. */
			amount: z.number(),
			at: timestamp,
			/** Whether the signature is the approver's. */
			isSigned: z.boolean(),
		})
		.nullable(),
	/** The rows that it was the last to change; later mutations list the rows that they changed again. */
	changed: z.array(z.object({ entity: z.string(), id: z.string() })),
});
export type MutationDetails = z.infer<typeof explained>;

const whose = { roles: managing, onServer: true } as const;

const latestFirst = placesBy<
	Pick<LoggedMutation, "receivedAt" | "version" | "id">
>(["string", "integer", "string"], ({ receivedAt, version, id }) => [
	receivedAt,
	version ?? 0,
	id,
]);
const key = "(received_at, coalesce(mutations.version, 0), mutations.id)";
const inOrder =
	"ORDER BY received_at DESC, coalesce(mutations.version, 0) DESC, mutations.id DESC LIMIT ?";

export const mutationList = defineList({
	name: "mutation.list",
	summary: "The mutation log, the latest first",
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
	summary: "A mutation with its arguments and outcome",
	...whose,
	args: z.strictObject({ id: anyId }),
	answer: explained,
	async run(context, { id }) {
		const [row] = await readLog(context, "AND mutations.id = ?", id);
		if (!row) throw new ShopError("not_found", "Mutation not found");
		return explain(context, row);
	},
});

const approvedRow = explained.omit({ args: true, changed: true });
export type ApprovedMutation = z.infer<typeof approvedRow>;

export const mutationApproved = defineList({
	name: "mutation.approved",
	summary:
		"The mutations that a PIN let go beyond their makers' limits, the latest first, and whether each signature is the approver's",
	...whose,
	args: {},
	row: approvedRow,
	placeOf: latestFirst.placeOf,
	async read(context, _args, { after, limit }) {
		const place = latestFirst.read(after);
		const found = await readLog(
			context,
			`AND mutations.status = 'applied' AND mutations.args LIKE '%"approval":{%' ${place ? `AND ${key} < (?, ?, ?)` : ""} ${inOrder}`,
			...(place ?? []),
			limit,
		);
		const rows: ApprovedMutation[] = [];
		for (const row of found)
			rows.push({ ...toLogged(row), approval: await approvalIn(context, row) });
		return { rows };
	},
});

const aboutMax = 20;

export const mutationAbout = defineQuery({
	name: "mutation.about",
	summary:
		"The mutations that name a record, such as those that created, voided or refunded a sale, the latest first",
	...whose,
	args: z.strictObject({ recordId: anyId }),
	answer: z.object({ mutations: z.array(explained) }),
	async run(context, { recordId }) {
		const { businessId } = context;
		const quoted = JSON.stringify(recordId).replaceAll(/[!%_]/g, "!$&");
		const rows = await readLog(
			context,
			`AND (mutations.args LIKE ? ESCAPE '!' OR mutations.version IN (
         SELECT version FROM sales WHERE business_id = ? AND id = ?
         UNION ALL SELECT sales.version FROM sale_items
         JOIN sales ON sales.business_id = sale_items.business_id AND sales.id = sale_items.sale_id
         WHERE sale_items.business_id = ? AND sale_items.product_id = ?)) ${inOrder}`,
			`%${quoted}%`,
			...[businessId, recordId, businessId, recordId],
			aboutMax,
		);
		const mutations: MutationDetails[] = [];
		for (const row of rows) mutations.push(await explain(context, row));
		return { mutations };
	},
});

async function readLog(
	{ tx, businessId }: QueryContext,
	where: string,
	...params: Value[]
): Promise<DbRow[]> {
	const rows = await tx.all(
		`SELECT mutations.*, users.name AS user_name, users.email AS user_email,
       carriers.name AS carrier_name, carriers.email AS carrier_email, devices.prefix
     FROM mutations LEFT JOIN users ON users.id = mutations.user_id
     LEFT JOIN users AS carriers ON carriers.id = mutations.carrier_id
     LEFT JOIN devices ON devices.business_id = mutations.business_id AND devices.id = mutations.device_id
     WHERE mutations.business_id = ? ${where}`,
		businessId,
		...params,
	);
	const spelled = await spellLogged(tx, businessId, rows);
	return hideErased(tx, businessId, spelled);
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
				"AND version = ?",
				entry.version,
			);
			// Sorted here: SQLite would read a whole table in the order of its key.
			const ids = rows.map(({ row }) => row.id).sort();
			changed.push(...ids.map((id) => ({ entity: entity.name, id })));
		}
	const approval = await approvalIn({ tx, businessId }, row);
	return { ...entry, args: JSON.parse(row.args as string), approval, changed };
}

/** Reads who approved a mutation, and checks the signature again. */
async function approvalIn(
	{ tx, businessId }: Pick<QueryContext, "tx" | "businessId">,
	row: DbRow,
): Promise<MutationDetails["approval"]> {
	const { id, approval: given } = JSON.parse(row.args as string) ?? {};
	// Rejected arguments can have any shape.
	const parsed = approval.safeParse(given);
	if (!parsed.success) return null;
	const { by, amount, at, signature } = z.encode(approval, parsed.data);
	const made = { act: row.name as string, id, madeAt: row.at as string };
	const act = { ...made, by, amount, at, signature };
	const user = await tx.get("SELECT name, email FROM users WHERE id = ?", by);
	const { name = null, email = null } = user ?? {};
	return {
		by: { id: by, name: name as string | null, email: email as string | null },
		...{ amount, at },
		isSigned: await isSigned(tx, businessId, act),
	};
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

/** Rejected arguments can have any shape: the name is all that is certain. */
function whatOf(name: string, args: unknown): string {
	const mutation = mutationsByName.get(name);
	return mutation?.args.safeParse(args).success
		? mutation.sentence(args)
		: name;
}
