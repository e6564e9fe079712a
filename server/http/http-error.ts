/** An answer that is a failure; its message is shown to the caller. */
export class HttpError extends Error {
	override readonly name = "HttpError";
	readonly status: number;
	/** Of the field of a request that it is about. */
	readonly path: readonly PropertyKey[] | undefined;
	/** When to ask again, where that is known. */
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
