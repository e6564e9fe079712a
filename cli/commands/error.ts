/** Why a command can't be done, in a line for the person who gave it. */
export class CommandError extends Error {
	override readonly name = "CommandError";
}
