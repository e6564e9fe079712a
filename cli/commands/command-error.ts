/** Why a command failed, as one line for the person who ran it. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}

/** Wrong usage that option parsing can't detect, such as contradicting options. */
export class UsageError extends CommandError {}
