/**
 * All codes of a `ShopError`, as a closed list. `final` means that the same request can never succeed.
 *
 * | code | what happened | final | what to do |
 * |---|---|---|---|
 * | invalid_args | a field is missing or wrong; `field` names it | yes | correct it and send it under a new id |
 * | id_reused | the id already has other content | yes | use a new id |
 * | not_found | a record that the request names is not in this business | yes | refresh and look again |
 * | already_voided | the sale was voided before | yes | nothing: it is done |
 * | over_refunded | the refund takes back more of a line than is left | yes | refund less |
 * | forbidden | the caller's role does not allow it | yes | ask an owner |
 * | awaits_permission | another member made the mutation, and neither the caller's role nor its maker's proof allows it | no | keep it until a member with permission signs in |
 * | unknown_mutation | this program is older than the caller | no | update the server; the caller tries again |
 * | unknown_query | this program is older than the page that asks | no | update the program |
 * | older_sales | what the till leaves on the server, which can't be reached | no | say so |
 * | on_server | only the shop's server has the answer: its log, its accounts | no | ask the server |
 * | unknown_record | the server does not have a record that the mutation names yet: it was restored, or what makes the record was deferred | no | try again with the next sync |
 * | wrong_business | the caller is not a member of the named business, or the answer is another business's | no | sign in with an account of the shop |
 * | forked | the server knows another past of this device, which was restored or cloned | no | take a new device id, pull from the start, go on |
 * | history_lost | the server lost mutations that it had answered to this client | no | store the page in the answer, send everything again |
 * | internal | a bug in this program | no | see its log; the caller tries again |
 * | code_taken | another product on sale has the code | yes | take it from that one first, or choose another |
 * | cart_taken | another window of this till sells or has sold the cart | yes | nothing: the sale goes on there |
 * | needs_approval | it goes beyond its maker's limits, by `amount`, and somebody with a PIN at this till could approve it | no | ask for the PIN |
 * | too_large | the batch or body is over the limit | yes | send less at once |
 * | storage_full | the disk is full | no | make room |
 * | storage_busy | another process holds the database | no | try again |
 * | storage_failed | the disk or the file failed | no | run doctor |
 * | newer_database | a newer program made the database | yes | update this program |
 * | older_database | the database has an older schema, and this program may not migrate it | no | start the server |
 * | not_a_database | the file is not a Counterfoil database | yes | check the path |
 * | unreachable | no answer came, or not from the server | no | try again |
 * | unauthorized | the server does not accept the credentials | no | sign in again |
 * | outdated | the server's feed has another form than this program reads | no | update the older of the two; until then the till sells and sends on |
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
	"older_sales",
	"unknown_record",
	"forked",
	"history_lost",
	"internal",
	"code_taken",
	"cart_taken",
	"needs_approval",
	"too_large",
	"storage_full",
	"storage_busy",
	"storage_failed",
	"newer_database",
	"older_database",
	"not_a_database",
	"unreachable",
	"unauthorized",
	"outdated",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Reasons why a till gets nothing new until somebody signs in, or updates a program. */
const pauseCodes = [
	"unauthorized",
	"wrong_business",
	"outdated",
] as const satisfies readonly ErrorCode[];
export type PauseCode = (typeof pauseCodes)[number];

export const pauseAdvice: Record<PauseCode, string> = {
	unauthorized: "Sign in again to sync",
	wrong_business:
		"This account is not a member of this till's shop on the server, or the shop is gone from it",
	outdated:
		"This till and its server are of different versions: update the older one",
};

/** @returns undefined for a failure that is retried without a new sign-in */
export function toPauseCode(code: ErrorCode): PauseCode | undefined {
	return pauseCodes.find((pauseCode) => pauseCode === code);
}

/** Codes that leave a mutation unrecorded, so that it is sent again. */
export const deferringCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	"awaits_permission",
	"unknown_mutation",
	"unknown_record",
	"forked",
	"internal",
]);

interface ShopErrorOptions extends ErrorOptions {
	waitMs?: number | undefined;
	amount?: number | undefined;
}

/** A refusal that the caller can act on. Any other exception is a bug. */
export class ShopError extends Error {
	override readonly name = "ShopError";
	readonly code: ErrorCode;
	readonly field: string | undefined;
	/** Milliseconds to wait before the next attempt, if the other side named a time. */
	readonly waitMs: number | undefined;
	/** The money at stake, if it is about some. */
	readonly amount: number | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		field?: string,
		{ waitMs, amount, ...options }: ShopErrorOptions = {},
	) {
		super(message, options);
		this.code = code;
		this.field = field;
		this.waitMs = waitMs;
		this.amount = amount;
	}
}

/** Refuses a sum beyond the range of exact integers. */
export class SumOverflow extends ShopError {
	constructor(field: string) {
		super("invalid_args", "Too large to be counted exactly", field);
	}
}

/** Returns true if the disk or the database file failed, which stops a whole batch and not just one mutation. */
export function isStorageError(error: unknown): error is ShopError {
	return error instanceof ShopError && error.code.startsWith("storage_");
}
