import pino, {
	type DestinationStream,
	type Logger,
	type LoggerOptions,
} from "pino";
import { currentRequest } from "../http/request-id.ts";
import { redactPaths } from "../redact-paths.ts";
import { toLogText } from "./log-text.ts";

export type LogFormat = "json" | "text";

const unwrittenMaxBytes = 1_000_000;

/** Opens the server's log, without secrets or file paths: lines on standard error, unless it goes elsewhere. */
export function openLogger(
	level: string,
	destination: DestinationStream = standardError(),
): Logger {
	const recent: RecentError[] = [];
	const serializers = { err: (error: unknown) => describeError(error) };
	const hooks = { logMethod };
	const log = pino(
		{
			level,
			serializers,
			mixin: toRequest,
			hooks,
			timestamp: pino.stdTimeFunctions.isoTime,
		},
		inert(keeping(recent, destination)),
	);
	kept.set(log, recent);
	return log;
}

interface RecentError {
	at: string;
	level: "warn" | "error";
	message: string;
}

const recentMax = 20;
const kept = new WeakMap<Logger, RecentError[]>();

/** A log's last warnings and errors since the start, the newest first. */
export function recentErrors(log: Logger): readonly RecentError[] {
	return kept.get(log) ?? [];
}

function keeping(
	recent: RecentError[],
	destination: DestinationStream,
): DestinationStream {
	return {
		write(line) {
			destination.write(line);
			if (!/^\{"level":[456]0/.test(line)) return;
			const { level, time, msg, err } = JSON.parse(line);
			recent.unshift({
				at: time,
				level: level === 40 ? "warn" : "error",
				message: [msg, err?.message !== msg && err?.message]
					.filter(Boolean)
					.join(": "),
			});
			recent.splice(recentMax);
		},
	};
}

/** Adds the id of the request being handled, if any, to each line. */
function toRequest(): object {
	const requestId = currentRequest()?.id;
	return requestId === undefined ? {} : { requestId };
}

const controls = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** Escapes terminal control characters and bidirectional overrides, which JSON leaves alone. */
function inert(destination: DestinationStream): DestinationStream {
	return { write: (line) => destination.write(escapeControls(line)) };
}

function escapeControls(line: string): string {
	return line.replace(
		controls,
		(letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

/**
 * Lines for people on a terminal, and of JSON elsewhere. Buffers those that can't be written, up to a limit, so that a full
 * disk breaks neither the server nor a request.
 */
export function standardError(
	format: LogFormat = process.stderr.isTTY ? "text" : "json",
): DestinationStream {
	const options = { fd: 2, sync: true, maxLength: unwrittenMaxBytes };
	const written = pino.destination(options).on("error", () => {
		// A failure of the log itself can't be reported anywhere.
	});
	if (format === "json") return written;
	// Reading the JSON undoes its escapes.
	return { write: (line) => written.write(escapeControls(toLogText(line))) };
}

/** Sets the message of a line without one; pino would copy the error's message unfiltered. */
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
