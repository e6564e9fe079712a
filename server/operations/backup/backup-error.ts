/** A backup or restore failed without changing anything; the message is one line for the person who ran it. */
export class BackupError extends Error {
	override readonly name = "BackupError";
}
