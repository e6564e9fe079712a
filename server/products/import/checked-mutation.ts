import { parseArgs } from "../../../sync/entities/parse-args.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { MutationInput } from "../../../sync/shop.ts";
import { LineError } from "./line-error.ts";

/** Validates a mutation. @throws LineError if it would be rejected */
export function checked(made: MutationInput): MutationInput {
	try {
		parseArgs(made.mutation, made.args);
		return made;
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		const { message, field } = error;
		throw new LineError("invalid_args", message, { field });
	}
}
