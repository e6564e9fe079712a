import type { ErrorCode } from "../../sync/protocol/errors.ts";
import type { RequestErrorCode } from "../../sync/protocol/request-errors.ts";

/** A failure with an HTTP status; its message is shown to the caller. */
export class HttpError extends Error {
	override readonly name = "HttpError";
	readonly status: number;
	/** What clients word in their own language. */
	readonly code: RequestErrorCode | ErrorCode | undefined;
	/** The path of the request field that caused it. */
	readonly path: readonly PropertyKey[] | undefined;
	/** When to retry, if known. */
	readonly retryAfterSeconds: number | undefined;

	constructor(
		status: number,
		message: string,
		{
			code,
			path,
			retryAfterSeconds,
			...options
		}: ErrorOptions & {
			code?: RequestErrorCode | ErrorCode;
			path?: PropertyKey[];
			retryAfterSeconds?: number | undefined;
		} = {},
	) {
		super(message, options);
		this.status = status;
		this.code = code;
		this.path = path;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}
