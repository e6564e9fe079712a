/**
 * Every way in which the core refuses, as a closed list. `final` says whether the same request can ever succeed later.
 *
 * | code | what happened | final | what to do |
 * |---|---|---|---|
 * | invalid_args | a field is missing or of the wrong kind; `field` names it | yes | correct it, send it under a new id |
 * | id_reused | the id already belongs to other content | yes | use a new id |
 * | not_found | a record that it names is not in this business | yes | refresh, look again |
 * | already_voided | the sale was voided before | yes | nothing: it is done |
 * | over_refunded | more of a line than was sold and not yet refunded | yes | refund less |
 * | forbidden | the caller's role does not allow it | yes | ask an owner |
 * | awaits_permission | another member made it, and neither the caller's role nor a proof by its maker allows it | no | keep it until a member who may signs in |
 * | unknown_mutation | this program is older than the caller | no | update the server; the caller tries again |
 * | unknown_query | this program is older than the page that asks | no | update the program |
 * | on_server | only the shop's server has what is asked for: its log, its accounts | no | ask there |
 * | unknown_record | a restored server has not got a record back yet that this one names | no | try again after the other tills have synced |
 * | wrong_business | the caller is not a member of the business that it named, or an answer is another business's | no | sign in with an account of the shop |
 * | forked | this device's past is not the one that the server knows (restored or cloned) | no | take a new device id, refetch, go on |
 * | history_lost | the server has lost some of what it answered to this client | no | take the page that comes with it, offer everything again |
 * | internal | a fault of this program | no | see its log; the caller tries again |
 * | cart_taken | another window of this till sells the cart, or has sold it | yes | nothing: the sale goes on there |
 * | too_large | the batch or body is over the limit | yes | send less at once |
 * | storage_full | the disk is full | no | make room |
 * | storage_busy | another process holds the database | no | try again |
 * | storage_failed | the disk or the file failed | no | run doctor |
 * | newer_database | the database was made by a newer program | yes | update this program |
 * | older_database | the database has an older schema, and this program may not bring it up to date | no | start the server |
 * | not_a_database | the file is not one of ours | yes | check the path |
 * | unreachable | the server gave no answer of its own | no | try again |
 * | unauthorized | the server does not accept the credentials | no | sign in again |
 */
export const errorCodes = [
	"invalid_args",
	"id_reused",
	"not_found",
	"already_voided",
	"over_refunded",
	"forbidden",
	"awaits_permission",
	"wrong_business",
	"unknown_mutation",
	"unknown_query",
	"on_server",
	"unknown_record",
	"forked",
	"history_lost",
	"internal",
	"cart_taken",
	"too_large",
	"storage_full",
	"storage_busy",
	"storage_failed",
	"newer_database",
	"older_database",
	"not_a_database",
	"unreachable",
	"unauthorized",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Why a till does not sync until the next sign-in. */
const pauseCodes = [
	"unauthorized",
	"wrong_business",
] as const satisfies readonly ErrorCode[];
export type PauseCode = (typeof pauseCodes)[number];

export const pauseAdvice: Record<PauseCode, string> = {
	unauthorized: "Sign in again to sync",
	wrong_business:
		"This account is not a member of this till's shop on the server, or the shop is gone from it",
};

/** @returns undefined for a failure that is tried again without a new sign-in */
export function toPauseCode(code: ErrorCode): PauseCode | undefined {
	return pauseCodes.find((pauseCode) => pauseCode === code);
}

/** The codes that leave a mutation unrecorded, to be tried again. */
export const deferringCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	"awaits_permission",
	"unknown_mutation",
	"unknown_record",
	"forked",
	"internal",
]);

/** A refusal that the caller can act on. Anything else that is thrown is a bug. */
export class ShopError extends Error {
	override readonly name = "ShopError";
	readonly code: ErrorCode;
	readonly field: string | undefined;
	/** How long whoever refused wants to be left alone, in milliseconds, where it said so. */
	readonly waitMs: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		field?: string,
		{ waitMs, ...options }: ErrorOptions & { waitMs?: number } = {},
	) {
		super(message, options);
		this.code = code;
		this.field = field;
		this.waitMs = waitMs;
	}
}

/** A sum that would leave the range in which whole numbers are exact. */
export class SumOverflow extends ShopError {
	constructor(field: string) {
		super("invalid_args", "Too large to be counted exactly", field);
	}
}

/** True for a failure of the disk or the database file, which must stop a whole batch and not one mutation. */
export function isStorageError(error: unknown): error is ShopError {
	return error instanceof ShopError && error.code.startsWith("storage_");
}
