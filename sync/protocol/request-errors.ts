/**
 * Codes of refusals that are not the core's (`errors.ts`): of accounts, members, pictures, AI limits and a till's server.
 * Their messages are English sentences for developers; a client words the code in its user's language.
 */
export const requestErrorCodes = [
	"wrong_password",
	"no_business",
	"email_taken",
	"shop_exists",
	"setup_code_missing",
	"setup_code_wrong",
	"last_owner",
	"shared_member",
	"already_member",
	"too_many_tries",
	"too_busy",
	"picture_kind",
	"pictures_full",
	"file_unreadable",
	"file_too_long",
	"file_password",
	"pdf_unreadable",
	"budget_too_high",
	"server_unreachable",
	"not_a_server",
	"other_shops_till",
	"till_has_server",
	"computer_has_shop",
	"managers_move_shops",
] as const;

export type RequestErrorCode = (typeof requestErrorCodes)[number];

/**
 * The most lines of a product file that the server imports. Larger files must be imported with the command line: in the
 * server they take more than the 250 MB of a file of this length, and make tills wait.
 */
export const importLinesMax = 120_000;

/** Headers of an error response. Its body has the single key `error`, by the API's contract. */
export const errorCodeHeader = "x-error-code";
/** The path of the request's wrong field, percent-encoded. */
export const errorFieldHeader = "x-error-field";
