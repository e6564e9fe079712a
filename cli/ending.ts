import { CommanderError } from "commander";
import { HttpError } from "../server/http/http-error.ts";
import { SettingsError } from "../server/settings-error.ts";
import { ShopError } from "../sync/protocol/errors.ts";
import { CommandError, UsageError } from "./commands/error.ts";

const refused = 1;
const wrongUsage = 2;
/** sysexits: what is wrong is the configuration. */
const wrongSettings = 78;
/** What a shell reports of a program that wrote to a pipe which nobody reads. */
const noReader = 141;

export const exitCodesText = `Exit codes: 0 done, ${refused} refused or failed, ${wrongUsage} wrong usage, ${wrongSettings} wrong settings.`;

/**
 * Says on standard error why a command was not done: one line where it was to be expected.
 *
 * @returns the exit code
 */
export function tellFailure(error: unknown): number {
	// It has been said already; asking for help is not a failure.
	if (error instanceof CommanderError)
		return error.exitCode === 0 ? 0 : wrongUsage;
	const reason = reasonOf(error);
	if (reason !== undefined) console.error(reason);
	else
		console.error(
			"This is a fault of Counterfoil, and not of what you asked for. Please report it with what follows.\n",
			error,
		);
	if (error instanceof UsageError) return wrongUsage;
	return error instanceof SettingsError ? wrongSettings : refused;
}

/** @returns undefined for a fault of this program */
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

/** What the system refuses, such as a file that may not be read, it says in a line. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && "syscall" in error && "code" in error;
}

/**
 * Ends where what is written comes nowhere: quietly where nobody reads it any more, as in
 * `counterfoil user list | head -1`, and with a line where there is no room for it. It does not end as if all had been
 * done: a transaction that is open is undone.
 */
export function endWithOutput(): void {
	for (const stream of [process.stdout, process.stderr])
		stream.on("error", (error: NodeJS.ErrnoException) => {
			if (error.code === "EPIPE") process.exit(noReader);
			// Nobody would hear why.
			if (stream === process.stderr) process.exit(refused);
			process.exit(
				tellFailure(
					new CommandError(
						`Standard output can't be written: ${error.message}`,
					),
				),
			);
		});
}
