import pino, {
	type DestinationStream,
	type Logger,
	type LoggerOptions,
} from "pino";
import { currentRequest } from "../http/request-id.ts";
import { redactPaths } from "../redact-paths.ts";

const unwrittenMaxBytes = 1_000_000;

/** The server's log: JSON lines on standard error, where nothing tells of a secret or of a place on the disk. */
export function openLog(
	level: string,
	destination: DestinationStream = standardError(),
): Logger {
	const serializers = { err: (error: unknown) => describeError(error) };
	const hooks = { logMethod };
	return pino(
		{
			level,
			serializers,
			mixin: toRequest,
			hooks,
			timestamp: pino.stdTimeFunctions.isoTime,
		},
		inert(destination),
	);
}

/** Which request a line is about, where it is about one. */
function toRequest(): object {
	const requestId = currentRequest()?.id;
	return requestId === undefined ? {} : { requestId };
}

const controls = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** JSON escapes what ends a line; what a terminal obeys besides, and what turns text around, is made plain text, too. */
function inert(destination: DestinationStream): DestinationStream {
	return {
		write: (line) =>
			destination.write(
				line.replace(
					controls,
					(letter) =>
						`\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
				),
			),
	};
}

/** What can't be written waits, up to a limit: a full disk ends neither the server nor the answer that a line is about. */
function standardError(): DestinationStream {
	const options = { fd: 2, sync: true, maxLength: unwrittenMaxBytes };
	return pino.destination(options).on("error", () => {
		// Nobody could be told of it: this is what tells.
	});
}

/** Without a message of the caller's, pino takes the error's as it is. */
const logMethod: NonNullable<LoggerOptions["hooks"]>["logMethod"] = function (
	args,
	method,
) {
	const [first, ...rest] = args as unknown as [{ err?: unknown }, ...string[]];
	if (first.err instanceof Error && rest.length === 0)
		rest.push(redactPaths(first.err.message));
	method.apply(this, [first, ...rest] as unknown as typeof args);
};

function describeError(error: unknown): object {
	if (!(error instanceof Error)) return { message: String(error) };
	const { name, message, stack, cause } = error;
	return {
		type: name,
		message: redactPaths(message),
		stack: redactPaths(stack ?? ""),
		...(cause === undefined ? {} : { cause: describeError(cause) }),
	};
}
