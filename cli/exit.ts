import { CommanderError } from "commander";
import { SettingsError } from "../server/environment.ts";
import { HttpError } from "../server/http/http-error.ts";
import { ShopError } from "../sync/protocol/errors.ts";
import { CommandError, UsageError } from "./commands/command-error.ts";
import { say } from "./commands/print.ts";

const refused = 1;
const wrongUsage = 2;
/** EX_CONFIG of sysexits.h. */
const wrongSettings = 78;
/** The status that a shell reports for a program killed by SIGPIPE. */
const noReader = 141;

export const exitCodesText = `Exit codes: 0 done, ${refused} refused or failed, ${wrongUsage} wrong usage, ${wrongSettings} wrong settings.`;

/**
 * Prints why a command failed on standard error: one line for an expected failure, the stack for a bug.
 *
 * @returns the exit code
 */
export function reportFailure(error: unknown): number {
	// Commander has printed its message already; --help is not a failure.
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? 0 : wrongUsage;
	const reason = reasonOf(error);
	if (reason !== undefined) say(reason);
	else
		console.error(
			"This is a bug in Counterfoil. Please report it with the following details.\n",
			error,
		);
	if (error instanceof UsageError) return wrongUsage;
	return error instanceof SettingsError ? wrongSettings : refused;
}

/** @returns undefined for a bug in this program */
function reasonOf(error: unknown): string | undefined {
	if (
		error instanceof CommandError ||
		error instanceof SettingsError ||
		error instanceof ShopError ||
		error instanceof HttpError ||
		isSystemError(error)
	)
		return error.message;
	return undefined;
}

/** An error of a system call, such as EACCES, whose message is one readable line. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && "syscall" in error && "code" in error;
}

/**
 * Exits when standard output or error can't be written: silently if the reader has gone, as in
 * `counterfoil user list | head -1`, or with a message, such as for a full disk. The exit code is never 0, and an open
 * transaction is rolled back.
 */
export function exitOnClosedOutput(): void {
	for (const stream of [process.stdout, process.stderr])
		stream.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "EPIPE") process.exit(noReader);
			// There is nowhere left to print the reason.
			if (stream === process.stderr) process.exit(refused);
			process.exit(
				reportFailure(
					new CommandError(`Can't write to standard output: ${error.message}`),
				),
			);
		});
}
