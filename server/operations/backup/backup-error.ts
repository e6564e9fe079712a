/** Why no backup could be made: its disk is not there, has no room, or anything else. */
export type BackupTrouble = "missing" | "full" | "failed";

/** A backup or restore failed without changing anything; the message is one line for the person who ran it. */
export class BackupError extends Error {
	override readonly name = "BackupError";
	readonly trouble: BackupTrouble;

	constructor(
		message: string,
		{
			trouble = "failed",
			...options
		}: ErrorOptions & { trouble?: BackupTrouble } = {},
	) {
		super(message, options);
		this.trouble = trouble;
	}
}
