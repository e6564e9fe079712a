import { firstArgsVersion } from "../entities/args-version.ts";
import { recordId } from "../entities/fields.ts";
import type { MutationResult } from "../protocol/protocol.ts";

const isRecordId = (value: unknown) => recordId.safeParse(value).success;

/** One item of a push, as far as it could be read. */
export interface Message {
	id: string;
	name: unknown;
	args: unknown;
	at: unknown;
	by: unknown;
	proof: unknown;
	number: unknown;
	answeredAt: unknown;
	argsVersion: number;
}

/**
 * Reads one item of a push.
 *
 * @returns the rejection of an item that is not a mutation
 */
export function toMessage(item: unknown): Message | MutationResult {
	const refused = (id: unknown, message: string, field: string) =>
		({
			id,
			status: "rejected",
			error: { code: "invalid_args", message, field },
		}) satisfies MutationResult;
	if (typeof item !== "object" || item === null || Array.isArray(item))
		return refused(null, "A mutation must be an object", "id");
	const fields = item as Record<string, unknown>;
	const { id, name, args, at, by, proof, number, answeredAt } = fields;
	const { argsVersion = firstArgsVersion } = fields;
	if (!isRecordId(id))
		return refused(
			typeof id === "string" ? id.slice(0, 64) : null,
			"A mutation's id must be a text of 1 to 64 characters",
			"id",
		);
	if (!isCount(argsVersion))
		return refused(
			id,
			"The version of the arguments must be an integer from 1",
			"argsVersion",
		);
	if (number !== undefined && !isCount(number))
		return refused(
			id,
			"A mutation's number must be an integer from 1",
			"number",
		);
	return {
		...{ id: id as string, name, args, at, by, proof, number, answeredAt },
		argsVersion,
	};
}

export function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 1;
}

export function nameOf({ name }: Message): string {
	return typeof name === "string" ? name : "";
}
