import * as z from "zod";
import { ShopError } from "../protocol/errors.ts";

const messageMax = 500;

/**
 * Validates a mutation's or query's arguments.
 *
 * @throws ShopError `invalid_args` with the path of the first wrong field
 */
export function parseArgs<Args extends z.ZodType>(
	asked: { args: Args },
	args: unknown,
): z.output<Args> {
	try {
		return asked.args.parse(args);
	} catch (error) {
		if (error instanceof z.ZodError) throw invalidArgs(error);
		throw error;
	}
}

function invalidArgs({ issues: [issue] }: z.ZodError): ShopError {
	const path = [...(issue?.path ?? [])];
	if (issue?.code === "unrecognized_keys") path.push(issue.keys[0] ?? "");
	const field = path.join(".") || "args";
	return new ShopError(
		"invalid_args",
		`${field}: ${issue?.message}`.slice(0, messageMax),
		field.slice(0, messageMax),
	);
}
