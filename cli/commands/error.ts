/** Why a command can't be done, in a line for the person who gave it. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}

/** A command that was given wrongly, as its own options can't see: options that contradict each other. */
export class UsageError extends CommandError {}
