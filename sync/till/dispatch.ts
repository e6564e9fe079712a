import * as z from "zod";
import { day, recordId } from "../entities/fields.ts";
import { ShopError } from "../protocol/errors.ts";
import {
	mutationMessage,
	type Refusal,
	toRefusal,
} from "../protocol/protocol.ts";
import type {
	CallResult,
	MutationCall,
	TillApi,
	TillCall,
} from "../protocol/till-api.ts";
import { cart } from "./cart.ts";

const mutationCall: z.ZodType<MutationCall> = z.object({
	id: z.string().min(1).max(64),
	name: z.string(),
	args: z.unknown(),
	cartId: z.string().optional(),
	by: z.string().max(64).optional(),
});

const id = z.string();
const pin = z.string().regex(/^\d{4}(\d{2})?$/);
const byId = z.tuple([id]);
const nothing = z.tuple([]);

/** The arguments of each call, validated as they come from a page. */
const argsOf = {
	ask: z.tuple([z.string(), z.unknown()]),
	mutate: z.tuple([mutationCall]),
	bring: z.tuple([z.array(mutationMessage)]),
	standing: nothing,
	stateOf: byId,
	madeOn: z.tuple([day]),
	tryNow: nothing,
	retry: byId,
	discard: byId,
	restore: byId,
	readCart: byId,
	keepCart: z.tuple([id, cart.nullable(), z.boolean()]),
	cartOwners: nothing,
	takeOverCart: z.tuple([id, id]),
	heldCarts: nothing,
	holdCart: z.tuple([id, cart]),
	resumeCart: z.tuple([id, id, cart]),
	staff: nothing,
	refreshStaff: nothing,
	checkPin: z.tuple([id, pin]),
	approve: z.tuple([
		id,
		pin,
		z.object({ act: z.string(), id: recordId, amount: z.number().min(0) }),
	]),
} satisfies { [Name in keyof TillApi]: z.ZodType<Parameters<TillApi[Name]>> };

/** A call as it comes from a page. */
export const call = z.object({ name: z.string(), args: z.array(z.unknown()) });

/**
 * Runs a page's call.
 *
 * @throws ShopError `invalid_args` for an unknown call or wrong arguments, and whatever the call throws
 */
export async function dispatch(
	calls: TillApi,
	{ name, args }: TillCall,
): Promise<unknown> {
	if (!Object.hasOwn(argsOf, name))
		throw new ShopError("invalid_args", "Unknown call", "name");
	const known = name as keyof TillApi;
	const parsed = argsOf[known].safeParse(args);
	if (!parsed.success)
		throw new ShopError("invalid_args", z.prettifyError(parsed.error), "args");
	return (calls[known] as (...args: unknown[]) => Promise<unknown>)(
		...parsed.data,
	);
}

/**
 * Runs a page's call and serializes its outcome.
 *
 * @param onFault receives every error that is not a refusal
 */
export function runCall(
	calls: TillApi,
	call: TillCall,
	onFault: (error: unknown) => void,
): Promise<CallResult> {
	return toCallResult(() => dispatch(calls, call), onFault);
}

export async function toCallResult(
	done: () => Promise<unknown>,
	onFault: (error: unknown) => void,
): Promise<CallResult> {
	try {
		return { answer: await done() };
	} catch (error) {
		return { refusal: refusalOf(error, onFault) };
	}
}

export function refusalOf(
	error: unknown,
	onFault: (error: unknown) => void,
): Refusal {
	if (error instanceof ShopError) return toRefusal(error);
	onFault(error);
	return { code: "internal", message: String(error) };
}
