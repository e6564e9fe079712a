/** Why a backup or a restore can't be done, in a line for the person who asked for it. Nothing has changed then. */
export class BackupError extends Error {
	override readonly name = "BackupError";
}
