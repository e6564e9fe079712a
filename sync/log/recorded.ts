import type * as z from "zod";
import type { Mutation } from "../entities/entity.ts";
import { ShopError } from "../protocol/errors.ts";
import { type Env, newId } from "../protocol/ids.ts";
import type { MutationResult, Refusal } from "../protocol/protocol.ts";
import type { Connection, DbRow } from "../store/store.ts";
import { spellLogged } from "./logged-args.ts";
import { type Message, nameOf } from "./message.ts";

/**
 * Finds a mutation that was recorded before.
 *
 * @throws ShopError `id_reused` if the id belongs to another kind of mutation; the recorded error if it was rejected
 */
export async function findRecorded(
	tx: Connection,
	businessId: string,
	id: string,
	name: string,
): Promise<{ id: string; at: string; args: unknown } | undefined> {
	const row = await readLogged(tx, businessId, id);
	if (!row) return undefined;
	if (row.name !== name)
		throw new ShopError("id_reused", "The id is another mutation's", "id");
	if (row.error !== null) {
		const { code, message, field }: Refusal = JSON.parse(row.error as string);
		throw new ShopError(code, message, field);
	}
	return { id, at: row.at as string, args: JSON.parse(row.args as string) };
}

async function readLogged(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<DbRow | undefined> {
	const row = await tx.get(
		"SELECT name, args, shape, at, status, error, version FROM mutations WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	return row && (await spellLogged(tx, businessId, [row]))[0];
}

/** The recorded outcome, or `id_reused` if the id has other content. */
export async function findOutcome(
	tx: Connection,
	message: Message,
	args: string,
	businessId: string,
): Promise<MutationResult | undefined> {
	const seen = await readLogged(tx, businessId, message.id);
	if (!seen) return undefined;
	const { id } = message;
	if (seen.name !== nameOf(message) || seen.args !== args)
		return {
			id,
			status: "rejected",
			error: {
				code: "id_reused",
				message: "Another mutation has this id",
				field: "id",
			},
		};
	return seen.status === "applied"
		? { id, status: "applied", duplicate: true, version: Number(seen.version) }
		: {
				id,
				status: "rejected",
				duplicate: true,
				error: JSON.parse(seen.error as string),
			};
}

/** Returns the id of a mutation whose maker gave it none. */
export async function idOfNew<Args extends z.ZodType>(
	tx: Connection,
	env: Env,
	businessId: string,
	mutation: Mutation<Args>,
	args: z.input<Args>,
): Promise<string> {
	const own = mutation.ownId?.(args);
	const isTaken =
		own === undefined ||
		(await tx.get(
			"SELECT 1 AS taken FROM mutations WHERE business_id = ? AND id = ?",
			businessId,
			own,
		));
	return isTaken ? newId(env) : own;
}
