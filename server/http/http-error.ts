/** A failure with an HTTP status; its message is shown to the caller. */
export class HttpError extends Error {
	override readonly name = "HttpError";
	readonly status: number;
	/** The path of the request field that caused it. */
	readonly path: readonly PropertyKey[] | undefined;
	/** When to retry, if known. */
	readonly retryAfterSeconds: number | undefined;

	constructor(
		status: number,
		message: string,
		{
			path,
			retryAfterSeconds,
			...options
		}: ErrorOptions & {
			path?: PropertyKey[];
			retryAfterSeconds?: number | undefined;
		} = {},
	) {
		super(message, options);
		this.status = status;
		this.path = path;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}
